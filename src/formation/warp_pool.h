// The warp pool and its allocator (DWF07 4.2, Figure 11c): the threads of each warp, as parts of home rows.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/unit_set.h"
#include "warp/group.h"

namespace heddle::formation {

// Copies `n` parts, rounded up to a multiple of four: both arrays have room for that.
inline void copy_parts(const warp::Part* from, unsigned n, warp::Part* to) {
    constexpr unsigned kBlock = 4;
    for (unsigned p = 0; p < n; p += kBlock)
        std::memcpy(to + p, from + p, kBlock * sizeof(warp::Part));
}

// Adds parts to an array, which has a spare place. Parts without lanes are left out, without a branch: it could not be
// predicted, and the lists are short.
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
    // get the older warps first. `parts`: as for copy_parts().
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

    // For threads that join a warp: adds their parts behind its parts. Each thread has a lane, so there is room.
    [[nodiscard]] PartList joining(UnitId u) {
        return PartList(begin(u), entries_[u].count);
    }
    void joined(UnitId u, const PartList& list) {
        entries_[u] = {static_cast<std::uint16_t>(list.parts().size()), true};
    }

    // Whether threads have joined: then several parts may be of one row, until unite_rows().
    [[nodiscard]] bool is_joined(UnitId u) const {
        return entries_[u].joined;
    }
    // Leaves one part for each row, in the order of their first threads. In two passes without branches: all lanes of
    // each row, then the rows in order.
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
        bool joined = false;     // several parts may be of one row
    };

    [[nodiscard]] warp::Part* begin(UnitId u) {
        return parts_.data() + std::size_t{u} * stride_;
    }

    const unsigned stride_; // places of an entry; usually an odd number of cache lines, which spreads entries over sets
    UnitSet free_;
    unsigned none_below_ = 0; // all entries below are in use
    unsigned in_use_ = 0;
    std::vector<warp::Part> parts_; // by entry
    std::vector<Entry> entries_;
    std::vector<LaneMask> lanes_of_row_; // lanes of each row in unite_rows(); else 0
};

} // namespace heddle::formation
