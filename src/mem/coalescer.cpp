#include "mem/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

// Highway compiles the part below once an instruction set and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mem/coalescer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace heddle::mem::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Bit i: keys[i] == key, for the first 64 keys.
std::uint64_t matches(const std::uint32_t* keys, std::uint32_t key) {
    const hn::CappedTag<std::uint32_t, 64> d;
    const auto wanted = hn::Set(d, key);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
        std::array<std::uint8_t, 8> bits{};
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, keys + i), wanted), bits.data());
        std::uint64_t word = 0;
        for (std::size_t b = 0; b < (hn::Lanes(d) + 7) / 8; ++b)
            word |= std::uint64_t{bits[b]} << (8 * b);
        found |= word << i;
    }
    return found;
}

// The distinct ones among n keys, as a mask of their first appearances.
std::uint64_t first_appearances(const std::uint32_t* keys, std::uint64_t left) {
    std::uint64_t firsts = 0;
    while (left != 0) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        firsts |= std::uint64_t{1} << i;
        left &= ~matches(keys, keys[i]);
    }
    return firsts;
}

} // namespace heddle::mem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::mem {

HWY_EXPORT(first_appearances);

unsigned distinct_lines(std::span<const Address> addresses, unsigned line_shift, Address* lines) {
    if (addresses.empty())
        return 0;
    Address differ = 0;
    for (const Address a : addresses)
        differ |= a ^ addresses[0];
    lines[0] = addresses[0] >> line_shift;
    if (differ >> line_shift == 0)
        return 1;
    // Far-apart addresses may share the low half of a line number: then compare whole numbers.
    if (differ >> line_shift >> 32 != 0) {
        unsigned n = 0;
        for (const Address a : addresses)
            if (std::find(lines, lines + n, a >> line_shift) == lines + n)
                lines[n++] = a >> line_shift;
        return n;
    }
    std::array<std::uint32_t, 64> keys; // the rest is masked out
    for (std::size_t i = 0; i < addresses.size(); ++i)
        keys[i] = static_cast<std::uint32_t>(addresses[i] >> line_shift);
    std::fill(keys.begin() + static_cast<std::ptrdiff_t>(addresses.size()), keys.end(), 0U);
    const std::uint64_t all = first_lanes(static_cast<unsigned>(addresses.size()));
    unsigned n = 0;
    for (std::uint64_t f = HWY_DYNAMIC_DISPATCH(first_appearances)(keys.data(), all); f != 0; f &= f - 1)
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

// Words a thread's access covers, 1 to 4.
unsigned words_of(unsigned bytes) {
    return std::max(1U, bytes / 4);
}

unsigned most_of_a_bank(std::span<const Address> offsets, unsigned bytes, unsigned banks, bool share_words) {
    std::array<std::uint16_t, 64> load{};
    std::array<std::uint32_t, 64 * 4> words;
    unsigned n = 0;
    unsigned most = 1;
    for (const Address offset : offsets)
        for (unsigned w = 0; w < words_of(bytes); ++w) {
            const auto word = static_cast<std::uint32_t>(offset / 4 + w);
            if (share_words) {
                if (std::find(words.begin(), words.begin() + n, word) != words.begin() + n)
                    continue;
                words[n++] = word;
            }
            most = std::max<unsigned>(most, ++load[word % banks]);
        }
    return most;
}

} // namespace

unsigned bank_cycles(std::span<const Address> offsets, unsigned bytes, unsigned banks) {
    // Consecutive words, the usual case, and all threads on one word take a cycle a word.
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
    return most_of_a_bank(offsets, bytes, banks, true);
}

unsigned atomic_bank_cycles(std::span<const Address> offsets, unsigned bytes, unsigned banks) {
    return most_of_a_bank(offsets, bytes, banks, false);
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

} // namespace heddle::mem
#endif // HWY_ONCE
