// The stall taxonomy: every issue slot of every cycle has exactly one cause, and the causes add up to the cycles.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::probe {

enum class Slot : std::uint8_t {
    Issued,       // a unit was fetched
    FetchMiss,    // a unit was picked and its instruction is not in the instruction cache
    DataPort,     // the pipeline stands still: an access touches several lines, or a fill holds the write port
    WriteBack,    // the pipeline stands still: an instruction that comes back from memory writes its registers
    BankConflict, // the pipeline stands still: several words of one bank of the on-chip memories
    Tables,       // the pipeline stands still: the formation's tables take two next PCs a cycle (dwf)
    Registers,    // the front end stands still: several threads of one home lane (dwf.lanes = conflict)
    Interlock,    // the front end stands still: threads of a large warp whose last sub-warp has not completed (lwm)
    Memory,       // nothing to fetch: a unit waits for data of a first-level miss
    Fetch,        // nothing to fetch: all that could go wait for instructions
    Barrier,      // nothing to fetch: units wait at a barrier, none for memory
    WarpSync,     // nothing to fetch: units wait for the rest of their PTX warp
    Pipeline,     // nothing to fetch: all units are in the pipeline
    Empty,        // no unit is alive
    kCount,
};

struct SlotInfo {
    std::string_view name;
    std::string_view meaning;
};

inline constexpr std::array<SlotInfo, static_cast<std::size_t>(Slot::kCount)> kSlots{{
    {"issued", "a unit was fetched"},
    {"fetch_miss", "the picked unit's instruction was not in the instruction cache"},
    {"data_port", "the pipeline stood still for further lines of an access, or for a fill on the write port"},
    {"write_back", "the pipeline stood still while an instruction that came back from memory wrote its registers"},
    {"bank_conflict", "the pipeline stood still for further words of one bank of a memory"},
    {"tables", "the pipeline stood still while the formation took further next PCs of one instruction"},
    {"registers", "the front end stood still while the registers of several threads of one lane were read"},
    {"interlock", "the front end stood still for threads of a large warp whose last sub-warp had not completed"},
    {"memory", "nothing to fetch; a unit waited for data of a first-level miss"},
    {"fetch", "nothing to fetch; units waited for instructions"},
    {"barrier", "nothing to fetch; units waited at a barrier"},
    {"warp_sync", "nothing to fetch; units waited for the rest of their PTX warp"},
    {"pipeline", "nothing to fetch; every unit was in the pipeline"},
    {"empty", "no unit was alive"},
}};

using SlotCounts = std::array<std::uint64_t, kSlots.size()>;

} // namespace heddle::probe
