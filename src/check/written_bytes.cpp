#include "check/written_bytes.h"

#include <algorithm>

namespace heddle::check {

namespace {

// The bits [first, first + count) of a word.
std::uint64_t bits(unsigned first, std::uint64_t count) {
    return (count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first;
}

// Calls f(word, mask) for the words that hold bits [first, first + count).
template <class F>
void for_each_word(std::uint64_t first, std::uint64_t count, F&& f) {
    for (const std::uint64_t end = first + count; first < end;) {
        const auto low = static_cast<unsigned>(first % 64);
        const std::uint64_t here = std::min<std::uint64_t>(64 - low, end - first);
        f(first / 64, bits(low, here));
        first += here;
    }
}

} // namespace

template <class F>
void WrittenBytes::for_each_page(Address begin, std::uint64_t bytes, F&& f) {
    for (const Address end = begin + bytes; begin < end;) {
        const std::uint64_t here = std::min(kPage - begin % kPage, end - begin);
        f(begin / kPage, begin % kPage, here);
        begin += here;
    }
}

WrittenBytes::Page& WrittenBytes::page(Address number) {
    if (number != last_) {
        const auto [at, fresh] = pages_.try_emplace(number);
        if (fresh)
            at->second.bits.resize(kPage / 64);
        last_ = number;
        last_page_ = &at->second;
    }
    return *last_page_;
}

void WrittenBytes::set(Address number, std::uint64_t first, std::uint64_t bytes, bool written) {
    Page& p = page(number);
    if (p.bits.empty() && written)
        return;
    if (bytes == kPage && written) {
        p.bits = {};
        return;
    }
    if (p.bits.empty())
        p.bits.assign(kPage / 64, ~std::uint64_t{0});
    for_each_word(first, bytes, [&](std::uint64_t word, std::uint64_t mask) {
        p.bits[word] = written ? p.bits[word] | mask : p.bits[word] & ~mask;
    });
}

void WrittenBytes::write(Address begin, std::uint64_t bytes) {
    for_each_page(begin, bytes,
                  [&](Address number, std::uint64_t first, std::uint64_t here) { set(number, first, here, true); });
}

void WrittenBytes::forget(Address begin, std::uint64_t bytes) {
    for_each_page(begin, bytes, [&](Address number, std::uint64_t first, std::uint64_t here) {
        if (here == kPage) {
            pages_.erase(number);
            last_ = ~Address{0};
        } else if (pages_.contains(number)) {
            set(number, first, here, false);
        }
    });
}

bool WrittenBytes::any(Address begin, std::uint64_t bytes) const {
    bool found = false;
    for_each_page(begin, bytes, [&](Address number, std::uint64_t first, std::uint64_t here) {
        const auto at = pages_.find(number);
        if (found || at == pages_.end())
            return;
        if (at->second.bits.empty()) {
            found = true;
            return;
        }
        for_each_word(first, here, [&](std::uint64_t word, std::uint64_t mask) {
            found = found || (at->second.bits[word] & mask) != 0;
        });
    });
    return found;
}

bool WrittenBytes::all(Address begin, std::uint64_t bytes) const {
    bool found = true;
    for_each_page(begin, bytes, [&](Address number, std::uint64_t first, std::uint64_t here) {
        const auto at = pages_.find(number);
        found = found && at != pages_.end();
        if (!found || at->second.bits.empty())
            return;
        for_each_word(first, here, [&](std::uint64_t word, std::uint64_t mask) {
            found = found && (at->second.bits[word] & mask) == mask;
        });
    });
    return found;
}

void WrittenBytes::copy(Address to, Address from, std::uint64_t bytes) {
    if (all(from, bytes))
        return write(to, bytes);
    std::vector<bool> written(bytes);
    for (std::uint64_t i = 0; i < bytes; ++i)
        written[i] = any(from + i, 1);
    for (std::uint64_t i = 0; i < bytes;) {
        std::uint64_t end = i + 1;
        while (end < bytes && written[end] == written[i])
            ++end;
        if (written[i])
            write(to + i, end - i);
        else
            forget(to + i, end - i);
        i = end;
    }
}

void WrittenBytes::clear() {
    pages_.clear();
    last_ = ~Address{0};
}

} // namespace heddle::check
