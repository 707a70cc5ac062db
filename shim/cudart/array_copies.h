// Copies to, from and between CUDA arrays.
#pragma once

#include "state.h"

namespace heddle::cudart {

// A copy from or to an array, or between two arrays.
cudaError_t copy_array_volume(const cudaMemcpy3DParms& what);

} // namespace heddle::cudart
