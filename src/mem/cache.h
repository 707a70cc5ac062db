// Tags of a set-associative cache: write-back, write-allocate, LRU, a line's way reserved when it misses.
// The list of who waits for a line hangs on the reserved tag, so a merge needs no search.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::mem {

struct CacheShape {
    std::uint64_t bytes = 0;
    std::uint64_t ways = 0;
    std::uint64_t line = 0; // bytes
};

using LineId = std::uint32_t; // set * ways + way
inline constexpr LineId kNoLine = ~LineId{0};

class Cache {
public:
    enum class Result : std::uint8_t {
        Hit,
        Pending, // reserved, its data are on their way
        Miss,    // not there, and a way of its set can be reserved
        Full,    // not there, and every way of its set is reserved
    };
    struct Found {
        Result result;
        LineId line;
    };
    struct Victim { // what reserve() put out
        LineId line = kNoLine;
        bool dirty = false;
        Address address = 0;
    };

    explicit Cache(const CacheShape& shape);

    [[nodiscard]] unsigned line_shift() const {
        return line_shift_;
    }
    [[nodiscard]] unsigned sets() const {
        return static_cast<unsigned>(set_mask_ + 1);
    }
    [[nodiscard]] unsigned set_of(Address address) const {
        return static_cast<unsigned>((address >> line_shift_) & set_mask_);
    }

    // Looks an address up for a read when it may be the line that was hit last: true when it is. That line is the most
    // recently used one already, so nothing changes.
    [[nodiscard]] bool same_line_again(Address address) const {
        return (address >> line_shift_) == last_hit_;
    }
    // Looks an address up. A hit becomes the most recently used line of its set, and dirty on a write; a write to a
    // pending line makes it dirty when it is filled.
    Found access(Address address, bool write);
    // Reserves the least recently used unreserved way for a line that access() found missing.
    Victim reserve(Address address, bool write);
    // The data of a reserved line have come.
    void fill(LineId line);
    // Drops a line that is there and not pending; tells whether it was dirty.
    bool drop(Address address);
    void clear();

private:
    enum Flag : std::uint8_t { kValid = 1, kPending = 2, kDirty = 4 };

    [[nodiscard]] std::size_t first_way(Address address) const {
        return set_of(address) * ways_;
    }

    unsigned line_shift_;
    std::uint64_t set_mask_;
    std::size_t ways_;
    std::uint64_t clock_ = 0; // of uses, for LRU
    static constexpr Address kNone = ~Address{0};
    Address last_hit_ = kNone; // line number of the last access when it was a hit
    std::vector<Address> tags_;
    std::vector<std::uint8_t> flags_;
    std::vector<std::uint64_t> used_;
};

} // namespace heddle::mem
