// Syntax tree to micro-ops.
#pragma once

#include <functional>
#include <string_view>

#include "base/source.h"
#include "ir/program.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// Where the runtime has placed a module-scope variable: its generic address for .global and .const;
// .shared variables are placed by the lowering itself, a kernel at a time.
using VariableAddress = std::function<Address(std::string_view name)>;

// Appends the module's kernels (each with a copy of the functions it reaches) to `program`.
// Reports to `diagnostics` and leaves `program` as it was when there is an error.
void lower(const ptx::Module& module, const VariableAddress& address_of, Program& program, Diagnostics& diagnostics);

} // namespace heddle::ir
