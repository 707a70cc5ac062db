// Micro-ops as text, for traces, messages and tests.
#pragma once

#include <string>

#include "ir/program.h"

namespace heddle::ir {

// One line: "@!p0 add.rn.f32 r3, r1, 0x3f800000", branch and reconvergence targets as pcs. Registers print as the
// number of their first slot (r of 32 bits, rd of 64) or predicate (p), constants as their value.
[[nodiscard]] std::string to_string(const Program& program, Pc pc);

} // namespace heddle::ir
