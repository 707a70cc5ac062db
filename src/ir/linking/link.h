// A kernel and the functions it reaches, laid out in a program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/isa/names.h"
#include "ir/program.h"
#include "ir/selection/draft.h"

namespace heddle::ir {

// A unit of the module in the program.
struct LinkedUnit {
    std::uint32_t index = 0;            // in Program::units
    std::vector<std::uint32_t> file_of; // by number of a .file: index in UnitInfo::files + 1, 0: none

    // The index of a line's file in UnitInfo::files + 1; 0: not known.
    [[nodiscard]] std::uint32_t file(const ptx::SourceLine& line) const {
        return line.file < file_of.size() ? file_of[line.file] : 0;
    }
};

// Appends the kernel `drafts[kernel]` to `program`, as one of module `module`. `units`: as in `names`.
void link(std::uint32_t kernel, const std::vector<Draft>& drafts, const ModuleNames& names, std::uint32_t module,
          std::span<const LinkedUnit> units, Program& program);

} // namespace heddle::ir
