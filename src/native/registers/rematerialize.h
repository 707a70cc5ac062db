// Rematerialisation: values that are computed again where they are read, in place of a life in a register or in local
// memory.
#pragma once

#include <cstdint>
#include <vector>

#include "native/function.h"

namespace heddle::native {

// By virtual register, where it has one definition, without a guard and by a cheap instruction, that definition; else
// null. Each register that it reads has one definition, too: so the value is the same where this one is read, as each
// definition dominates its reads.
[[nodiscard]] std::vector<const Instruction*> rematerializable(const Function& function);

// Computes the register in front of each instruction that reads it, and no more where it was. `definition`: as above.
void rematerialize(Function& function, std::uint32_t virtual_register, const Instruction& definition);

// Computes values again until no more vector registers than the limit are alive at one time, as far as that helps:
// first those whose sources are alive then anyway, then groups of values whose sources have fewer registers.
void rematerialize_beyond(Function& function, unsigned limit);

} // namespace heddle::native
