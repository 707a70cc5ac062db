#include "sm/frame/core.h"

#include <map>
#include <utility>

#include "config/choices.h"

namespace heddle::sm {

CoreStats& CoreStats::operator+=(const CoreStats& other) {
    cycles += other.cycles;
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    conditional_branches += other.conditional_branches;
    non_loop_branches += other.non_loop_branches;
    divergent_branches += other.divergent_branches;
    barriers += other.barriers;
    blocks += other.blocks;
    warp_cycles += other.warp_cycles;
    occupied_cycles += other.occupied_cycles;
    for (std::size_t i = 0; i < slots.size(); ++i)
        slots[i] += other.slots[i];
    for (std::size_t i = 0; i < active_lanes.size(); ++i)
        active_lanes[i] += other.active_lanes[i];
    return *this;
}

std::span<const stats::Statistic<CoreStats>> CoreStats::statistics() {
    using S = CoreStats;
    static const stats::Statistic<S> table[] = {
        {"cycles", &S::cycles, "cycles", "simulated cycles, summed over the SMs"},
        {"warp_instructions", &S::warp_instructions, "instructions", "issue slots with an instruction"},
        {"thread_instructions", &S::thread_instructions, "instructions",
         "threads whose guard was true, summed over the instructions"},
        {"conditional_branches", &S::conditional_branches, "instructions",
         "issue slots with a conditional branch; under mimd, threads with one"},
        {"non_loop_branches", &S::non_loop_branches, "instructions",
         "conditional branches that do not delimit iterations of a loop"},
        {"divergent_branches", &S::divergent_branches, "instructions",
         "conditional branches whose threads went both ways"},
        {"barriers", &S::barriers, "releases", "barriers completed"},
        {"blocks", &S::blocks, "blocks", "thread blocks completed"},
        {"warp_cycles", &S::warp_cycles, "cycles",
         "resident warps, those with threads that have not ended, summed over the cycles of the SMs"},
        {"occupied_cycles", &S::occupied_cycles, "cycles", "cycles in which an SM had a resident warp, over the SMs"},
        {"active_lanes", &S::active_lanes, "slots", "issue slots, by the number of active lanes"},
    };
    return table;
}

std::span<const stats::Formula> CoreStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_warps", "warp_cycles", "occupied_cycles", "resident warps of an SM while it had any"},
    };
    return table;
}

Cores& cores() {
    return config::choices<Cores>("core model");
}

namespace {

using Objections = std::map<std::string, Objection, std::less<>>;

Objections& objections() {
    static Objections all;
    return all;
}

} // namespace

CoreRegistrar::CoreRegistrar(Cores::Entry entry, Objection objection) {
    objections().emplace(entry.name, objection);
    cores().add(std::move(entry));
}

std::string core_objection(std::string_view model, const formation::Formation& how) {
    const auto found = objections().find(model);
    return found == objections().end() ? std::string() : found->second(how);
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::CoreStats, "core", "instructions and cycles of the cores")
