// The first instruction of every kernel that ptxas compiles: R1 = c[0x0][0x28], the end of the thread's local memory,
// also where nothing reads R1 later. An empty kernel consists of it and EXIT, so its time has the first miss of the
// constant caches.
#pragma once

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// Behind register allocation, which leaves R1 out.
void read_stack_pointer(Function& function, const Target& target);

} // namespace heddle::native
