// Copies and fills, done at once.
#pragma once

#include "state.h"

namespace heddle::cudart {

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t copy_volume(const cudaMemcpy3DParms* what);
// `height` rows of `width` elements of 1, 2 or 4 bytes.
cudaError_t fill_elements(void* pointer, std::size_t pitch, unsigned value, unsigned element, std::size_t width,
                          std::size_t height);

} // namespace heddle::cudart
