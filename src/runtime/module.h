// Loading of a PTX module: its texts are parsed and linked, its variables placed in memory, its kernels lowered.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "exec/memory_image.h"
#include "exec/texture.h"
#include "ir/program.h"
#include "runtime/device.h"

namespace heddle::runtime {

using Variables = std::map<std::string, Variable, std::less<>>;

struct LoadedModule {
    Variables variables;
    std::uint32_t target = 0;         // compute capability that its first text is for: 75 of ".target sm_75"
    std::uint64_t constant_bytes = 0; // of its variables in constant memory, with what aligns them
};

// Appends the module's kernels to `program`. Opaque variables become objects in `textures`.
// Variables with one name that are local to several texts: the first one. Throws UserError with every error of the
// texts.
[[nodiscard]] LoadedModule load(std::vector<PtxText> texts, exec::MemoryImage& image, exec::TextureTable& textures,
                                ir::Program& program);

} // namespace heddle::runtime
