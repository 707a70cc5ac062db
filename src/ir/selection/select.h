// Instructions of a function to the micro-ops of a draft.
#pragma once

#include "ir/selection/context.h"
#include "ir/selection/draft.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// Fills draft.ops and their tables. Reports errors to context.diagnostics and goes on behind each.
void select(const Context& context, const ptx::Function& function, Draft& draft);

} // namespace heddle::ir
