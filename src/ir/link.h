// A kernel and the functions it reaches, laid out in a program.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/draft.h"
#include "ir/names.h"
#include "ir/program.h"

namespace heddle::ir {

// Appends the kernel `drafts[kernel]` to `program`, as one of module `module`. `file_of[i]`: index in
// ModuleInfo::files + 1 of the .file with number i.
void link(std::uint32_t kernel, const std::vector<Draft>& drafts, const ModuleNames& names, std::uint32_t module,
          const std::vector<std::uint32_t>& file_of, Program& program);

} // namespace heddle::ir
