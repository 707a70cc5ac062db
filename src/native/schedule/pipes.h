// The pipe of copies, sums of two registers and shifts by constants: that of integers or that of multiply-adds. Both
// take an instruction every two cycles, so code that uses them in turn issues one in each. The rules are what
// ptxas 13.0 does most of the time in its code for 47 programs (docs/native-code.md, "Two pipes for integers").
#pragma once

#include "native/function.h"

namespace heddle::native {

// In the order that the code has, behind register allocation.
void use_both_pipes(Function& function);

} // namespace heddle::native
