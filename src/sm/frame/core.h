// The core contract: the interface of one SM to the rest of the device.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/registry.h"
#include "base/types.h"
#include "config/parameter.h"
#include "exec/executor.h"
#include "formation/formation.h"
#include "probe/miss_intervals.h"
#include "probe/slot.h"
#include "probe/sm_profile.h"
#include "probe/timeline.h"
#include "sm/frame/memory_port.h"
#include "stats/tree.h"

namespace heddle::sm {

// Counters of every core model.
struct CoreStats {
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;   // issue slots with an instruction
    std::uint64_t thread_instructions = 0; // threads whose guard was true
    std::uint64_t conditional_branches = 0;
    std::uint64_t non_loop_branches = 0;
    std::uint64_t divergent_branches = 0;
    std::uint64_t barriers = 0;        // releases
    std::uint64_t blocks = 0;          // blocks that have ended
    std::uint64_t warp_cycles = 0;     // resident warps, summed over the cycles; a core without time counts none
    std::uint64_t occupied_cycles = 0; // cycles with a resident warp
    probe::SlotCounts slots{};
    stats::Histogram active_lanes = stats::Histogram(kMaxWidth + 1); // cycles by lanes of the executed issue slot
    CoreStats& operator+=(const CoreStats& other);
    static std::span<const stats::Statistic<CoreStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

using ThreadsByPlace = std::map<Pc, std::uint64_t>;

class Core {
public:
    Core() = default;
    virtual ~Core() = default;
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    // The reason why the core cannot run the launch although its blocks fit; empty when it can.
    [[nodiscard]] virtual std::string refusal(const exec::Launch& launch) const = 0;
    // `first`: another SM of the device, of the same model. It begins each launch before this one, and shares what it
    // has derived from the kernel.
    virtual void share_with(Core& /*first*/) {}
    virtual void begin(const exec::Launch& launch, Cycle now) = 0;
    // Whether one more block of the launch fits now.
    [[nodiscard]] virtual bool can_accept() const = 0;
    // The number of blocks of the launch that fit now.
    [[nodiscard]] virtual unsigned room() const = 0;
    // Block `ctaid` (linear index `global_id`) becomes resident; its threads can be fetched from cycle `now` on.
    virtual void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) = 0;
    // Whether blocks are left in the thread-block scheduler.
    virtual void set_blocks_left(bool left) = 0;
    // A thread on another SM has completed the barrier of the cluster of a block; its threads go on from cycle `now`
    // on.
    virtual void cluster_met(unsigned slot, Cycle now) = 0;
    // Throws exec::Fault: no thread of the device can go on. The message has the threads of this SM that wait.
    virtual void report_deadlock(Cycle now) = 0;
    // Adds the threads of the SM, which has blocks, by the instruction at which they stand. Threads that wait for
    // others of their warp at a reconvergence point are not counted. A core may leave it out: a launch that is stopped
    // then names no places.
    virtual void count_threads(ThreadsByPlace& /*at*/) const {}
    // Simulates up to cycle until - 1; returns early when a block has ended. The core slept between the end of the last
    // call and `now`. Returns the first cycle that has not been simulated. Throws exec::Fault.
    virtual Cycle run(Cycle now, Cycle until) = 0;
    // The first cycle in which the core has work, without new input. kNever: none.
    [[nodiscard]] virtual Cycle wake() const = 0;
    // The first cycle that has not been simulated; after a fault, the cycle of the fault.
    [[nodiscard]] virtual Cycle now() const = 0;
    // Counts a sleep that lasts up to `now`.
    virtual void catch_up(Cycle now) = 0;
    // Records events of the core in a timeline from now on (docs/timeline.md). The timeline has the core's shape() and
    // outlives the core. A core without time records nothing.
    virtual void record(probe::Timeline& timeline) = 0;
    // Counts by instruction in a profile from now on (docs/profile.md); it outlives the core.
    virtual void count_in(probe::SmProfile& profile, const config::Machine& machine) = 0;
    [[nodiscard]] virtual probe::SmShape shape() const = 0;
    // Global ids of the core's blocks in the order of its scheduler; empty if the scheduler has no such order.
    [[nodiscard]] virtual std::vector<std::uint64_t> block_order() const = 0;
    // At the end of a kernel: empties the data cache where the machine does so.
    virtual void end_kernel(Cycle now) = 0;
    // The core's divergent accesses over time; null for a core without them.
    [[nodiscard]] virtual const probe::MissIntervals* miss_intervals() const {
        return nullptr;
    }
    // The core's port to memory; null for a core without time.
    [[nodiscard]] virtual MemoryPort* port() = 0;
    // The most instructions that the core issues in a cycle.
    [[nodiscard]] virtual unsigned issue_slots() const {
        return 1;
    }
    [[nodiscard]] virtual unsigned resident_blocks() const = 0;
    [[nodiscard]] virtual exec::Executor& executor() = 0;
    [[nodiscard]] virtual CoreStats& stats() = 0;
    // Adds the core's sections to the tree, which must not outlive the core. Each section is the sum over the SMs.
    virtual void add_statistics(stats::Tree& tree) = 0;
};

// Writes one line of a core's trace, passed without the end of line.
using TraceSink = std::function<void(std::string_view)>;

// Core models by name. The file of a model ends with HEDDLE_CORE(Class, "name", "meaning", "source"). Its constructor
// takes these arguments (`sm`: the SM's number); its static function `objection` rejects formations that it cannot run.
using Cores =
    Registry<Core, const config::Machine&, unsigned /*sm*/, exec::MemoryImage&, const ir::Program&, const TraceSink&>;
[[nodiscard]] Cores& cores();

// The reason why the model cannot run a formation; empty when it can. Used when a machine is read.
using Objection = std::string (*)(const formation::Formation&);
[[nodiscard]] std::string core_objection(std::string_view model, const formation::Formation& how);

struct CoreRegistrar {
    CoreRegistrar(Cores::Entry entry, Objection objection);
};

#define HEDDLE_CORE(Class, ...)                                                                                        \
    const ::heddle::sm::CoreRegistrar heddle_registered_##Class(::heddle::sm::Cores::entry<Class>(__VA_ARGS__),        \
                                                                &Class::objection)

} // namespace heddle::sm
