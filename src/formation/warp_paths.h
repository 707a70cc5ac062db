// The paths of a warp whose code has convergence barriers (BSSY, BSYNC), and the barriers.
//
// A path is a set of threads with one PC. One path runs until it waits, exits or has gone round loops for long while
// others could run (Abaie Shoushtary et al., arXiv 2407.02944: a path is not left because of memory). No ready path
// waits for ever. What else the literature leaves open is a PathOrder.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.h"

namespace heddle::formation {

struct PathOrder {
    bool taken_first = false;  // at a branch
    bool oldest_first = false; // of the paths that can run the one that became ready first; else last
    std::uint64_t rounds = 64; // backward branches, with other paths ready, before another runs; 0: no path is left
};

class WarpPaths {
public:
    static constexpr unsigned kBarriers = 16;
    struct Path {
        Pc pc = kNoPc;
        LaneMask lanes = 0;
    };

    explicit WarpPaths(const PathOrder& order = {}) : order_(order) {}

    void start(Pc entry, LaneMask lanes);

    // The path that runs; no lanes: every thread waits, or none is left.
    [[nodiscard]] Pc pc() const {
        return running_.pc;
    }
    [[nodiscard]] LaneMask running() const {
        return running_.lanes;
    }
    [[nodiscard]] LaneMask live() const {
        return live_;
    }

    // The instruction of the running path is done:
    void next() {
        ++running_.pc;
    }
    void branch(LaneMask taken, Pc target);
    // A return: the threads go on at several places.
    void go_on(std::span<const Path> paths);
    void set(unsigned barrier); // BSSY: the threads take part in it
    // BSYNC: the threads wait until all that take part in their setting of the barrier wait for it or have exited.
    // Threads that take part in none go on.
    void wait(unsigned barrier);
    // YIELD: the threads may wait for what others do. A barrier no longer waits for those that yield when all others
    // that take part in it wait there (patent US 10,067,768).
    void yield();
    void exit(LaneMask lanes);    // the others go on
    void suspend(LaneMask lanes); // wait for something else until resume(); the others go on
    // As suspend(): they wait for others of the warp. Where no path can run, a barrier whose other threads all wait in
    // this way does not wait for them.
    void meet(LaneMask lanes);
    void resume(LaneMask lanes);

private:
    struct Setting { // threads that set a barrier together
        LaneMask members = 0, arrived = 0;
        Pc behind = kNoPc; // BSYNC
    };
    void release_complete(std::vector<Setting>& settings);
    // No barrier waits any longer for these threads alone.
    void release_without(LaneMask absent);
    void choose();
    void go_round(); // the running path has branched backward

    PathOrder order_;
    Path running_;
    LaneMask live_ = 0;
    std::uint64_t rounds_ = 0;    // since a path was ready and others ran
    std::vector<Path> ready_;     // in the order in which they became so
    std::vector<Path> suspended_; // at the PC where they go on
    LaneMask meeting_ = 0;        // of them, those that wait for others of the warp
    std::array<std::vector<Setting>, kBarriers> barriers_;
    bool yields_ = false;  // the running path has since it was chosen
    LaneMask yielded_ = 0; // threads of ready paths that had when another path took the warp from them
};

} // namespace heddle::formation
