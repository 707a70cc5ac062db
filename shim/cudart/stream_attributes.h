// Attributes of streams.
#pragma once

#include "cuda_runtime_api.h"

namespace heddle::cudart {

// Of a stream that is destroyed; with the state's mutex held.
void drop_attributes(cudaStream_t stream);

} // namespace heddle::cudart
