// Syntax trees to micro-ops.
#pragma once

#include <functional>
#include <span>

#include "base/source.h"
#include "ir/isa/names.h"
#include "ir/program.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// The generic address of a module-scope .global or .const variable, placed by the runtime; 0 when it has no place. The
// lowering places .shared variables itself, for each kernel.
using VariableAddress = std::function<Address(const ptx::Variable& definition)>;

// Appends a module's kernels (each with a copy of the functions it reaches) to `program`.
// Reports to `diagnostics`, one a unit, and leaves `program` as it was when there is an error.
void lower(const ModuleNames& names, const VariableAddress& address_of, Program& program,
           std::span<Diagnostics> diagnostics);

} // namespace heddle::ir
