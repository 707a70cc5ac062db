// A PTX module on its way into a device: its texts parsed and linked, its variables placed in memory, its kernels
// lowered.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "exec/memory_image.h"
#include "ir/program.h"
#include "runtime/device.h"

namespace heddle::runtime {

using Variables = std::map<std::string, Variable, std::less<>>;

// Appends the module's kernels to `program` and gives its variables; of those of one name in several texts (which only
// they see), the first. Throws UserError with every error of the texts.
[[nodiscard]] Variables load(std::vector<PtxText> texts, exec::MemoryImage& image, ir::Program& program);

} // namespace heddle::runtime
