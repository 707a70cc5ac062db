// Copies to, from and between CUDA arrays.
#pragma once

#include "state.h"

namespace heddle::cudart {

// A copy one of whose ends at least is an array.
cudaError_t copy_array_volume(const cudaMemcpy3DParms& what);

} // namespace heddle::cudart
