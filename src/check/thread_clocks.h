// What the threads of a launch know of each other: the order between their accesses that barriers, synchronising
// operations of warps, fences, atomic and volatile accesses, and waits for asynchronous copies make.
//
// Rules (PTX ISA, "Memory Consistency Model"), with what is more lenient there:
//   - Threads that meet (a barrier of a block or a cluster, the members of a *.sync operation) know afterwards what
//   each
//     of them knew and did before.
//   - A release, or a strong access behind a fence of sufficient scope, publishes what its thread knew at the release
//     or the fence. What threads have fenced before a barrier counts as fenced by all who met there.
//   - A strong read of what was published knows it at once, with or without a fence behind the read.
//   - The bytes that cp.async writes belong to a second thread beside the one that copies, which that one knows up to
//     the groups that it has waited for.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/vector_clock.h"

namespace heddle::check {

enum class Scope : std::uint8_t { Block, Device };

// Threads that meet: what they know together.
class Meeting {
public:
    [[nodiscard]] bool empty() const {
        return empty_;
    }

private:
    friend class ThreadClocks;
    VectorClock known_, fenced_block_, fenced_device_;
    SharedClock last_known_, last_fenced_block_, last_fenced_device_; // joined already: most threads share them
    Clock highest_ = 0;
    bool empty_ = true;
};

// One access, as seen by those who look whether it is ordered with others.
struct Accessor {
    ThreadId id = 0;     // the thread, or its copies
    ThreadId thread = 0; // the thread
    Clock clock = 0;
    const VectorClock* known = nullptr; // null: nothing

    [[nodiscard]] bool knows(ThreadId other, Clock clock_then) const {
        return other == id || other == thread || (known != nullptr && known->of(other) >= clock_then);
    }
};

class ThreadClocks {
public:
    // A launch begins with so many threads: none knows of another one.
    void begin(ThreadId threads, std::uint32_t threads_of_block);
    void start_block(std::uint32_t block);
    void end_block(std::uint32_t block); // all its threads have exited

    [[nodiscard]] Accessor accessor(ThreadId thread);
    // Of the bytes that the thread's asynchronous copies write.
    [[nodiscard]] Accessor copies_of(ThreadId thread);
    [[nodiscard]] ThreadId copies(ThreadId thread) const {
        return threads_ + thread;
    }
    [[nodiscard]] ThreadId owner(ThreadId id) const { // the thread behind an Accessor's id
        return id >= threads_ ? id - threads_ : id;
    }

    // The thread comes to a meeting. One that does not wait for it (bar.arrive) is done with it.
    void arrive(Meeting& meeting, ThreadId thread, bool waits);
    // Those that have waited go on; in ascending order.
    void meet(Meeting& meeting, std::span<const ThreadId> waiting);
    // They know what a meeting knew when it was complete.
    void learn(const SharedClock& known, ThreadId thread);
    [[nodiscard]] static SharedClock known_to(Meeting& meeting);

    void fence(ThreadId thread, Scope scope);
    // A strong access to a location. `location`: any number that differs between locations.
    void acquire(ThreadId thread, std::uint64_t location);
    struct Release {
        Scope scope;
        bool fenced;   // by itself: .release or .acq_rel
        bool replaces; // a store; an atomic operation adds to what was published there
    };
    void release(ThreadId thread, std::uint64_t location, const Release& how);

    void close_group(ThreadId thread);
    // Waits until at most `pending` groups are on their way; `all`: also copies of no group yet.
    void wait_for_copies(ThreadId thread, std::uint64_t pending, bool all);

private:
    struct Snapshot { // what a thread knew, itself up to `own` (0: nothing of itself)
        SharedClock known;
        Clock own = 0;
        [[nodiscard]] bool empty() const {
            return known == nullptr && own == 0;
        }
    };
    struct Thread {
        Clock own = 1;
        Clock group = 1; // of asynchronous copies, the open one
        SharedClock known;
        Snapshot fenced_block, fenced_device;
    };
    struct Variable { // what was published at a location
        SharedClock device, of_block;
        std::uint32_t block = 0; // whose threads see `of_block`
    };

    Thread& thread(ThreadId id);
    [[nodiscard]] static SharedClock with_own(const Snapshot& snapshot, ThreadId thread);
    static void join(VectorClock& into, SharedClock& last, const Snapshot& what, ThreadId thread);

    ThreadId threads_ = 0;
    std::uint32_t threads_of_block_ = 1;
    std::unordered_map<std::uint32_t, std::vector<Thread>> blocks_;
    std::uint32_t last_block_ = UINT32_MAX; // looked up last
    std::vector<Thread>* last_ = nullptr;
    std::unordered_map<std::uint64_t, Variable> variables_;
};

} // namespace heddle::check
