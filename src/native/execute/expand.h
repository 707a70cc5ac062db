// Native code as micro-ops: how it executes.
#pragma once

#include "ir/program.h"
#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// Appends micro-ops to the program that compute what the native code computes, and makes them the code of the kernel:
// frames hold R0, R1, ... and P0 to P6 in place of the registers of PTX. An instruction has one PC, those of a kernel
// follow each other in the order of the text. An instruction that is several micro-ops has one of them at its PC: the
// one that is no operation on registers, else the last; the others are its Steps. A pair of registers is packed to a
// 64-bit value where an operation reads one, and unpacked where it writes one. So each operation is computed by the
// function that computes it for PTX. Constants of a bank are entries of the pool.
//
// Functions that the kernel calls are functions of the program, behind the kernel.
//
// BSSY and BSYNC are micro-ops Bra of kind Nop with the number of the barrier in imm; BSSY has a target, the place
// where its threads meet. YIELD is one, too (ir/convergence.h). Formations that do not know them let them pass.
void expand(const Function& function, const Target& target, ir::Program& program, ir::Kernel& kernel);

} // namespace heddle::native
