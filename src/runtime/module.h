// A PTX module on its way into a device: parsed, its variables placed in memory, its kernels lowered.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "exec/memory_image.h"
#include "ir/program.h"
#include "runtime/device.h"

namespace heddle::runtime {

using Variables = std::map<std::string, Variable, std::less<>>;

// Appends the module's kernels to `program` and gives its variables. Throws UserError with every error of the text.
[[nodiscard]] Variables load(std::string name, std::string ptx, exec::MemoryImage& image, ir::Program& program);

} // namespace heddle::runtime
