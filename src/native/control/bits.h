// Control bits: stall counts, dependence counters, reuse flags. Each works on allocated code with its blocks laid out.
#pragma once

#include <string>

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// Dependence counters: a variable-latency instruction with a result counts one up until it is written, one whose
// sources are overwritten before counts one up until they are read. Wait masks are set where the registers are needed,
// across blocks too. A counter is free again behind a wait for it; where none is free, the one that was taken longest
// ago in the block is shared.
void set_counters(Function& function, const Target& target);

// Stall counts: each instruction issues when the results of fixed latency that it reads are there; the last one of a
// block keeps back those of the next blocks that read its results. Two cycles lie between the setting of a counter and
// a wait for it. Yield: where the next instruction waits for a counter.
void set_stalls(Function& function, const Target& target);

// Reuse flags: a source stays in the register-file cache where the next instruction of the block reads the same
// register in the same source slot, both are of fixed latency and the first does not overwrite it.
void set_reuse(Function& function, const Target& target);

// Whether no instruction can issue before its operands are there, by a simulation of every path. Empty: the code is
// good; else the first fault as a sentence. Shares no code with the above beyond the table of opcodes and the cycles of
// the target.
[[nodiscard]] std::string check_control(const Function& function, const Target& target);

} // namespace heddle::native
