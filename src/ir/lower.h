// Syntax trees to micro-ops.
#pragma once

#include <functional>
#include <span>

#include "base/source.h"
#include "ir/isa/names.h"
#include "ir/program.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// Where the runtime has placed a module-scope variable: its generic address for .global and .const, 0 when nowhere;
// .shared variables are placed by the lowering itself, a kernel at a time.
using VariableAddress = std::function<Address(const ptx::Variable& definition)>;

// Appends a module's kernels (each with a copy of the functions it reaches) to `program`.
// Reports to `diagnostics`, one a unit, and leaves `program` as it was when there is an error.
void lower(const ModuleNames& names, const VariableAddress& address_of, Program& program,
           std::span<Diagnostics> diagnostics);

} // namespace heddle::ir
