// The stall taxonomy: every issue slot of every cycle has exactly one cause, and the causes add up to the cycles.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::probe {

enum class Slot : std::uint8_t {
    Issued,       // a unit was fetched
    FetchMiss,    // a unit was picked and its instruction is not in the instruction cache
    DataPort,     // the pipeline stalls: an access touches several lines, or a fill holds the write port
    WriteBack,    // the pipeline stalls: an instruction that comes back from memory writes its registers
    BankConflict, // the pipeline stalls: several words of one bank of the on-chip memories
    Tables,       // the pipeline stalls: the formation's tables take two next PCs a cycle (dwf)
    Registers,    // the front end stalls: several threads of one home lane (dwf.lanes = conflict)
    Interlock,    // the front end stalls: threads of a large warp whose last sub-warp has not completed (lwm)
    Memory,       // nothing to fetch: a unit waits for data of a first-level miss
    Fetch,        // nothing to fetch: all units that could go wait for instructions
    Barrier,      // nothing to fetch: units wait at a barrier, none for memory
    WarpSync,     // nothing to fetch: units wait for the rest of their PTX warp
    Pipeline,     // nothing to fetch: all units are in the pipeline
    Empty,        // the SM has no block
    HeldBack,     // units can go, but the scheduler leaves the slot empty (tl; not on the scoreboarded core)
    // The scoreboarded core only:
    NoUnit,           // all units of the scheduler have ended, but the SM has units
    Branch,           // nothing to issue: a control transfer is on its way, or the buffer fills again after it
    Drain,            // nothing to issue: units wait for their stores, a fence or an atomic operation
    Formation,        // nothing to issue: the formation keeps units back
    ScoreboardAlu,    // instructions wait for registers that a pipe of kind alu writes
    ScoreboardSfu,    // ... a pipe of kind sfu
    ScoreboardDp,     // ... a pipe of kind dp
    ScoreboardOnChip, // ... an access to shared memory, constants or parameters
    ScoreboardMemory, // ... a load through the data cache that has not ended yet
    ScoreboardL1,     // ... a load that hit in the data cache
    ScoreboardLlc,    // ... a load that missed and was served by the last-level cache
    ScoreboardDram,   // ... a load that was served by memory
    PipeSp,           // ready instructions find no place in a pipe of kind alu
    PipeSfu,          // ... in a pipe of kind sfu
    PipeDp,           // ... in a pipe of kind dp
    PipeLdSt,         // ... in the load/store unit
    SetReserved,      // the load/store unit is held up by a line: its set has no free way
    MshrFull,         // ... no MSHR entry is free
    MshrMergeFull,    // ... its MSHR entry takes no more accesses
    PortFull,         // ... the way to memory has no room
    ReadPorts, // ready instructions of fixed latency wait for one that waits in Allocate (sm/sub_core/read_ports.h)
    kCount,
};

// PRO II.B: the paper's class of a slot without an issue: no unit has an instruction, operands are missing, or pipes
// are busy. Causes of the barrel core are classified by these definitions. An SM without a block has no stalls in the
// paper: GPGPU-Sim, which counted them, does not simulate such an SM.
enum class SlotClass : std::uint8_t { Issued, Idle, Scoreboard, Pipeline, Unoccupied };

struct SlotInfo {
    std::string_view name;
    SlotClass kind;
    std::string_view words; // a short phrase for tables and charts
    std::string_view meaning;
    bool is_rare = false; // of some machines only: results name the cause where a slot has it
};

inline constexpr std::array<SlotInfo, static_cast<std::size_t>(Slot::kCount)> kSlots{{
    {"issued", SlotClass::Issued, "issued", "an instruction was issued (barrel core: a unit was fetched)"},
    {"fetch_miss", SlotClass::Idle, "misses in the instruction cache",
     "the picked unit's instruction was not in the instruction cache"},
    {"data_port", SlotClass::Pipeline, "waits for the data cache port",
     "the pipeline stalled for further lines of an access, or for a fill on the write port"},
    {"write_back", SlotClass::Pipeline, "waits for the write-back stage",
     "the pipeline stalled while an instruction that returned from memory wrote its registers"},
    {"bank_conflict", SlotClass::Pipeline, "waits for bank conflicts",
     "the pipeline stalled for further words of one bank of a memory"},
    {"tables", SlotClass::Pipeline, "waits for the tables of the formation",
     "the pipeline stalled while the formation inserted further next PCs of one instruction"},
    {"registers", SlotClass::Pipeline, "waits for conflicts of home lanes",
     "the front end stalled while the registers of several threads of one lane were read"},
    {"interlock", SlotClass::Scoreboard, "waits for the last sub-warp",
     "the front end stalled for threads of a large warp whose last sub-warp had not completed"},
    {"memory", SlotClass::Scoreboard, "waits for memory",
     "nothing to fetch; a unit waited for data of a first-level miss"},
    {"fetch", SlotClass::Idle, "waits for instructions", "nothing to fetch; units waited for instructions"},
    {"barrier", SlotClass::Idle, "waits at a barrier", "nothing to fetch; units waited at a barrier"},
    {"warp_sync", SlotClass::Idle, "waits for the rest of a warp",
     "nothing to fetch; units waited for the rest of their PTX warp"},
    {"pipeline", SlotClass::Idle, "all warps are in the pipeline", "nothing to fetch; every unit was in the pipeline"},
    {"empty", SlotClass::Unoccupied, "no block on the SM", "the SM had no block"},
    {"held_back", SlotClass::Scoreboard, "held back by the scheduler",
     "the scheduler waited for units that could not issue, while other units could"},
    {"no_unit", SlotClass::Idle, "all warps of the scheduler have ended",
     "all units of the scheduler had ended, but the SM had other units"},
    {"branch", SlotClass::Idle, "waits for a branch",
     "no instruction; a control transfer was on its way, or a buffer was filled after one"},
    {"drain", SlotClass::Idle, "waits for stores, fences, atomics",
     "no instruction; units waited for their stores, a fence or an atomic operation"},
    {"formation", SlotClass::Idle, "held back by the formation", "no instruction; the formation kept units back"},
    {"sb_alu", SlotClass::Scoreboard, "waits for arithmetic",
     "every instruction waited for registers; the next to be written was a result of an SP unit"},
    {"sb_sfu", SlotClass::Scoreboard, "waits for a special function",
     "every instruction waited for registers; the next to be written was a result of an SFU"},
    {"sb_dp", SlotClass::Scoreboard, "waits for double precision",
     "every instruction waited for registers; the next to be written was a result of a DP unit"},
    {"sb_on_chip", SlotClass::Scoreboard, "waits for shared memory or constants",
     "every instruction waited for registers; the next to be written was a result of shared memory, constants or "
     "parameters"},
    {"sb_memory", SlotClass::Scoreboard, "waits for a load on its way",
     "every instruction waited for registers; the next to be written was a result of a load that has not completed "
     "yet"},
    {"sb_l1", SlotClass::Scoreboard, "waits for the L1 cache",
     "every instruction waited for registers; the next to be written was a result of a load that hit in the data "
     "cache"},
    {"sb_llc", SlotClass::Scoreboard, "waits for the L2 cache",
     "every instruction waited for registers; the next to be written was a result of a load that the last-level cache "
     "served"},
    {"sb_dram", SlotClass::Scoreboard, "waits for DRAM",
     "every instruction waited for registers; the next to be written was a result of a load that memory served"},
    {"pipe_sp", SlotClass::Pipeline, "SP units are busy",
     "a ready instruction found no free collector or issue port of the SP units"},
    {"pipe_sfu", SlotClass::Pipeline, "SFUs are busy",
     "a ready instruction found no free collector or issue port of the SFUs"},
    {"pipe_dp", SlotClass::Pipeline, "DP units are busy",
     "a ready instruction found no free collector or issue port of the DP units"},
    {"pipe_ldst", SlotClass::Pipeline, "load/store unit is busy",
     "a ready instruction found no free collector or issue port of the load/store unit"},
    {"set_reserved", SlotClass::Pipeline, "load/store unit held up: no free way",
     "a ready instruction waited for the load/store unit, which was blocked by a line whose set had no way to replace"},
    {"mshr_full", SlotClass::Pipeline, "load/store unit held up: no free MSHR",
     "a ready instruction waited for the load/store unit, which was blocked by a line without a free MSHR entry"},
    {"mshr_merge_full", SlotClass::Pipeline, "load/store unit held up: full MSHR",
     "a ready instruction waited for the load/store unit, which was blocked by a line whose MSHR entry took no more "
     "accesses"},
    {"port_full", SlotClass::Pipeline, "load/store unit held up: network full",
     "a ready instruction waited for the load/store unit, which was blocked by a line without room in the network"},
    {"read_ports", SlotClass::Pipeline, "waits for read ports of registers",
     "a ready instruction of fixed latency waited because one before it waited for read ports, or for room for its "
     "result",
     true},
}};

// The phrase of a cause by its name; the name itself when there is no such cause.
[[nodiscard]] constexpr std::string_view words_of(std::string_view cause) {
    for (const SlotInfo& slot : kSlots)
        if (slot.name == cause)
            return slot.words;
    return cause;
}

using SlotCounts = std::array<std::uint64_t, kSlots.size()>;

} // namespace heddle::probe
