#include "fat_binary.h"

#include <cstring>

#include <gtest/gtest.h>

#include "base/source.h"

namespace heddle::cudart {
namespace {

template <class T>
void put(std::vector<std::byte>& to, T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

struct Entry {
    std::uint16_t kind = 1;
    std::uint32_t sm = 75;
    std::string payload;
    std::uint64_t flags = 0x11;
    std::uint32_t compressed = 0;
    std::uint32_t header = 64;
};

std::vector<std::byte> fat_binary(const std::vector<Entry>& entries) {
    std::vector<std::byte> body;
    for (const Entry& e : entries) {
        const std::size_t begin = body.size();
        const std::uint64_t padded = (e.payload.size() + 1 + 7) / 8 * 8;
        put<std::uint16_t>(body, e.kind);
        put<std::uint16_t>(body, 0x0101);
        put<std::uint32_t>(body, e.header);
        put<std::uint64_t>(body, padded);
        put<std::uint32_t>(body, e.compressed);
        put<std::uint32_t>(body, 0);
        put<std::uint16_t>(body, 0);
        put<std::uint16_t>(body, 9);
        put<std::uint32_t>(body, e.sm);
        put<std::uint64_t>(body, 0);
        put<std::uint64_t>(body, e.flags);
        put<std::uint64_t>(body, 0);
        put<std::uint64_t>(body, e.payload.size() + 1);
        body.resize(begin + e.header);
        for (const char c : e.payload)
            body.push_back(static_cast<std::byte>(c));
        body.resize(begin + e.header + padded);
    }
    std::vector<std::byte> out;
    put<std::uint32_t>(out, 0xba55ed50);
    put<std::uint16_t>(out, 1);
    put<std::uint16_t>(out, 16);
    put<std::uint64_t>(out, body.size());
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

FatBinary parse(const std::vector<std::byte>& bytes) {
    return parse_fat_binary(bytes.data(), bytes.size());
}

std::string error_of(auto&& body) {
    try {
        body();
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

TEST(FatBinary, GivesThePtxAndSkipsMachineCode) {
    const auto bytes = fat_binary({{.kind = 2, .payload = "cubin"},
                                   {.sm = 70, .payload = ".version 7.0"},
                                   {.sm = 90, .payload = ".version 9.0\n", .header = 96}});
    const FatBinary b = parse(bytes);
    EXPECT_EQ(b.other_entries, 1u);
    ASSERT_EQ(b.ptx.size(), 2u);
    EXPECT_EQ(b.ptx[0].sm, 70u);
    EXPECT_EQ(b.ptx[0].text, ".version 7.0");
    EXPECT_EQ(b.ptx[1].text, ".version 9.0\n");
}

TEST(FatBinary, EveryTruncationIsAnError) {
    const auto bytes = fat_binary({{.payload = "some text"}, {.payload = "more text"}});
    for (std::size_t n = 0; n < bytes.size(); ++n)
        EXPECT_NE(error_of([&] { (void)parse_fat_binary(bytes.data(), n); }).find("cut short"), std::string::npos) << n;
    EXPECT_EQ(parse(bytes).ptx.size(), 2u);
}

TEST(FatBinary, SizesBeyondTheEndAreErrors) {
    auto bytes = fat_binary({{.payload = "some text"}});
    const std::uint64_t huge = ~std::uint64_t{0} - 8; // would wrap around when added
    std::memcpy(bytes.data() + 16 + 8, &huge, sizeof huge);
    EXPECT_NE(error_of([&] { (void)parse(bytes); }).find("cut short"), std::string::npos);
    const std::uint32_t header = 0; // would never advance
    std::memcpy(bytes.data() + 16 + 4, &header, sizeof header);
    EXPECT_NE(error_of([&] { (void)parse(bytes); }).find("cut short"), std::string::npos);
}

TEST(FatBinary, WrongMagicNamesBoth) {
    auto bytes = fat_binary({});
    bytes[0] = std::byte{0x51};
    EXPECT_EQ(error_of([&] { (void)parse(bytes); }),
              "not a fat binary: it begins with 0xba55ed51 instead of 0xba55ed50");
}

TEST(FatBinary, ChoosesTheNewestThatFits) {
    const FatBinary b =
        parse(fat_binary({{.sm = 60, .payload = "a"}, {.sm = 75, .payload = "b"}, {.sm = 90, .payload = "c"}}));
    EXPECT_EQ(choose_ptx(b, 75).text, "b");
    EXPECT_EQ(choose_ptx(b, 80).text, "b");
    EXPECT_EQ(choose_ptx(b, 61).text, "a");
    const FatBinary newer = parse(fat_binary({{.sm = 100, .payload = "x"}, {.sm = 90, .payload = "y"}}));
    EXPECT_EQ(choose_ptx(newer, 75).text, "y");
}

TEST(FatBinary, CompressedAndMissingPtxSayWhatToDo) {
    const FatBinary zstd = parse(fat_binary({{.payload = "zzzz", .flags = 0x8011, .compressed = 4}}));
    EXPECT_NE(error_of([&] { (void)choose_ptx(zstd, 75); }).find("compressed with zstd"), std::string::npos);
    EXPECT_NE(error_of([&] { (void)choose_ptx(zstd, 75); }).find("--no-compress"), std::string::npos);
    const FatBinary lz4 = parse(fat_binary({{.payload = "zzzz", .flags = 0x2011, .compressed = 4}}));
    EXPECT_NE(error_of([&] { (void)choose_ptx(lz4, 75); }).find("LZ4"), std::string::npos);
    const FatBinary cubin = parse(fat_binary({{.kind = 2, .payload = "elf"}}));
    EXPECT_NE(error_of([&] { (void)choose_ptx(cubin, 75); }).find("no PTX"), std::string::npos);
}

TEST(FatBinary, WrapperVersions) {
    const auto one = fat_binary({{.payload = "one"}});
    const auto two = fat_binary({{.payload = "two"}});
    const auto empty = fat_binary({});
    const FatBinaryWrapper plain{0x466243b1, 1, one.data(), nullptr};
    ASSERT_EQ(parse_wrapper(plain).size(), 1u);
    EXPECT_EQ(parse_wrapper(plain)[0].ptx[0].text, "one");
    const void* const list[] = {one.data(), two.data(), nullptr};
    const FatBinaryWrapper relocatable{0x466243b1, 2, empty.data(), list};
    ASSERT_EQ(parse_wrapper(relocatable).size(), 2u);
    EXPECT_EQ(parse_wrapper(relocatable)[1].ptx[0].text, "two");
    EXPECT_NE(error_of([&] {
                  (void)parse_wrapper({0x466243b2, 1, one.data(), nullptr});
              }).find("wrapper"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  (void)parse_wrapper({0x466243b1, 3, one.data(), nullptr});
              }).find("version 3"),
              std::string::npos);
}

} // namespace
} // namespace heddle::cudart
