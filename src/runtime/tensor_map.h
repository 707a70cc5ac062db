// Tensor maps, for the driver API that makes them.
#pragma once

#include "exec/tensor_map.h"

namespace heddle::runtime {

using exec::Swizzle;
using exec::TensorMap;

} // namespace heddle::runtime
