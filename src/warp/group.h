// The threads that execute an instruction in one issue slot, and the outcome of the instruction.
#pragma once

#include <array>

#include "base/types.h"
#include "ir/micro_op.h"

namespace heddle::warp {

// Threads of one home row, by home lane. Registers never move: a part names their place.
struct Part {
    RowId row = 0;
    LaneMask lanes = 0;
};

// Threads that wait for other threads at an instruction.
struct Waiting {
    Pc pc = kNoPc;
    Part part;
};

struct Group {
    UnitId unit = kNoUnit;
    Pc pc = kNoPc;
    std::uint16_t parts = 0;          // 1 is the fast path
    std::uint16_t threads = 0;        // in all parts
    std::uint16_t index = 0;          // of the groups of one instruction (large warps form several)
    std::uint16_t extra_threads = 0;  // outside its parts, for which the instruction retires with this slot too
    bool last = true;                 // false: the unit's next group follows in the next cycle
    std::uint8_t register_cycles = 1; // register-file cycles: most threads of one home lane (dwf lanes = conflict)
    std::array<std::uint64_t, 2>
        formation_words{};            // set by the formation at form(), read by it when the outcome is applied
    std::array<Part, kMaxParts> part; // the index of a part has no meaning
};

// Filled by exec when the group executes; the formation applies it at a later moment, which the core model defines.
struct Outcome {
    enum class Kind : std::uint8_t {
        Next,     // all threads continue at pc + 1
        Branch,   // `taken` continue at `target`, the others at pc + 1 (also a call: target = the callee)
        Indirect, // thread i of the group (parts in order, lanes ascending) continues at each[i]
        Exit,     // `taken` end, the others continue at pc + 1
        Barrier,  // `taken` wait at the block's barrier, the others continue; all resume at pc + 1
        WarpSync, // `taken` wait for the rest of their member mask, the others continue; all resume at pc + 1
        Memory,   // as Next, after the data have arrived
    };
    // The arrays are first: the fields that every instruction uses lie behind them, next to such fields of the flight.
    std::array<Pc, kMaxWidth> each;        // Indirect only
    std::array<LaneMask, kMaxParts> taken; // by part
    Kind kind = Kind::Next;
    bool diverges_at_return = false; // the paths meet again only at `return_pc`, one call level up
    Pc target = kNoPc;
    Pc return_pc = kNoPc;
    std::int8_t depth_change =
        0;                      // Branch by a call: +1; Branch or Indirect by a return: -1 for the threads that return
    std::uint16_t executed = 0; // threads whose guard was true
};

} // namespace heddle::warp
