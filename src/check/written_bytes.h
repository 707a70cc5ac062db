// Which bytes of a memory have been written, one bit each.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace heddle::check {

class WrittenBytes {
public:
    void write(Address begin, std::uint64_t bytes);
    // As if they had never been written: a new allocation.
    void forget(Address begin, std::uint64_t bytes);
    // The bytes at `to` are as those at `from`; both ranges may overlap.
    void copy(Address to, Address from, std::uint64_t bytes);
    [[nodiscard]] bool any(Address begin, std::uint64_t bytes) const;
    [[nodiscard]] bool all(Address begin, std::uint64_t bytes) const;
    void clear();

private:
    static constexpr Address kPage = 65536; // bytes
    struct Page {
        std::vector<std::uint64_t> bits; // empty: all bytes
    };

    // Calls f(page number, first byte in the page, bytes) for each page of a range.
    template <class F>
    static void for_each_page(Address begin, std::uint64_t bytes, F&& f);
    Page& page(Address number);
    void set(Address number, std::uint64_t first, std::uint64_t bytes, bool written);

    std::unordered_map<Address, Page> pages_; // absent: none of its bytes
    Address last_ = ~Address{0};              // looked up last
    Page* last_page_ = nullptr;
};

} // namespace heddle::check
