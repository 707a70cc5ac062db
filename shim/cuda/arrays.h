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

inline cudaMipmappedArray_t array_of(CUmipmappedArray array) {
    return reinterpret_cast<cudaMipmappedArray_t>(array);
}
inline CUmipmappedArray array_of(cudaMipmappedArray_t array) {
    return reinterpret_cast<CUmipmappedArray>(array);
}

// Makes a texture object. `view`: may be null.
cudaError_t create_texture(cudaTextureObject_t& object, const CUDA_RESOURCE_DESC& resource,
                           const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view);

// False where there are no such texels.
bool read_format(CUarray_format format, unsigned channels, cudaChannelFormatDesc& out);
void tell_format(const cudaChannelFormatDesc& desc, CUarray_format& format, unsigned& channels);

// A copy as the runtime describes it.
cudaError_t read_copy(const CUDA_MEMCPY3D& what, cudaMemcpy3DParms& out);

} // namespace heddle::driver
