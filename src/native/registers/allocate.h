// Registers of the machine for virtual registers.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

#include "native/function.h"

namespace heddle::native {

struct RegisterLimits {
    unsigned vector = 255; // the most of a thread
    unsigned predicates = 7;
    unsigned uniform = 63;
    unsigned spare = 0; // vector registers that may be taken so that nothing waits for an access to read its address
    unsigned at_launch = 255; // vector registers where no USETMAXREG has set more
};

// There are more values at once than uniform registers: they are not spilled.
struct UniformOverflow : std::runtime_error {
    UniformOverflow() : std::runtime_error("more values than uniform registers") {}
};

// Of the vector registers of a limit two are not named, and R1 is not used (target.h); Function::registers counts both.
//
// Gives each virtual register the lowest registers of its file that are free in all of its live spans, by first
// definition; pairs and quads begin at multiples of their width. Of free places below the highest register in use, one
// of the bank that the other sources of its readers do not crowd is taken: an instruction whose three sources lie in
// one bank reads for three cycles. A register that an access to memory reads last is free some instructions later
// (kReadLate), where the places up to `spare` suffice. Virtual registers that do not fit are spilled, those that are
// alive longest per read first, and allocation begins anew. Throws std::length_error when spilling does not help,
// UniformOverflow when uniform registers do not suffice.
void allocate(Function& function, const RegisterLimits& limits);

// Keeps virtual registers in local memory (a predicate in a register of its own): each instruction that reads one loads
// it to a fresh one, each that writes it stores it.
void spill(Function& function, std::span<const std::uint32_t> registers);

} // namespace heddle::native
