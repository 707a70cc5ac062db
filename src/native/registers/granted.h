// Registers that a thread is given while it runs (PTX ISA, "setmaxnreg").
#pragma once

#include <vector>

#include "native/function.h"
#include "native/ssa/form.h"

namespace heddle::native {

// The most registers that a setmaxnreg of the kernel sets; 0: it has none.
[[nodiscard]] unsigned most_granted(const SsaForm& form);

// By instruction, in text order: the registers that its thread has on all paths to it, those at launch, or as many as
// the last USETMAXREG has set. A decrease takes none of those at launch away.
[[nodiscard]] std::vector<unsigned> granted_registers(const Function& function, unsigned at_launch);

} // namespace heddle::native
