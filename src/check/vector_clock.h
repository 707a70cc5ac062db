// Vector clocks of many threads: runs of threads with equal clocks.
//
// A thread's clock counts the times at which it has let others know what it did (a barrier, a fence, a release). An
// epoch is a thread and its clock. An access with epoch (t, c) happens before whatever a thread does that knows t's
// clock up to c or further. (FastTrack, Flanagan and Freund 2009; BARRACUDA, Eizenberg et al. 2017, compresses the
// clocks of a GPU's threads by warp and block. Runs do that too: threads that have met at a barrier have equal clocks.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::check {

// A thread of a launch: threads of block after block, in the order of their numbers. Numbers from the grid's threads on
// stand for the asynchronous copies of a thread (thread_clocks.h).
using ThreadId = std::uint32_t;
using Clock = std::uint32_t; // 0: nothing is known of a thread

class VectorClock {
public:
    VectorClock() = default;
    // Threads [begin, end) with one clock.
    VectorClock(ThreadId begin, ThreadId end, Clock clock);

    [[nodiscard]] Clock of(ThreadId thread) const;
    // The first thread of [begin, end), other than `except`, whose clock is below `clock`; nothing: there is none.
    [[nodiscard]] std::optional<ThreadId> first_below(ThreadId begin, ThreadId end, Clock clock, ThreadId except) const;
    // Whether no clock of `other` is larger.
    [[nodiscard]] bool includes(const VectorClock& other) const;
    // Each thread has the larger of both clocks.
    void join(const VectorClock& other);
    // Threads [begin, end) have at least this clock.
    void raise(ThreadId begin, ThreadId end, Clock clock);

    [[nodiscard]] bool empty() const {
        return runs_.empty();
    }
    [[nodiscard]] std::size_t runs() const { // for tests: what it takes to store
        return runs_.size();
    }

private:
    struct Run {
        ThreadId begin, end;
        Clock clock; // not 0
    };
    void add(ThreadId begin, ThreadId end, Clock clock); // behind all runs

    std::vector<Run> runs_; // by begin; disjoint, neighbours differ
};

// What many threads share and nobody changes; null: nothing is known.
using SharedClock = std::shared_ptr<const VectorClock>;

[[nodiscard]] SharedClock joined(const SharedClock& a, const SharedClock& b);

} // namespace heddle::check
