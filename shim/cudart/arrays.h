// CUDA arrays: what is behind a cudaArray_t.
#pragma once

#include "state.h"

struct cudaArray {
    heddle::runtime::TexelArray texels;
    cudaChannelFormatDesc format;
    cudaExtent extent; // in the program's form: 0 where the array has no such dimension
    unsigned flags;
};

namespace heddle::cudart {

// The array, if it is one; null else.
cudaArray* find_array(State& state, cudaArray_const_t array);
// False where there are no such texels.
bool read_format(const cudaChannelFormatDesc& desc, runtime::TexelFormat& out);

} // namespace heddle::cudart
