// How a launch ended, apart from errors.
#pragma once

#include <cstdint>

namespace heddle::gpu {

enum class Stop : std::uint8_t { None, Interrupted, MaxCycles, MaxInstructions };

} // namespace heddle::gpu
