// The places and source lines of micro-ops, for messages.
#pragma once

#include <string>

#include "ir/program.h"

namespace heddle::exec {

// "file.ptx:12:3 (kernel.cu:7)"; "micro-op 5" where the program has no origin for the pc.
[[nodiscard]] std::string place_text(const ir::Program& program, Pc pc);
// The source line, "kernel.cu:7", else the line of PTX, "file.ptx:12"; "micro-op 5" where the program has neither.
[[nodiscard]] std::string line_text(const ir::Program& program, Pc pc);
// Where the instruction's source line is in a function that was inlined: ", called at kernel.cu:9", from the innermost
// call to the outermost; else empty.
[[nodiscard]] std::string calls_text(const ir::Program& program, Pc pc);
// The line of PTX, without blanks on either side; empty where the source is not known.
[[nodiscard]] std::string instruction_text(const ir::Program& program, Pc pc);

} // namespace heddle::exec
