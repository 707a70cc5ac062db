// Native code as micro-ops: how it executes.
#pragma once

#include <vector>

#include "ir/program.h"
#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// Where the micro-ops of each instruction begin, by number of the instruction in the text, and one more for the end.
using InstructionPcs = std::vector<Pc>;

// Appends micro-ops to the program that compute what the native code computes, and makes them the code of the kernel:
// frames hold R0, R1, ... and P0 to P6 in place of the registers of PTX. An instruction is one micro-op or a few; what
// lies between them is in temporaries of the frame, so threads of a warp may part and meet at any of them. A pair of
// registers is packed to a 64-bit value where an operation reads one, and unpacked where it writes one. So each
// operation is computed by the function that computes it for PTX.
//
// BSSY and BSYNC are micro-ops Bra of kind Nop with the number of the barrier in imm; BSSY has a target, the place
// where its threads meet. Formations that do not know them let them pass.
[[nodiscard]] InstructionPcs expand(const Function& function, const Target& target, ir::Program& program,
                                    ir::Kernel& kernel);

} // namespace heddle::native
