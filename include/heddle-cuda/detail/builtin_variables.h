// threadIdx and its kin as values of CUDA's types.
#pragma once

#include "../vector_types.h"

#define HEDDLE_CUDA_INDEX(name)                                                                                        \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const {                                               \
        return dim3(x, y, z);                                                                                          \
    }                                                                                                                  \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const {                                              \
        return uint3{x, y, z};                                                                                         \
    }
HEDDLE_CUDA_INDEX(threadIdx)
HEDDLE_CUDA_INDEX(blockIdx)
HEDDLE_CUDA_INDEX(blockDim)
HEDDLE_CUDA_INDEX(gridDim)
#undef HEDDLE_CUDA_INDEX
