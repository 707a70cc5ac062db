// Attributes of the device.
#pragma once

#include <optional>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/device.h"

namespace heddle::cudart {

inline constexpr int kConstantBytes = 65536;
inline constexpr int kPitchLimit = 2147483647;
inline constexpr int kTextureAlignment = 512;
// What linear memory of a texture has to be aligned to. It is less than what a GPU says, because memory of cudaMalloc
// always suffices, and a machine may align it to so much (device.allocation_alignment).
inline constexpr int kTexelsAlignment = 256;
// Of streams, as GPUs have them. They change nothing: no kernel waits for another, as each is done when it is launched.
inline constexpr int kLeastPriority = 0, kGreatestPriority = -5;

// The value of an attribute; nothing when there is no such attribute.
[[nodiscard]] std::optional<int> attribute_value(const runtime::Properties& of, int attribute);
// The values of all attributes, by number.
[[nodiscard]] std::vector<int> attribute_values(const runtime::Properties& of);

} // namespace heddle::cudart
