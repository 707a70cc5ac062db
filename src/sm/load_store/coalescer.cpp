#include "sm/load_store/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

// Highway compiles the part below once for each instruction set, and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sm/load_store/coalescer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace heddle::sm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Bit i: keys[i] == key, for the first n keys. Bits of further keys may be set.
HWY_INLINE std::uint64_t matches(const std::uint32_t* keys, std::size_t n, std::uint32_t key) {
    const hn::CappedTag<std::uint32_t, 64> d;
    const auto wanted = hn::Set(d, key);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
        std::array<std::uint8_t, 8> bits{};
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, keys + i), wanted), bits.data());
        std::uint64_t word = 0;
        for (std::size_t b = 0; b < (hn::Lanes(d) + 7) / 8; ++b)
            word |= std::uint64_t{bits[b]} << (8 * b);
        found |= word << i;
    }
    return found;
}

// A mask of the first appearances among n keys, at most 64. Reads whole vectors.
std::uint64_t first_appearances(const std::uint32_t* keys, std::size_t n) {
    std::uint64_t firsts = 0;
    std::uint64_t left = first_lanes(static_cast<unsigned>(n));
    while (left != 0) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        firsts |= std::uint64_t{1} << i;
        left &= ~matches(keys, n, keys[i]);
    }
    return firsts;
}

} // namespace heddle::sm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::sm {

HWY_EXPORT(first_appearances);

namespace {

constexpr std::size_t kKeys = 64;     // the most keys of first_of_each()
constexpr std::size_t kKeyBlock = 16; // of the widest vector
constexpr std::size_t kFew = 16;      // up to so many accesses, or words of a bank, are compared one by one
using Keys = std::array<std::uint32_t, kKeys>;

// A mask of the first appearances among the first n keys.
std::uint64_t first_of_each(Keys& keys, std::size_t n) {
    std::fill(keys.begin() + n, keys.begin() + (n + kKeyBlock - 1) / kKeyBlock * kKeyBlock, 0U); // read, not used
    return HWY_DYNAMIC_DISPATCH(first_appearances)(keys.data(), n);
}

} // namespace

unsigned distinct_lines(std::span<const Address> addresses, unsigned line_shift, Address* lines) {
    if (addresses.empty())
        return 0;
    Address differ = 0;
    for (const Address a : addresses)
        differ |= a ^ addresses[0];
    lines[0] = addresses[0] >> line_shift;
    if (differ >> line_shift == 0)
        return 1;
    // Addresses far from each other may have line numbers with equal low halves: then whole numbers are compared.
    if (addresses.size() <= kFew || differ >> line_shift >> 32 != 0) {
        unsigned n = 1;
        for (const Address a : addresses) {
            const Address line = a >> line_shift;
            if (line != lines[n - 1] && std::find(lines, lines + n - 1, line) == lines + n - 1)
                lines[n++] = line;
        }
        return n;
    }
    Keys keys;
    for (std::size_t i = 0; i < addresses.size(); ++i)
        keys[i] = static_cast<std::uint32_t>(addresses[i] >> line_shift);
    unsigned n = 0;
    for (std::uint64_t f = first_of_each(keys, addresses.size()); f != 0; f &= f - 1)
        lines[n++] = addresses[static_cast<std::size_t>(std::countr_zero(f))] >> line_shift;
    return n;
}

void count_on_lines(std::span<const Address> addresses, unsigned line_shift, std::span<const Address> lines,
                    std::uint16_t* counts) {
    if (lines.size() == 1) {
        counts[0] = static_cast<std::uint16_t>(addresses.size());
        return;
    }
    std::fill_n(counts, lines.size(), std::uint16_t{0});
    std::size_t at = 0; // neighbours mostly lie on one line, or on the next
    for (const Address a : addresses) {
        while (lines[at] != a >> line_shift)
            at = at + 1 == lines.size() ? 0 : at + 1;
        ++counts[at];
    }
}

namespace {

// Words that a thread's access covers, 1 to 4.
unsigned words_of(unsigned bytes) {
    return std::max(1U, bytes / 4);
}

// The bank that a word lies in.
class Banks {
public:
    explicit Banks(unsigned banks) : banks_(banks), mask_(std::has_single_bit(banks) ? banks - 1 : 0) {}
    [[nodiscard]] unsigned of(std::uint32_t word) const {
        return mask_ != 0 ? word & mask_ : word % banks_;
    }

private:
    const unsigned banks_;
    const unsigned mask_; // banks - 1 if they are a power of two, else 0
};

// True when no two accesses meet in a bank, if no access has words both in the last bank and in the first.
bool begin_in_different_banks(std::span<const Address> offsets, Banks banks) {
    std::uint64_t taken = 0;
    for (const Address offset : offsets)
        taken |= std::uint64_t{1} << banks.of(static_cast<std::uint32_t>(offset / 4));
    return static_cast<std::size_t>(std::popcount(taken)) == offsets.size();
}

// The words that accesses read in a bank, one after the other.
class BankLoad {
public:
    explicit BankLoad(unsigned banks) : banks_(banks) {}
    void add(std::uint32_t first, unsigned words) {
        for (std::uint32_t word = first; word < first + words; ++word)
            most_ = std::max<unsigned>(most_, ++load_[banks_.of(word)]);
    }
    [[nodiscard]] unsigned most() const {
        return most_;
    }

private:
    const Banks banks_;
    unsigned most_ = 1;
    std::array<std::uint16_t, 64> load_{};
};

// bank_cycles() for up to 64 accesses, none of which has words both in the last bank and in the first. Accesses that
// meet in one bank meet in all of their banks, so the first words stand for the accesses. In each cycle a bank serves
// one word to all accesses that need it. Returns 0 after kFew cycles: comparing each pair of accesses is then faster.
unsigned most_first_words_of_a_bank(std::span<const Address> offsets, Banks banks) {
    std::array<std::uint32_t, kKeys> left; // words that have not been served
    std::array<std::uint32_t, 64> served;  // by bank
    std::size_t n = offsets.size();
    for (std::size_t i = 0; i < n; ++i)
        left[i] = static_cast<std::uint32_t>(offsets[i] / 4);
    for (unsigned cycles = 1; cycles <= kFew; ++cycles) {
        std::uint64_t busy = 0;
        std::size_t wait = 0; // counted without a branch: which words wait cannot be predicted
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t word = left[i];
            const unsigned bank = banks.of(word);
            served[bank] = ((busy >> bank) & 1) != 0 ? served[bank] : word;
            busy |= std::uint64_t{1} << bank;
            left[wait] = word;
            wait += served[bank] != word ? 1 : 0;
        }
        if (wait == 0)
            return cycles;
        n = wait;
    }
    return 0;
}

// bank_cycles() for any accesses. Aligned accesses share all their words or none.
unsigned most_of_a_bank(std::span<const Address> offsets, unsigned bytes, unsigned banks) {
    BankLoad load(banks);
    if (offsets.size() <= kKeys) {
        Keys keys;
        for (std::size_t i = 0; i < offsets.size(); ++i)
            keys[i] = static_cast<std::uint32_t>(offsets[i] / 4);
        for (std::uint64_t f = first_of_each(keys, offsets.size()); f != 0; f &= f - 1)
            load.add(keys[static_cast<std::size_t>(std::countr_zero(f))], words_of(bytes));
        return load.most();
    }
    std::array<std::uint32_t, 4 * kKeys> words;
    auto end = words.begin();
    for (const Address offset : offsets) {
        const auto word = static_cast<std::uint32_t>(offset / 4);
        if (std::find(words.begin(), end, word) != end)
            continue;
        *end++ = word;
        load.add(word, words_of(bytes));
    }
    return load.most();
}

} // namespace

unsigned bank_cycles(std::span<const Address> offsets, unsigned bytes, unsigned banks, bool ascend) {
    if (ascend && bytes >= 4 && offsets.size() <= banks && have_no_gap(offsets, bytes)) {
        const std::size_t distinct = offsets.back() == offsets.front() ? 1 : offsets.size();
        return static_cast<unsigned>((distinct * words_of(bytes) + banks - 1) / banks);
    }
    const bool none_wraps = banks % words_of(bytes) == 0; // aligned accesses: from the last bank to bank 0
    if (none_wraps && begin_in_different_banks(offsets, Banks(banks)))
        return 1;
    // One access for all threads, or consecutive words that use each bank at most once.
    bool consecutive = bytes >= 4 && offsets.size() <= banks;
    bool same = true;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        consecutive &= offsets[i] == offsets[0] + i * bytes;
        same &= offsets[i] == offsets[0];
    }
    if (same)
        return std::max(1U, (words_of(bytes) + banks - 1) / banks);
    if (consecutive)
        return static_cast<unsigned>((offsets.size() * words_of(bytes) + banks - 1) / banks);
    if (offsets.size() <= kKeys && none_wraps)
        if (const unsigned most = most_first_words_of_a_bank(offsets, Banks(banks)); most != 0)
            return most;
    return most_of_a_bank(offsets, bytes, banks);
}

unsigned atomic_bank_cycles(std::span<const Address> offsets, unsigned bytes, unsigned banks) {
    BankLoad load(banks);
    for (const Address offset : offsets)
        load.add(static_cast<std::uint32_t>(offset / 4), words_of(bytes));
    return load.most();
}

unsigned most_on_one_word(std::span<const Address> addresses) {
    unsigned most = 1;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        unsigned n = 0;
        for (const Address a : addresses)
            n += a == addresses[i] ? 1 : 0;
        most = std::max(most, n);
    }
    return most;
}

} // namespace heddle::sm
#endif // HWY_ONCE
