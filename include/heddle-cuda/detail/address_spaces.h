// Which memory a pointer points into, and its address there (CUDA Programming Guide, "Address Space Predicate Functions"
// and "Address Space Conversion Functions").
#pragma once

#include "intrinsics.h"

#define HEDDLE_CUDA_SPACE(predicate, to_space, to_generic, space)                                                      \
    HEDDLE_CUDA_DEVICE unsigned predicate(const void* p) {                                                             \
        unsigned r;                                                                                                    \
        asm("{ .reg .pred in; isspacep." space " in, %1; selp.u32 %0, 1, 0, in; }" : "=r"(r) : "l"(p));                \
        return r;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE size_t to_space(const void* p) {                                                                \
        size_t r;                                                                                                      \
        asm("cvta.to." space ".u64 %0, %1;" : "=l"(r) : "l"(p));                                                       \
        return r;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE void* to_generic(size_t address) {                                                              \
        void* r;                                                                                                       \
        asm("cvta." space ".u64 %0, %1;" : "=l"(r) : "l"(address));                                                    \
        return r;                                                                                                      \
    }
HEDDLE_CUDA_SPACE(__isGlobal, __cvta_generic_to_global, __cvta_global_to_generic, "global")
HEDDLE_CUDA_SPACE(__isShared, __cvta_generic_to_shared, __cvta_shared_to_generic, "shared")
HEDDLE_CUDA_SPACE(__isConstant, __cvta_generic_to_constant, __cvta_constant_to_generic, "const")
// clang 14 copies a parameter whose address is taken to local memory, where this finds it.
HEDDLE_CUDA_SPACE(__isGridConstant, __cvta_generic_to_grid_constant, __cvta_grid_constant_to_generic, "param")
HEDDLE_CUDA_SPACE(__isLocal, __cvta_generic_to_local, __cvta_local_to_generic, "local")
#undef HEDDLE_CUDA_SPACE

// The pointer, for which caches should keep what `property` says (libcu++, cuda::annotated_ptr). heddle's take no notice.
HEDDLE_CUDA_DEVICE void* __nv_associate_access_property(const void* p, unsigned long long /*property*/) {
    return const_cast<void*>(p);
}
