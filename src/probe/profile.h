// What each instruction of a program cost: the counters of a profiled run, by PC (docs/profile.md).
//
// Each SM has a profile of its own, so counting does not depend on the order in which SMs are simulated. A core without
// a profile counts nothing here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/types.h"
#include "probe/slot.h"

namespace heddle::probe {

// The counters of an instruction, apart from its stalls. An execution is an issue slot that carried the instruction.
enum class Counter : std::uint8_t {
    Executions,
    Threads,
    Lanes,
    Branches,
    Divergent,
    Taken,
    NotTaken,
    Apart,
    Accesses,
    Transactions,
    IdealTransactions,
    BytesAsked,
    BytesMoved,
    L1Hits,
    LlcHits,
    DramAccesses,
    Waited,
    Latency,
    OnChipAccesses,
    OnChipCycles,
    Broadcasts,
    Atomics,
    AtomicOperations,
    LocalAccesses,
    LocalBytes,
    kCount,
};

struct CounterInfo {
    std::string_view name, unit, meaning;
};

inline constexpr std::size_t kCounters = static_cast<std::size_t>(Counter::kCount);
inline constexpr std::array<CounterInfo, kCounters> kCounterInfo{{
    {"executions", "issue slots", "issue slots that carried the instruction"},
    {"threads", "threads", "threads that executed it: their guard was true"},
    {"lanes", "lanes", "active lanes of its issue slots, also those whose guard was false"},
    {"branches", "issue slots", "executions of a conditional branch"},
    {"divergent", "issue slots", "of these, executions after which threads of one warp had different next PCs"},
    {"taken", "threads", "threads that went to the target of a conditional branch"},
    {"not_taken", "threads", "threads that went on behind a conditional branch"},
    {"apart", "cycles", "cycles from a divergent branch until its threads had met again, summed"},
    {"accesses", "issue slots",
     "executions that accessed global memory, textures, or local memory that does not lie on chip"},
    {"transactions", "lines", "lines of the data or texture cache that these accesses touched"},
    {"ideal_transactions", "lines", "the fewest lines that hold as many different bytes as these accesses touched"},
    {"bytes_asked", "bytes", "bytes that the threads accessed"},
    {"bytes_moved", "bytes", "bytes of the lines that these accesses touched"},
    {"l1_hits", "lines", "of loads and atomics: lines that were in the first-level cache"},
    {"llc_hits", "lines", "of these: lines that the last-level cache delivered"},
    {"dram", "lines", "of these: lines that DRAM delivered"},
    {"waited", "issue slots", "accesses to any memory that write registers"},
    {"latency", "cycles", "cycles from the issue of these accesses until their registers were written, summed"},
    {"on_chip_accesses", "issue slots", "executions that accessed shared memory"},
    {"on_chip_cycles", "cycles", "cycles that the banks took for these accesses: one each without conflicts"},
    {"broadcasts", "issue slots", "loads of shared memory in which several threads read one word"},
    {"atomics", "issue slots", "executions of an atomic operation on global memory"},
    {"atomic_operations", "operations", "the most operations on one word in each of these, summed"},
    {"local_accesses", "issue slots", "executions that accessed local memory: spilled registers and local arrays"},
    {"local_bytes", "bytes", "bytes of local memory that the threads accessed"},
}};

using Counters = std::array<std::uint64_t, kCounters>;

// Issue slots that stayed empty because a unit waited at an instruction.
struct Stall {
    Slot cause = Slot::Issued;
    // The PC of the instruction whose result was missing, or that held the load/store unit; kNoPc: not known, or none.
    Pc producer = kNoPc;
    std::uint64_t slots = 0;
};

} // namespace heddle::probe
