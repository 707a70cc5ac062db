#include "sm/load_store/data_stats.h"

namespace heddle::sm {

std::span<const stats::Statistic<DataStats>> DataStats::statistics() {
    using S = DataStats;
    static const stats::Statistic<S> table[] = {
        {"loads", &S::loads, "instructions", "loads that went to a cache"},
        {"stores", &S::stores, "instructions", "stores that went to the data cache"},
        {"atomics", &S::atomics, "instructions", "atomic operations on global memory"},
        {"fences", &S::fences, "instructions", "fences of device or system scope"},
        {"lines", &S::lines, "accesses", "lines touched, each a port slot"},
        {"transactions", &S::transactions, "instructions", "instructions that went to a cache, by lines they touched"},
        {"stores_sent", &S::stores_sent, "lines", "stores sent on to memory that no instruction waits for"},
        {"port_conflicts", &S::port_conflicts, "cycles", "cycles in which a store waited for a fill on the write port"},
        {"bank_conflicts", &S::bank_conflicts, "cycles", "cycles for further words of one bank of a banked data cache"},
        {"put_aside", &S::put_aside, "instructions",
         "instructions that waited for memory; threads of a bundle by themselves"},
        {"wait_cycles", &S::wait_cycles, "cycles", "sum over them, from the memory stage to the last line"},
        {"shared_accesses", &S::shared_accesses, "instructions", "accesses to shared memory"},
        {"shared_cycles", &S::shared_cycles, "cycles", "cycles they took in the memory stage"},
        {"private_accesses", &S::private_accesses, "instructions", "accesses to private memory"},
        {"private_cycles", &S::private_cycles, "cycles", "cycles they took in the memory stage"},
        {"spilled_accesses", &S::spilled_accesses, "threads",
         "accesses to .local beyond private memory, through the data cache"},
    };
    return table;
}

std::span<const stats::Formula> DataStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_wait", "wait_cycles", "put_aside", "cycles an instruction waited for its lines"},
        {"mean_lines", "lines", "loads+stores+atomics", "lines an instruction touched"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(
    heddle::sm::DataStats, "data",
    "memory stage: accesses, ports, on-chip memories; a bundle of threads is an instruction of each kind in it")
