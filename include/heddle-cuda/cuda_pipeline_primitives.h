// Copies from device to shared memory that go on beside the code: cp.async from compute capability 8.0 on, below it they
// are done at once.
#pragma once
#pragma GCC system_header

#include "cuda_awbarrier_primitives.h"

#include <stddef.h>

#ifdef __CUDA__
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800

template <class Part>
HEDDLE_CUDA_DEVICE void heddle_copy_part(void* to, const void* from, size_t bytes) {
    Part part = {};
    memcpy(&part, from, bytes);
    *static_cast<Part*>(to) = part;
}

// 4, 8 or 16 bytes, of which the last `zfill` become zero.
static __device__ inline void __pipeline_memcpy_async(void* __restrict__ dst_shared, const void* __restrict__ src_global,
                                                      size_t size_and_align, size_t zfill = 0) {
    const size_t bytes = size_and_align - zfill;
    if (zfill > size_and_align)
        __trap();
    else if (size_and_align == 4)
        heddle_copy_part<unsigned>(dst_shared, src_global, bytes);
    else if (size_and_align == 8)
        heddle_copy_part<uint2>(dst_shared, src_global, bytes);
    else if (size_and_align == 16)
        heddle_copy_part<uint4>(dst_shared, src_global, bytes);
    else
        __trap();
}
static __device__ inline void __pipeline_commit() {}
static __device__ inline void __pipeline_wait_prior(size_t) {}
// The copies of the thread are done: nothing is left to arrive for.
static __device__ inline void __pipeline_arrive_on(__mbarrier_t*) {}

#else

// 4, 8 or 16 bytes, of which the last `zfill` become zero.
static __device__ inline void __pipeline_memcpy_async(void* __restrict__ dst_shared, const void* __restrict__ src_global,
                                                      size_t size_and_align, size_t zfill = 0) {
    const uint32_t to = heddle_shared_address(dst_shared), bytes = static_cast<uint32_t>(size_and_align - zfill);
    const size_t from = __cvta_generic_to_global(src_global);
    if (zfill > size_and_align)
        __trap();
    else if (size_and_align == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    else if (size_and_align == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    else if (size_and_align == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    else
        __trap();
}
static __device__ inline void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
// Until at most the last `prior` groups are on their way; of more than 8, 8.
static __device__ inline void __pipeline_wait_prior(size_t prior) {
    switch (prior) {
#define HEDDLE_WAIT(n)                                                                                                 \
    case n:                                                                                                            \
        asm volatile("cp.async.wait_group " #n ";" ::: "memory");                                                      \
        break;
        HEDDLE_WAIT(0)
        HEDDLE_WAIT(1)
        HEDDLE_WAIT(2)
        HEDDLE_WAIT(3)
        HEDDLE_WAIT(4)
        HEDDLE_WAIT(5)
        HEDDLE_WAIT(6)
        HEDDLE_WAIT(7)
#undef HEDDLE_WAIT
    default:
        asm volatile("cp.async.wait_group 8;" ::: "memory");
    }
}
// Arrives when all earlier copies of the thread are done; the phase needs an arrival more for it.
static __device__ inline void __pipeline_arrive_on(__mbarrier_t* barrier) {
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(heddle_shared_address(barrier)) : "memory");
}

#endif
#endif
