// Divergent branches of one SM whose threads have not met again (docs/profile.md, "apart").
//
// A thread has met the others when it executes the instruction at the branch's reconvergence point; this definition
// holds for every formation. The calls between branch and reconvergence point are not followed: where a function calls
// itself, the first time counts. A thread that exits before has met the others when it exits.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::probe {

class Divergences {
public:
    // Ends the launch: what is open is forgotten.
    void clear();
    // Threads of one branch at `branch` diverge at `now`; each row of them is added with add(), before the next
    // begin().
    void begin(Pc branch, Pc meet, Cycle now);
    void add(RowId row, LaneMask lanes);
    // Threads of a row execute the instruction at `pc`, or exit (kNoPc). Calls f(branch, cycles) for each divergence
    // whose last threads these are, and met(pc) for each row of a divergence that waits no longer for `pc`.
    template <class Ended, class Met>
    void arrive(Pc pc, RowId row, LaneMask lanes, Cycle now, Ended&& ended, Met&& met) {
        if (row >= of_row_.size())
            return;
        std::vector<Apart>& rows = of_row_[row];
        std::size_t kept = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Apart apart = rows[i];
            if (pc == kNoPc || apart.meet == pc)
                apart.lanes &= ~lanes;
            if (apart.lanes != 0) {
                rows[kept++] = apart;
                continue;
            }
            met(apart.meet);
            Divergence& of = divergences_[apart.divergence];
            if (--of.rows == 0) {
                ended(of.branch, now - of.since);
                free_.push_back(apart.divergence);
            }
        }
        rows.resize(kept);
    }

private:
    struct Divergence {
        Pc branch = kNoPc;
        Cycle since = 0;
        std::uint32_t rows = 0; // that are apart
    };
    struct Apart { // threads of a row that have not met the others
        Pc meet = kNoPc;
        std::uint32_t divergence = 0;
        LaneMask lanes = 0;
    };

    std::vector<Divergence> divergences_;
    std::vector<std::uint32_t> free_;
    std::vector<std::vector<Apart>> of_row_;
    Apart next_; // of the divergence that was begun last
};

} // namespace heddle::probe
