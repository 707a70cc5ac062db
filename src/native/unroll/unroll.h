// Loops are unrolled, by the rules that ptxas was seen to follow (docs/native-code.md).
#pragma once

#include "ir/program.h"
#include "native/input/recover.h"

namespace heddle::native {

// Before short branches become guards: loops whose rounds are constant, completely where that is short, else some
// rounds at a time. The rounds that are left over follow the loop. Branches whose guard is constant then are removed.
void unroll_constant(const ir::Program& program, Recovered& code);

// After it: loops of one block whose bound is known when they begin, four rounds at a time. `forgets`: by op
// (predicate_branches.h), changed with the code.
void unroll_by_four(const ir::Program& program, Recovered& code, std::vector<bool>& forgets);

} // namespace heddle::native
