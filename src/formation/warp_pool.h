// The warp pool and its allocator (DWF07 4.2, Figure 11c): the threads of each warp, as parts of home rows.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/unit_set.h"
#include "warp/group.h"

namespace heddle::formation {

// Copies `n` parts, and what follows up to a multiple of four: both arrays have it.
inline void copy_parts(const warp::Part* from, unsigned n, warp::Part* to) {
    constexpr unsigned kBlock = 4;
    for (unsigned p = 0; p < n; p += kBlock)
        std::memcpy(to + p, from + p, kBlock * sizeof(warp::Part));
}

class WarpPool {
public:
    WarpPool(unsigned entries, unsigned width, unsigned rows)
        : stride_((width + 3) / 4 * 4 + 4), free_(entries), parts_(std::size_t{entries} * stride_), count_(entries),
          place_of_row_(rows) {
        for (unsigned u = 0; u < entries; ++u)
            free_.insert(static_cast<UnitId>(u));
    }

    // The lowest free entry: so warps that become eligible together have rising numbers, and schedulers that keep lists
    // are told of the older first. `parts`: as for copy_parts().
    [[nodiscard]] UnitId allocate(std::span<const warp::Part> parts) {
        const UnitId u = free_.first_from(none_below_);
        none_below_ = u;
        free_.erase(u);
        ++in_use_;
        copy_parts(parts.data(), static_cast<unsigned>(parts.size()), begin(u));
        count_[u] = static_cast<std::uint16_t>(parts.size());
        return u;
    }
    void release(UnitId u) {
        free_.insert(u);
        none_below_ = std::min<unsigned>(none_below_, u);
        --in_use_;
    }
    [[nodiscard]] unsigned in_use() const {
        return in_use_;
    }
    [[nodiscard]] std::span<const warp::Part> parts(UnitId u) const {
        return {parts_.data() + std::size_t{u} * stride_, count_[u]};
    }

    // A warp while threads join it, those of a row all at once.
    class Joining {
    public:
        Joining(WarpPool& pool, UnitId u)
            : total_(pool.count_[u]), parts_(pool.begin(u)), count_(total_), place_of_row_(pool.place_of_row_.data()) {
            for (unsigned p = 0; p < count_; ++p)
                place_of_row_[parts_[p].row] = static_cast<std::uint8_t>(p);
        }
        Joining(const Joining&) = delete;
        Joining& operator=(const Joining&) = delete;
        ~Joining() {
            total_ = static_cast<std::uint16_t>(count_);
        }
        void add(const warp::Part& part) {
            const unsigned place = place_of_row_[part.row];
            if (place < count_ && parts_[place].row == part.row)
                parts_[place].lanes |= part.lanes;
            else
                parts_[count_++] = part;
        }

    private:
        std::uint16_t& total_;
        warp::Part* const parts_;
        unsigned count_;
        std::uint8_t* const place_of_row_;
    };

private:
    [[nodiscard]] warp::Part* begin(UnitId u) {
        return parts_.data() + std::size_t{u} * stride_;
    }

    const unsigned
        stride_; // places of an entry; commonly an odd number of cache lines, which spreads entries over sets
    UnitSet free_;
    unsigned none_below_ = 0; // no free entry lies below
    unsigned in_use_ = 0;
    std::vector<warp::Part> parts_; // by entry
    std::vector<std::uint16_t> count_;
    std::vector<std::uint8_t> place_of_row_; // where a row's part is in the warp that threads join, if the part there
                                             // is of that row: it need not be cleared
};

} // namespace heddle::formation
