// The next PCs of threads that wait in no unit, for dynamic warp formation. They are kept for each thread, since
// threads of a row may wait at several places; mostly they wait at one place, which is kept once.
#pragma once

#include <bit>
#include <vector>

#include "base/types.h"
#include "warp/group.h"

namespace heddle::formation {

class WaitingThreads {
public:
    struct Next {
        Pc pc = kNoPc;
        std::uint32_t passed = 0; // post-dominators
        bool operator==(const Next&) const = default;
    };

    WaitingThreads(unsigned rows, unsigned width) : width_(width), rows_(rows), each_(std::size_t{rows} * width) {}

    // No thread of the row waits.
    void clear(RowId row) {
        rows_[row].lanes = 0;
    }
    void wait(const warp::Part& part, const Next& next) {
        Row& row = rows_[part.row];
        if (row.lanes == 0)
            row.next = next;
        if (row.next == next) {
            row.lanes |= part.lanes;
            return;
        }
        row.lanes &= ~part.lanes;
        for (LaneMask left = part.lanes; left != 0; left &= left - 1)
            own(part.row, left) = next;
    }
    // True when all threads of the part continue at `next`. False: they may differ, see first_goes_on().
    [[nodiscard]] bool go_on_alike(const warp::Part& part, Next& next) {
        Row& row = rows_[part.row];
        if ((part.lanes & ~row.lanes) != 0)
            return false;
        next = row.next;
        row.lanes &= ~part.lanes;
        return true;
    }
    // The place where the first thread of `lanes` continues.
    [[nodiscard]] Next first_goes_on(RowId row, LaneMask lanes) {
        Next next;
        return go_on_alike({row, lanes & (~lanes + 1)}, next) ? next : own(row, lanes);
    }

private:
    struct Row {
        LaneMask lanes = 0; // threads that continue at `next`; the others have entries of each_
        Next next;
    };

    [[nodiscard]] Next& own(RowId row, LaneMask first_of) {
        return each_[std::size_t{row} * width_ + static_cast<unsigned>(std::countr_zero(first_of))];
    }

    const unsigned width_;
    std::vector<Row> rows_;
    std::vector<Next> each_; // by thread
};

} // namespace heddle::formation
