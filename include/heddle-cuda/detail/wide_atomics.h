// Atomic operations on more than 8 bytes, and on vectors of float, which CUDA has for compute capability 9.0 and newer.
#pragma once

#include "intrinsics.h"

// A value of 16 bytes as two words.
struct __align__(16) heddle_wide_word {
    unsigned long long low, high;
};
HEDDLE_CUDA_DEVICE heddle_wide_word heddle_wide_cas(void* p, heddle_wide_word compare, heddle_wide_word value) {
    heddle_wide_word before;
    asm volatile("{ .reg .b128 before, compare, value; mov.b128 compare, {%3, %4}; mov.b128 value, {%5, %6}; "
                 "atom.cas.b128 before, [%2], compare, value; mov.b128 {%0, %1}, before; }"
                 : "=l"(before.low), "=l"(before.high)
                 : "l"(p), "l"(compare.low), "l"(compare.high), "l"(value.low), "l"(value.high)
                 : "memory");
    return before;
}
HEDDLE_CUDA_DEVICE heddle_wide_word heddle_wide_exchange(void* p, heddle_wide_word value) {
    heddle_wide_word before;
    asm volatile("{ .reg .b128 before, value; mov.b128 value, {%3, %4}; atom.exch.b128 before, [%2], value; "
                 "mov.b128 {%0, %1}, before; }"
                 : "=l"(before.low), "=l"(before.high)
                 : "l"(p), "l"(value.low), "l"(value.high)
                 : "memory");
    return before;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

// Types that the operations on 16 bytes are for.
template <class T>
struct heddle_is_wide {
    static constexpr bool value = sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T);
};
template <class T, bool fits = heddle_is_wide<T>::value>
struct heddle_wide {};
template <class T>
struct heddle_wide<T, true> {
    using type = T;
};
template <class T>
HEDDLE_CUDA_DEVICE typename heddle_wide<T>::type atomicCAS(T* p, T compare, T value) {
    return __builtin_bit_cast(T, heddle_wide_cas(p, __builtin_bit_cast(heddle_wide_word, compare),
                                                 __builtin_bit_cast(heddle_wide_word, value)));
}
template <class T>
HEDDLE_CUDA_DEVICE typename heddle_wide<T>::type atomicExch(T* p, T value) {
    return __builtin_bit_cast(T, heddle_wide_exchange(p, __builtin_bit_cast(heddle_wide_word, value)));
}

// Of each float by itself.
HEDDLE_CUDA_DEVICE float2 atomicAdd(float2* p, float2 value) {
    float2 before;
    asm volatile("{ .reg .b64 to; cvta.to.global.u64 to, %2; atom.global.add.v2.f32 {%0, %1}, [to], {%3, %4}; }"
                 : "=f"(before.x), "=f"(before.y)
                 : "l"(p), "f"(value.x), "f"(value.y)
                 : "memory");
    return before;
}
HEDDLE_CUDA_DEVICE float4 atomicAdd(float4* p, float4 value) {
    float4 before;
    asm volatile("{ .reg .b64 to; cvta.to.global.u64 to, %4; "
                 "atom.global.add.v4.f32 {%0, %1, %2, %3}, [to], {%5, %6, %7, %8}; }"
                 : "=f"(before.x), "=f"(before.y), "=f"(before.z), "=f"(before.w)
                 : "l"(p), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
                 : "memory");
    return before;
}

#endif
