// The core contract: one SM as the rest of the device sees it.
#pragma once

#include <functional>
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
#include "probe/timeline.h"
#include "sm/frame/memory_port.h"
#include "stats/tree.h"

namespace heddle::sm {

// Counted by every core model.
struct CoreStats {
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;   // issue slots that carried an instruction
    std::uint64_t thread_instructions = 0; // threads whose guard was true
    std::uint64_t conditional_branches = 0;
    std::uint64_t non_loop_branches = 0;
    std::uint64_t divergent_branches = 0;
    std::uint64_t barriers = 0; // releases
    std::uint64_t blocks = 0;   // that ran to their end
    probe::SlotCounts slots{};
    stats::Histogram active_lanes = stats::Histogram(kMaxWidth + 1); // cycles by lanes of the slot that executed
    CoreStats& operator+=(const CoreStats& other);
    static std::span<const stats::Statistic<CoreStats>> statistics();
};

class Core {
public:
    Core() = default;
    virtual ~Core() = default;
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    // Why it cannot run the launch although its blocks fit; empty when it can.
    [[nodiscard]] virtual std::string refusal(const exec::Launch& launch) const = 0;
    // Another SM of the device, of the same model: it begins each launch first, and what it works out of the kernel
    // serves this one too.
    virtual void share_with(Core& /*first*/) {}
    virtual void begin(const exec::Launch& launch, Cycle now) = 0;
    // Whether one more block of the launch fits now.
    [[nodiscard]] virtual bool can_accept() const = 0;
    // Block `ctaid` (linear index `global_id`) becomes resident; its threads can be fetched from cycle `now` on.
    virtual void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) = 0;
    // Whether blocks are left in the thread-block scheduler.
    virtual void set_blocks_left(bool left) = 0;
    // Simulates up to cycle until - 1; returns early when a block has ended. What lies between the end of the last call
    // and `now` was slept through. The answer is the first cycle that has not been simulated. Throws exec::Fault.
    virtual Cycle run(Cycle now, Cycle until) = 0;
    // The first cycle in which the core has something to do, unless something new comes to it. kNever: it has not.
    [[nodiscard]] virtual Cycle wake() const = 0;
    // The first cycle that has not been simulated; after a fault, the fault's.
    [[nodiscard]] virtual Cycle now() const = 0;
    // Counts a sleep that lasts up to `now`.
    virtual void catch_up(Cycle now) = 0;
    // Tells a timeline of such a shape, which outlives it, what happens from now on (docs/timeline.md). A core that
    // knows no time tells nothing.
    virtual void record(probe::Timeline& timeline) = 0;
    [[nodiscard]] virtual probe::SmShape shape() const = 0;
    // Global ids of its blocks in the order of its scheduler, if that has one.
    [[nodiscard]] virtual std::vector<std::uint64_t> block_order() const = 0;
    // Empties the data cache where the machine wants that at the end of a kernel.
    virtual void end_kernel(Cycle now) = 0;
    // Its divergent accesses over time; null for a core that does not look at them.
    [[nodiscard]] virtual const probe::MissIntervals* miss_intervals() const {
        return nullptr;
    }
    // The core's way to memory; null for a core that knows no time.
    [[nodiscard]] virtual MemoryPort* port() = 0;
    // Instructions that it may issue a cycle.
    [[nodiscard]] virtual unsigned issue_slots() const {
        return 1;
    }
    [[nodiscard]] virtual unsigned resident_blocks() const = 0;
    [[nodiscard]] virtual exec::Executor& executor() = 0;
    [[nodiscard]] virtual CoreStats& stats() = 0;
    // Adds the core's sections to the tree, which must not outlive it; they are the sums over the SMs.
    virtual void add_statistics(stats::Tree& tree) = 0;
};

// Where a core writes its trace: one line a call, without the end of line.
using TraceSink = std::function<void(std::string_view)>;

// Core models by name. The file of one ends with HEDDLE_CORE(Class, "name", "meaning", "source"); its constructor takes
// these arguments, `sm` the SM's number, and a static function `objection` says which formations it cannot run.
using Cores =
    Registry<Core, const config::Machine&, unsigned /*sm*/, exec::MemoryImage&, const ir::Program&, const TraceSink&>;
[[nodiscard]] Cores& cores();

// Why the model cannot run a formation; empty when it can. Asked when a machine is read.
using Objection = std::string (*)(const formation::Formation&);
[[nodiscard]] std::string core_objection(std::string_view model, const formation::Formation& how);

struct CoreRegistrar {
    CoreRegistrar(Cores::Entry entry, Objection objection);
};

#define HEDDLE_CORE(Class, ...)                                                                                        \
    const ::heddle::sm::CoreRegistrar heddle_registered_##Class(::heddle::sm::Cores::entry<Class>(__VA_ARGS__),        \
                                                                &Class::objection)

} // namespace heddle::sm
