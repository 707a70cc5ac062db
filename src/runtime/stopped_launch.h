// Where the threads of a launch stood when it was stopped: shows what a kernel waits for that does not end.
#pragma once

#include <string>

#include "sm/frame/core.h"

namespace heddle::runtime {

// "kernel 'k' was stopped; its threads stand at", and a line for each of the places with most threads.
[[nodiscard]] std::string stopped_launch(const ir::Program& program, const ir::Kernel& kernel,
                                         const sm::ThreadsByPlace& threads);

} // namespace heddle::runtime
