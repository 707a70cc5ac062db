// The stack of stack reconvergence (LWM11 2.3), for the threads of a warp, a large warp or a block.
//
// The running threads, with their PC and reconvergence point, are kept beside the stack. A divergent branch pushes the
// join entry (the reconvergence point with all threads), then the side that runs second. Reaching the reconvergence
// point pops an entry. A reconvergence point is a PC at a call depth: without the depth, a recursive function would pop
// wrongly.
//
// Threads is a set of threads: a LaneMask, or RowMasks for several rows.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "config/parameter.h"
#include "cost/hardware_cost.h"
#include "formation/row_masks.h"
#include "warp/flight.h"

namespace heddle::formation {

struct StackConfig {
    static constexpr std::string_view kSection = "stack";
    std::string first = "taken";
    std::uint64_t spin_limit = 4'000'000;
    static std::span<const config::Parameter<StackConfig>> parameters();
};

struct Point { // where threads meet again; no initial values, so that arrays cost nothing
    Pc pc;     // kNoPc: they do not meet before they exit
    std::uint16_t depth;
    bool operator==(const Point&) const = default;
};
inline constexpr Point kNoPoint{kNoPc, 0};

template <class Threads>
struct SideOf { // the threads that go to one target of a branch
    Point at;
    Threads threads;
};

// The point where the sides of a divergent instruction meet again; its threads are at call depth `depth`.
[[nodiscard]] inline Point reconvergence_of(const warp::Flight& flight, std::uint16_t depth) {
    if (flight.outcome.diverges_at_return)
        return {flight.outcome.return_pc, static_cast<std::uint16_t>(depth - 1)};
    return {flight.op->reconvergence, depth};
}

template <class Threads>
class ReconvergenceStack {
public:
    struct Entry {
        Point at = kNoPoint;            // where the threads continue
        Point reconvergence = kNoPoint; // where they meet others
        Threads threads{};
    };

    explicit ReconvergenceStack(const StackConfig& config = {})
        : taken_first_(config.first == "taken"),
          spin_limit_(config.spin_limit == 0 ? ~std::uint64_t{0} : config.spin_limit) {
        waiting_.reserve(kUsualDepth);
    }

    Entry running;

    void start(Pc entry, const Threads& threads) {
        running = {{entry, 0}, kNoPoint, threads};
        waiting_.clear();
        spun_ = 0;
        floor_ = 0;
        way_given_ = false;
    }
    [[nodiscard]] bool empty() const {
        return waiting_.empty();
    }
    // Whether the running threads are at their reconvergence point.
    [[nodiscard]] bool at_join() const {
        return running.at == running.reconvergence;
    }
    // From bottom to top.
    [[nodiscard]] std::span<const Entry> waiting() const {
        return waiting_;
    }

    // The running threads diverge to at least two `sides`, the taken one first.
    void diverge(std::span<const SideOf<Threads>> sides, Point meet) {
        // A loop whose exit diverges again and again keeps its first join entry: the stack must not grow with the
        // number of iterations.
        const bool joined = !waiting_.empty() && waiting_.back().at == meet && running.reconvergence == meet;
        if (meet.pc != kNoPc && !joined)
            waiting_.push_back({meet, running.reconvergence, running.threads});
        const Point until = meet.pc != kNoPc ? meet : running.reconvergence;
        bool found = false;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const SideOf<Threads>& side = sides[taken_first_ ? sides.size() - 1 - i : i]; // the last one runs first
            if (side.at == meet)
                continue; // these threads wait in the join entry
            if (found)
                waiting_.push_back(running);
            running = {side.at, until, side.threads};
            found = true;
        }
    }

    // The running threads wait in an entry until the threads that are to run now, and their entries, are done.
    void put_off_running() {
        waiting_.push_back(running);
    }

    // Removes threads that exit from every entry, and empty entries. True when the running threads change.
    bool leave(const Threads& gone) {
        for (Entry& e : waiting_)
            remove(e.threads, gone);
        std::erase_if(waiting_, [](const Entry& e) { return none(e.threads); });
        remove(running.threads, gone);
        if (!none(running.threads) || waiting_.empty())
            return false;
        pop();
        return true;
    }

    // The running threads may be at their reconvergence point. True when the running threads change. Threads in
    // `waiting`, at a barrier or for the rest of their PTX warp, do not meet others before their wait ends.
    bool reconverge(const Threads& waiting) {
        bool popped = false;
        while (!waiting_.empty() && at_join() && !overlap(running.threads, waiting)) {
            const std::size_t join = way_given_ ? complete_join() : waiting_.size();
            if (join == waiting_.size()) {
                pop();
            } else {
                running = waiting_[join];
                erase(join);
            }
            popped = true;
        }
        return popped;
    }

    // The running threads wait at a barrier, or for the rest of their PTX warp, and may wait for threads that the stack
    // keeps back (assumed; the papers are silent). Then the uppermost threads run that do not wait themselves:
    //   a side      with its threads that are not in `waiting`: the others were in a group with threads that still wait
    //   a join      with the threads that are already there; the others meet without them
    // if may_go(their point, whether it is a join). False when there are none.
    template <class MayGo>
    bool give_way(const Threads& waiting, MayGo&& may_go) {
        Threads above = running.threads;
        for (std::size_t i = waiting_.size(); i-- > 0;) {
            Entry& entry = waiting_[i];
            if (entry.at == entry.reconvergence) // its threads are equivalent to those of the join below
                continue;
            Entry ahead = entry;
            remove(ahead.threads, above);
            remove(ahead.threads, waiting);
            if (none(ahead.threads) || !may_go(ahead.at, overlap(entry.threads, above))) {
                above |= entry.threads;
                continue;
            }
            remove(entry.threads, ahead.threads);
            if (none(entry.threads))
                erase(i);
            waiting_.push_back(std::exchange(running, ahead));
            way_given_ = true;
            return true;
        }
        return false;
    }

    // Some running threads wait, for others than the rest does: the rest goes on without them. False: all of them wait.
    bool go_ahead(const Threads& waiting) {
        Entry ahead = running;
        remove(ahead.threads, waiting);
        if (none(ahead.threads))
            return false;
        remove(running.threads, ahead.threads);
        waiting_.push_back(std::exchange(running, ahead));
        way_given_ = true;
        return true;
    }

    // Counts instructions while the set of waiting entries is unchanged. A store is progress, and so is the end of a
    // wait; the pushes and pops of an if inside a loop are not. True when so many instructions had no progress that it
    // may be a livelock, which SpinWatch decides.
    [[nodiscard]] bool spins(bool store) {
        if (waiting_.empty()) {
            floor_ = 0;
            return false;
        }
        if (store || waiting_.size() < floor_ || floor_ == 0) {
            spun_ = 0;
            floor_ = waiting_.size();
            return false;
        }
        return ++spun_ >= spin_limit_;
    }
    [[nodiscard]] std::uint64_t spun() const {
        return spun_;
    }

private:
    static constexpr std::size_t kUsualDepth = 64;

    void pop() {
        running = waiting_.back();
        waiting_.pop_back();
        way_given_ &= !waiting_.empty();
    }
    void erase(std::size_t i) {
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // The running threads' join, when all of its threads are there. It need not be the top when some threads have given
    // way to others. waiting_.size(): there is none.
    [[nodiscard]] std::size_t complete_join() const {
        for (std::size_t i = waiting_.size(); i-- > 0;) {
            const Entry& join = waiting_[i];
            if (join.at != running.reconvergence || !overlap(join.threads, running.threads))
                continue;
            const bool complete = std::none_of(waiting_.begin() + static_cast<std::ptrdiff_t>(i) + 1, waiting_.end(),
                                               [&](const Entry& e) { return overlap(e.threads, join.threads); });
            return complete ? i : waiting_.size();
        }
        return waiting_.size();
    }

    std::vector<Entry> waiting_; // the top is at the back
    std::uint64_t spun_ = 0;     // instructions without progress
    std::size_t floor_ = 0;      // entries that have waited for all of these instructions
    bool way_given_ = false;     // some waiting threads have given way
    bool taken_first_;
    std::uint64_t spin_limit_;
};

// The cost of such stacks of `rows` warps. LWM11 2.3 has the three fields of an entry, DWF07 Table 1 the bits of a PC.
// The papers do not give the depth of a stack. Here it is the largest possible one: a nested divergence to two sides
// pushes two entries and leaves at least one thread less to diverge (to k sides: k entries, k - 1 threads).
[[nodiscard]] cost::HardwareCost cost_of_stacks(unsigned rows, unsigned width);

} // namespace heddle::formation
