// What one issue slot carries, and what became of it.
#pragma once

#include <array>

#include "base/types.h"
#include "ir/micro_op.h"

namespace heddle::warp {

// Threads of one home row, by home lane. Registers never move: a part names where they are.
struct Part {
    RowId row = 0;
    LaneMask lanes = 0;
};

// Threads that wait for others at an instruction.
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
    std::array<std::uint64_t, 2> formation_words{}; // what its formation wants to find again when the outcome counts
    std::array<Part, kMaxParts> part;               // slot positions mean nothing
};

// Filled by exec when the group executes; applied by the formation when next PCs count.
struct Outcome {
    enum class Kind : std::uint8_t {
        Next,     // all threads go on at pc + 1
        Branch,   // `taken` go to `target`, the others to pc + 1 (also a call: target = the callee)
        Indirect, // thread i of the group (parts in order, lanes ascending) goes to each[i]
        Exit,     // `taken` are gone, the others go on at pc + 1
        Barrier,  // `taken` wait at the block's barrier, the others go on; all resume at pc + 1
        WarpSync, // `taken` wait for the rest of their member mask, likewise
        Memory,   // as Next, once the data are there
    };
    // The arrays go first: what is looked at of every instruction lies behind them, beside that of its flight.
    std::array<Pc, kMaxWidth> each;        // Indirect only
    std::array<LaneMask, kMaxParts> taken; // by part
    Kind kind = Kind::Next;
    bool diverges_at_return = false; // the paths meet again only at `return_pc`, one call level up
    Pc target = kNoPc;
    Pc return_pc = kNoPc;
    std::int8_t depth_change = 0; // Branch by a call: +1; Indirect by a return: -1 for those who return
    std::uint16_t executed = 0;   // threads whose guard was true
};

} // namespace heddle::warp
