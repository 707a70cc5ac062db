#include "sm/load_store/data_stats.h"

namespace heddle::sm {

std::span<const stats::Statistic<DataStats>> DataStats::statistics() {
    using S = DataStats;
    static const stats::Statistic<S> table[] = {
        {"loads", &S::loads, "instructions", "loads through a cache"},
        {"stores", &S::stores, "instructions", "stores to the data cache"},
        {"atomics", &S::atomics, "instructions", "atomic operations on global memory"},
        {"fences", &S::fences, "instructions", "fences of device or system scope"},
        {"threads", &S::threads, "threads", "threads with an access to the data cache, summed over the instructions"},
        {"bytes", &S::bytes, "bytes", "bytes that these threads accessed"},
        {"lines", &S::lines, "accesses", "lines looked up, each in a port slot"},
        {"transactions", &S::transactions, "instructions",
         "instructions through a cache, by the number of lines that they touched"},
        {"stores_sent", &S::stores_sent, "lines",
         "lines of stores sent on to memory, without an instruction that waits for them"},
        {"port_conflicts", &S::port_conflicts, "cycles",
         "cycles in which a store waited because a fill used the write port"},
        {"bank_conflicts", &S::bank_conflicts, "cycles",
         "additional cycles for several words of one bank in a banked data cache"},
        {"put_aside", &S::put_aside, "instructions", "instructions that waited for memory; of a bundle, threads"},
        {"wait_cycles", &S::wait_cycles, "cycles",
         "wait of each instruction, from the memory stage to its last line, summed over put_aside"},
        {"shared_accesses", &S::shared_accesses, "instructions", "accesses to shared memory"},
        {"shared_cycles", &S::shared_cycles, "cycles", "cycles of accesses to shared memory in the memory stage"},
        {"private_accesses", &S::private_accesses, "instructions", "accesses to on-chip .local memory"},
        {"private_cycles", &S::private_cycles, "cycles",
         "cycles of accesses to on-chip .local memory in the memory stage"},
        {"spilled_accesses", &S::spilled_accesses, "threads",
         "threads with an access to .local beyond on-chip memory, through the data cache"},
    };
    return table;
}

std::span<const stats::Formula> DataStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_wait", "wait_cycles", "put_aside", "mean wait of an instruction for its lines, in cycles"},
        {"mean_lines", "lines", "loads+stores+atomics", "mean number of lines of an instruction"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::DataStats, "data",
                  "load/store unit: accesses, ports, on-chip memories; a bundle of threads counts as one instruction "
                  "of each kind in it")
