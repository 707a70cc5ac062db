#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "sm/load_store/coalescer.h"

namespace heddle::sm {
namespace {

std::vector<Address> lines_of(const std::vector<Address>& addresses) {
    std::array<Address, 64> out;
    const unsigned n = distinct_lines(addresses, 7, out.data());
    return {out.begin(), out.begin() + n};
}

TEST(DistinctLines, ConsecutiveWordsShareALine) {
    std::vector<Address> a;
    for (Address i = 0; i < 32; ++i)
        a.push_back(0x1000 + 4 * i);
    EXPECT_EQ(lines_of(a), (std::vector<Address>{0x20}));
}

TEST(DistinctLines, MisalignedWordsTouchTwo) {
    std::vector<Address> a;
    for (Address i = 0; i < 32; ++i)
        a.push_back(0x1040 + 4 * i);
    EXPECT_EQ(lines_of(a), (std::vector<Address>{0x20, 0x21}));
}

TEST(DistinctLines, OrderIsThatOfFirstAppearance) {
    EXPECT_EQ(lines_of({0x300, 0x100, 0x380, 0x120, 0x310}), (std::vector<Address>{6, 2, 7}));
}

TEST(DistinctLines, NoAccessTouchesNone) {
    EXPECT_TRUE(lines_of({}).empty());
}

TEST(DistinctLines, LineZeroIsNotMistakenForPadding) {
    EXPECT_EQ(lines_of({0x80, 0x0}), (std::vector<Address>{1, 0}));
    EXPECT_EQ(lines_of({0x80, 0x100}), (std::vector<Address>{1, 2}));
}

TEST(DistinctLines, LinesThatDifferOnlyInHighBitsAreTwo) {
    EXPECT_EQ(lines_of({0x80, 0x80 + (Address{1} << 40)}).size(), 2U);
}

TEST(DistinctLines, AgreesWithASearchOnRandomAddresses) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<Address> a(1 + random() % 64);
        const Address spread = Address{1} << (random() % 44);
        for (Address& x : a)
            x = random() % spread;
        std::vector<Address> expected;
        for (const Address x : a)
            if (std::find(expected.begin(), expected.end(), x >> 7) == expected.end())
                expected.push_back(x >> 7);
        ASSERT_EQ(lines_of(a), expected);
    }
}

std::vector<Address> strided(unsigned n, Address stride) {
    std::vector<Address> a;
    for (unsigned i = 0; i < n; ++i)
        a.push_back(i * stride);
    return a;
}

TEST(BankCycles, ByStride) {
    EXPECT_EQ(bank_cycles(strided(32, 4), 4, 32), 1U);    // a bank each
    EXPECT_EQ(bank_cycles(strided(32, 8), 4, 32), 2U);    // 16 banks, two words each
    EXPECT_EQ(bank_cycles(strided(32, 12), 4, 32), 1U);   // odd strides spread over all banks
    EXPECT_EQ(bank_cycles(strided(32, 128), 4, 32), 32U); // one bank
    EXPECT_EQ(bank_cycles(strided(32, 0), 4, 32), 1U);    // one word for all: a broadcast
    EXPECT_EQ(bank_cycles(strided(32, 8), 8, 32), 2U);    // 64 words of 32 banks
    EXPECT_EQ(bank_cycles(strided(32, 16), 16, 32), 4U);
    EXPECT_EQ(bank_cycles(strided(32, 1), 1, 32), 1U); // 8 words
}

TEST(BankCycles, WordsThatAreSharedCountOnce) {
    EXPECT_EQ(bank_cycles(std::vector<Address>{0, 0, 128, 128, 4}, 4, 32), 2U);
    EXPECT_EQ(atomic_bank_cycles(std::vector<Address>{0, 0, 128, 128, 4}, 4, 32), 4U);
}

TEST(BankCycles, AgreesWithSetsOfWordsOnRandomAccesses) {
    std::mt19937 random(2);
    for (int round = 0; round < 5000; ++round) {
        const unsigned bytes = 1U << (random() % 5);
        const unsigned banks = std::array{1U, 2U, 3U, 8U, 16U, 32U, 64U}[random() % 7];
        std::vector<Address> a(1 + random() % (random() % 2 == 0 ? 64 : 16));
        const unsigned places = 1U << (1 + random() % 10);
        for (Address& offset : a)
            offset = Address{random() % places} * bytes;
        std::vector<std::set<Address>> words(banks);
        for (const Address offset : a)
            for (Address word = offset / 4; word <= (offset + bytes - 1) / 4; ++word)
                words[word % banks].insert(word);
        std::size_t most = 0;
        for (const std::set<Address>& of_a_bank : words)
            most = std::max(most, of_a_bank.size());
        ASSERT_EQ(bank_cycles(a, bytes, banks), most) << a.size() << " accesses of " << bytes << " in " << banks;
        std::sort(a.begin(), a.end());
        a.erase(std::unique(a.begin(), a.end()), a.end());
        ASSERT_EQ(bank_cycles(a, bytes, banks, true), most) << a.size() << " rising, of " << bytes << " in " << banks;
        std::vector<Address> run = strided(static_cast<unsigned>(a.size()), bytes); // without gaps
        ASSERT_EQ(bank_cycles(run, bytes, banks, true), bank_cycles(run, bytes, banks));
    }
}

TEST(MostOnOneWord, Counts) {
    EXPECT_EQ(most_on_one_word(std::vector<Address>{4, 8, 4, 4, 12}), 3U);
    EXPECT_EQ(most_on_one_word(strided(32, 4)), 1U);
}

} // namespace
} // namespace heddle::sm
