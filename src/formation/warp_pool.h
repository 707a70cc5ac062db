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

// Parts that are put into an array, which has a place to spare. Those without lanes are left out, without a branch:
// which they are nobody can foresee, and the lists are short.
class PartList {
public:
    explicit PartList(warp::Part* to, unsigned n = 0) : to_(to), n_(n) {}

    void add(RowId row, LaneMask lanes) {
        to_[n_].row = row;
        to_[n_].lanes = lanes;
        n_ += lanes != 0 ? 1 : 0;
    }
    [[nodiscard]] std::span<const warp::Part> parts() const {
        return {to_, n_};
    }

private:
    warp::Part* to_;
    unsigned n_;
};

class WarpPool {
public:
    WarpPool(unsigned entries, unsigned width, unsigned rows)
        : stride_((width + 3) / 4 * 4 + 4), free_(entries), parts_(std::size_t{entries} * stride_), entries_(entries),
          lanes_of_row_(rows) {
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
        entries_[u] = {static_cast<std::uint16_t>(parts.size()), false};
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

    // Threads join a warp: they are put behind its parts. Each has a lane of its own, so that there is room.
    [[nodiscard]] PartList joining(UnitId u) {
        return PartList(begin(u), entries_[u].count);
    }
    void joined(UnitId u, const PartList& list) {
        entries_[u] = {static_cast<std::uint16_t>(list.parts().size()), true};
    }

    // Threads have joined: several parts may be of one row, until those are united.
    [[nodiscard]] bool is_joined(UnitId u) const {
        return entries_[u].joined;
    }
    // One part a row, in the order in which their first threads came. In two passes without branches: all lanes of each
    // row, then the rows as they come first.
    void unite_rows(UnitId u) {
        const std::span<warp::Part> parts(begin(u), entries_[u].count);
        LaneMask* const lanes_of_row = lanes_of_row_.data();
        for (const warp::Part& part : parts)
            lanes_of_row[part.row] |= part.lanes;
        PartList united(parts.data());
        for (const warp::Part& part : parts) {
            const RowId row = part.row;
            united.add(row, lanes_of_row[row]);
            lanes_of_row[row] = 0;
        }
        entries_[u] = {static_cast<std::uint16_t>(united.parts().size()), false};
    }

    [[nodiscard]] std::span<const warp::Part> parts(UnitId u) const {
        return {parts_.data() + std::size_t{u} * stride_, entries_[u].count};
    }

private:
    struct Entry {
        std::uint16_t count = 0; // parts
        bool joined = false;     // some may be of one row
    };

    [[nodiscard]] warp::Part* begin(UnitId u) {
        return parts_.data() + std::size_t{u} * stride_;
    }

    const unsigned
        stride_; // places of an entry; commonly an odd number of cache lines, which spreads entries over sets
    UnitSet free_;
    unsigned none_below_ = 0; // no free entry lies below
    unsigned in_use_ = 0;
    std::vector<warp::Part> parts_; // by entry
    std::vector<Entry> entries_;
    std::vector<LaneMask> lanes_of_row_; // while parts are united; else none
};

} // namespace heddle::formation
