// CUDA arrays in the words of the driver API and of the runtime.
#pragma once

#include "cuda.h"

namespace heddle::driver {

inline cudaArray_t array_of(CUarray array) {
    return reinterpret_cast<cudaArray_t>(array);
}
inline CUarray array_of(cudaArray_t array) {
    return reinterpret_cast<CUarray>(array);
}

// False where there are no such texels.
bool read_format(CUarray_format format, unsigned channels, cudaChannelFormatDesc& out);
void tell_format(const cudaChannelFormatDesc& desc, CUarray_format& format, unsigned& channels);

// A copy as the runtime describes it.
cudaError_t read_copy(const CUDA_MEMCPY3D& what, cudaMemcpy3DParms& out);

} // namespace heddle::driver
