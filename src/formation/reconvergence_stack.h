// The stack of stack reconvergence (LWM11 2.3), for the threads of a warp, a large warp or a block.
//
// Beside the stack stands what runs now: PC, reconvergence point, threads. A divergent branch pushes the join entry
// (the reconvergence point with all threads), then the side that runs second; reaching the reconvergence point pops. A
// reconvergence point is a PC at a call depth: else a recursive function would pop wrongly.
//
// Threads is a set of threads: a LaneMask, or a RowMasks for several rows.
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

struct Point { // where threads meet again; without initial values, so that arrays of them cost nothing
    Pc pc;     // kNoPc: nowhere before they exit
    std::uint16_t depth;
    bool operator==(const Point&) const = default;
};
inline constexpr Point kNoPoint{kNoPc, 0};

template <class Threads>
struct SideOf { // of a branch: who goes where
    Point at;
    Threads threads;
};

// Where the sides of a divergent instruction meet again, whose threads are at call depth `depth`.
[[nodiscard]] inline Point reconvergence_of(const warp::Flight& flight, std::uint16_t depth) {
    if (flight.outcome.diverges_at_return)
        return {flight.outcome.return_pc, static_cast<std::uint16_t>(depth - 1)};
    return {flight.op->reconvergence, depth};
}

template <class Threads>
class ReconvergenceStack {
public:
    struct Entry {
        Point at = kNoPoint;            // where its threads go on
        Point reconvergence = kNoPoint; // and until where
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
    // Whether the running threads have come to their reconvergence point.
    [[nodiscard]] bool at_join() const {
        return running.at == running.reconvergence;
    }
    // From the bottom up.
    [[nodiscard]] std::span<const Entry> waiting() const {
        return waiting_;
    }

    // The running threads part; `sides` has the taken one first. Two at least.
    void diverge(std::span<const SideOf<Threads>> sides, Point meet) {
        // A loop whose exit diverges again and again keeps its first join entry: the stack must not grow with the
        // trips.
        const bool joined = !waiting_.empty() && waiting_.back().at == meet && running.reconvergence == meet;
        if (meet.pc != kNoPc && !joined)
            waiting_.push_back({meet, running.reconvergence, running.threads});
        const Point until = meet.pc != kNoPc ? meet : running.reconvergence;
        bool found = false;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const SideOf<Threads>& side = sides[taken_first_ ? sides.size() - 1 - i : i]; // the last one runs first
            if (side.at == meet)
                continue; // waits in the join entry
            if (found)
                waiting_.push_back(running);
            running = {side.at, until, side.threads};
            found = true;
        }
    }

    // The running threads wait in an entry until others, which are to run now, and all that they leave are done.
    void put_off_running() {
        waiting_.push_back(running);
    }

    // Threads that exit leave every entry; empty entries go. True when others run now.
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

    // The running threads may have come to their reconvergence point: who goes on then? True when others do. Who is in
    // `waiting`, at a barrier or for the rest of their PTX warp, meets nobody before that is over.
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
    // keeps back (assumed; the papers are silent). Lets the uppermost run that wait for nobody themselves:
    //   a side      with all its threads, none of which is in `waiting`
    //   a join      with those that have come there already; the others meet without them
    // if may_go(where they stand, whether that is a join). False when there are none.
    template <class MayGo>
    bool give_way(const Threads& waiting, MayGo&& may_go) {
        Threads above = running.threads;
        for (std::size_t i = waiting_.size(); i-- > 0;) {
            Entry& entry = waiting_[i];
            if (entry.at == entry.reconvergence) // its threads are as good as in the join below
                continue;
            Entry ahead = entry;
            remove(ahead.threads, above);
            remove(ahead.threads, waiting);
            const bool join = overlap(entry.threads, above);
            const bool free = join ? !none(ahead.threads) : !overlap(entry.threads, waiting);
            if (!free || !may_go(ahead.at, join)) {
                above |= entry.threads;
                continue;
            }
            if (join)
                remove(entry.threads, ahead.threads);
            else
                erase(i);
            waiting_.push_back(std::exchange(running, ahead));
            way_given_ = true;
            return true;
        }
        return false;
    }

    // Counts instructions while the same entries wait. A store is headway, and so is the end of a wait; the pushes and
    // pops of an if inside a loop are not. True when there have been so many without headway that it may be a livelock:
    // SpinWatch tells.
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
    // The running threads' join when all of its threads have come there: once some have given way to others it need not
    // be the top. waiting_.size(): there is none.
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
    std::uint64_t spun_ = 0;     // instructions without headway
    std::size_t floor_ = 0;      // entries that have waited all that time
    bool way_given_ = false;     // some of those that wait have given way
    bool taken_first_;
    std::uint64_t spin_limit_;
};

// What such stacks of `rows` warps cost. LWM11 2.3 has the three fields of an entry, DWF07 Table 1 the bits of a PC. No
// paper says how deep a stack is: this is the most that it can need, for a nested divergence to two sides pushes two
// entries and leaves at least a thread less to diverge (to k sides: k entries, k - 1 threads).
[[nodiscard]] cost::HardwareCost cost_of_stacks(unsigned rows, unsigned width);

} // namespace heddle::formation
