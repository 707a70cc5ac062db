// Copies that need not be.
#pragma once

#include "native/function.h"

namespace heddle::native {

// Joins the source and the target of copies where they are never alive with different values at the same time, and
// removes these copies (Chaitin 1982, without a limit on the number of neighbours: allocation follows).
void coalesce(Function& function);

} // namespace heddle::native
