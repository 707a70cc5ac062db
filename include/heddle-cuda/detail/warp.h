// Operations across the threads of a warp and of a block.
#pragma once

#include "intrinsics.h"

// The last operand of shfl: the clamp lane in bits 0 to 4, the segment mask in bits 8 to 12.
HEDDLE_CUDA_DEVICE int heddle_shfl_bounds(int width, int clamp) {
    return ((32 - width) << 8) | clamp;
}

#define HEDDLE_CUDA_SHUFFLE(name, mode, clamp, Third)                                                                  \
    HEDDLE_CUDA_DEVICE int name(unsigned mask, int value, Third third, int width = 32) {                               \
        return __nvvm_shfl_sync_##mode##_i32(mask, value, static_cast<int>(third), heddle_shfl_bounds(width, clamp));  \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned name(unsigned mask, unsigned value, Third third, int width = 32) {                     \
        return static_cast<unsigned>(name(mask, static_cast<int>(value), third, width));                               \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float name(unsigned mask, float value, Third third, int width = 32) {                           \
        return __int_as_float(name(mask, __float_as_int(value), third, width));                                        \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned long long name(unsigned mask, unsigned long long value, Third third, int width = 32) { \
        const unsigned low = name(mask, static_cast<unsigned>(value), third, width);                                   \
        const unsigned high = name(mask, static_cast<unsigned>(value >> 32), third, width);                            \
        return (static_cast<unsigned long long>(high) << 32) | low;                                                    \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE long long name(unsigned mask, long long value, Third third, int width = 32) {                   \
        return static_cast<long long>(name(mask, static_cast<unsigned long long>(value), third, width));               \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned long name(unsigned mask, unsigned long value, Third third, int width = 32) {           \
        return static_cast<unsigned long>(name(mask, static_cast<unsigned long long>(value), third, width));           \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE long name(unsigned mask, long value, Third third, int width = 32) {                             \
        return static_cast<long>(name(mask, static_cast<unsigned long long>(value), third, width));                    \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double name(unsigned mask, double value, Third third, int width = 32) {                         \
        return __longlong_as_double(name(mask, __double_as_longlong(value), third, width));                            \
    }
HEDDLE_CUDA_SHUFFLE(__shfl_sync, idx, 31, int)
HEDDLE_CUDA_SHUFFLE(__shfl_up_sync, up, 0, unsigned)
HEDDLE_CUDA_SHUFFLE(__shfl_down_sync, down, 31, unsigned)
HEDDLE_CUDA_SHUFFLE(__shfl_xor_sync, bfly, 31, int)
#undef HEDDLE_CUDA_SHUFFLE

HEDDLE_CUDA_DEVICE int __all_sync(unsigned mask, int predicate) {
    return __nvvm_vote_all_sync(mask, predicate);
}
HEDDLE_CUDA_DEVICE int __any_sync(unsigned mask, int predicate) {
    return __nvvm_vote_any_sync(mask, predicate);
}
HEDDLE_CUDA_DEVICE int __uni_sync(unsigned mask, int predicate) {
    return __nvvm_vote_uni_sync(mask, predicate);
}
HEDDLE_CUDA_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}
HEDDLE_CUDA_DEVICE unsigned __activemask() {
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

// clang before 15 believes that a barrier's or a fence's intrinsic writes no variable whose address goes nowhere, as most
// __shared__ ones, and keeps what was read before it. An asm statement that may write memory says otherwise.
HEDDLE_CUDA_DEVICE void heddle_others_wrote() {
    asm volatile("" ::: "memory");
}
HEDDLE_CUDA_DEVICE void heddle_syncthreads() {
    __syncthreads();
    heddle_others_wrote();
}
#define __syncthreads() heddle_syncthreads() // a builtin, which cannot be declared anew

HEDDLE_CUDA_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
    __nvvm_bar_warp_sync(mask);
    heddle_others_wrote();
}
// Integers and floating-point numbers match by their bits.
#define HEDDLE_CUDA_MATCH(Type, bits, constraint, as_bits)                                                             \
    HEDDLE_CUDA_DEVICE unsigned __match_any_sync(unsigned mask, Type value) {                                          \
        unsigned same;                                                                                                 \
        asm volatile("match.any.sync." bits " %0, %1, %2;" : "=r"(same) : constraint(as_bits(value)), "r"(mask));      \
        return same;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned __match_all_sync(unsigned mask, Type value, int* predicate) {                          \
        unsigned same;                                                                                                 \
        int all;                                                                                                       \
        asm volatile("{ .reg .pred p; match.all.sync." bits " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                   \
                     : "=r"(same), "=r"(all)                                                                           \
                     : constraint(as_bits(value)), "r"(mask));                                                         \
        *predicate = all;                                                                                              \
        return same;                                                                                                   \
    }
HEDDLE_CUDA_MATCH(int, "b32", "r", )
HEDDLE_CUDA_MATCH(unsigned, "b32", "r", )
HEDDLE_CUDA_MATCH(float, "b32", "r", __float_as_int)
HEDDLE_CUDA_MATCH(long, "b64", "l", )
HEDDLE_CUDA_MATCH(unsigned long, "b64", "l", )
HEDDLE_CUDA_MATCH(long long, "b64", "l", )
HEDDLE_CUDA_MATCH(unsigned long long, "b64", "l", )
HEDDLE_CUDA_MATCH(double, "b64", "l", __double_as_longlong)
#undef HEDDLE_CUDA_MATCH

#define HEDDLE_CUDA_REDUCE(name, Type, operation)                                                                      \
    HEDDLE_CUDA_DEVICE Type __reduce_##name##_sync(unsigned mask, Type value) {                                        \
        Type result;                                                                                                   \
        asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));                   \
        return result;                                                                                                 \
    }
HEDDLE_CUDA_REDUCE(add, unsigned, "add.u32")
HEDDLE_CUDA_REDUCE(add, int, "add.s32")
HEDDLE_CUDA_REDUCE(min, unsigned, "min.u32")
HEDDLE_CUDA_REDUCE(min, int, "min.s32")
HEDDLE_CUDA_REDUCE(max, unsigned, "max.u32")
HEDDLE_CUDA_REDUCE(max, int, "max.s32")
HEDDLE_CUDA_REDUCE(and, unsigned, "and.b32")
HEDDLE_CUDA_REDUCE(or, unsigned, "or.b32")
HEDDLE_CUDA_REDUCE(xor, unsigned, "xor.b32")
#undef HEDDLE_CUDA_REDUCE

// One of the block's 16 barriers; with a number of threads, for so many.
HEDDLE_CUDA_DEVICE void __barrier_sync(unsigned barrier) {
    asm volatile("barrier.sync %0;" ::"r"(barrier) : "memory");
}
HEDDLE_CUDA_DEVICE void __barrier_sync_count(unsigned barrier, unsigned threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
HEDDLE_CUDA_DEVICE int __syncthreads_count(int predicate) {
    const int result = __nvvm_bar0_popc(predicate);
    heddle_others_wrote();
    return result;
}
HEDDLE_CUDA_DEVICE int __syncthreads_and(int predicate) {
    const int result = __nvvm_bar0_and(predicate);
    heddle_others_wrote();
    return result;
}
HEDDLE_CUDA_DEVICE int __syncthreads_or(int predicate) {
    const int result = __nvvm_bar0_or(predicate);
    heddle_others_wrote();
    return result;
}
HEDDLE_CUDA_DEVICE void __threadfence_block() {
    __nvvm_membar_cta();
    heddle_others_wrote();
}
HEDDLE_CUDA_DEVICE void __threadfence() {
    __nvvm_membar_gl();
    heddle_others_wrote();
}
HEDDLE_CUDA_DEVICE void __threadfence_system() {
    __nvvm_membar_sys();
    heddle_others_wrote();
}
