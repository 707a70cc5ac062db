// CUDA arrays: what is behind a cudaArray_t.
#pragma once

#include <memory>
#include <vector>

#include "state.h"

struct cudaArray {
    heddle::runtime::TexelArray texels;
    cudaChannelFormatDesc format;
    cudaExtent extent; // in the program's form: 0 where the array has no such dimension
    unsigned flags;
    bool is_level = false; // of a mipmapped array, which it is freed with
};

// The levels are arrays in one piece of memory, one behind the other.
struct cudaMipmappedArray {
    std::vector<std::shared_ptr<cudaArray>> levels;
};

namespace heddle::cudart {

// The array, if it is one; null else.
cudaArray* find_array(State& state, cudaArray_const_t array);
cudaMipmappedArray* find_mipmapped_array(State& state, const cudaMipmappedArray* array);
// Whether an array may have this size and these flags.
bool is_array_shape(const cudaExtent& extent, unsigned flags);
// Whether the integers of the texels stand for numbers from 0 to 1, or -1 to 1, however a texture reads them.
inline bool is_normalised(const cudaChannelFormatDesc& desc) {
    return desc.f >= cudaChannelFormatKindUnsignedNormalized8X1 && desc.f <= cudaChannelFormatKindSignedNormalized16X4;
}
// False where there are no such texels.
bool read_format(const cudaChannelFormatDesc& desc, runtime::TexelFormat& out);

} // namespace heddle::cudart
