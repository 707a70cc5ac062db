// What every random program begins with, both as CUDA and, with EMULATED, as C++ for the reference.
#pragma once
#ifdef EMULATED
#include "emulator.h"
#else
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define LAUNCH(kernel, grid, shape, shared_bytes, stream, ...)                                                         \
    kernel<<<grid, shape, shared_bytes, stream>>>(__VA_ARGS__)
#define DYNAMIC_SHARED(type, name) extern __shared__ __align__(16) type name[]
#endif

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned;
using i64 = long long;
using u64 = unsigned long long;
using i128 = __int128;
using u128 = unsigned __int128;
using f32 = float;
using f64 = double;

template <typename T>
__device__ inline T lower(T a, T b) {
    return b < a ? b : a;
}
template <typename T>
__device__ inline T higher(T a, T b) {
    return a < b ? b : a;
}
template <typename T>
__device__ inline T rotated(T x, u32 n) {
    const u32 last = 8 * sizeof(T) - 1;
    return (x << (n & last)) | (x >> ((0u - n) & last));
}

__device__ inline u32 this_thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline u32 this_lane() {
    return this_thread() % 32;
}

// An operation that a loop makes of compare-and-swap.
template <typename T>
__device__ inline void swap_in_xor(T* address, T value) {
    T old = *address, seen;
    do {
        seen = old;
        old = atomicCAS(address, seen, (T)(seen ^ value));
    } while (old != seen);
}

// The first lane of `mask` at or behind lane n, in a circle.
__device__ inline u32 lane_of(u32 mask, u32 n) {
    return ((n & 31) + __ffs(__funnelshift_r(mask, mask, n & 31)) - 1) & 31;
}

// Shuffles whose result is zero where it would come from a thread outside the mask, which CUDA leaves undefined.
template <typename T>
__device__ inline T shuffle(u32 mask, u32, T value, u32 source, int) {
    return __shfl_sync(mask, value, lane_of(mask, source));
}
template <typename T>
__device__ inline T shuffle_part(u32 mask, u32 lane, T value, u32 source, int width) {
    const T got = __shfl_sync(mask, value, source, width);
    const u32 from = (lane & ~(width - 1u)) | (source & (width - 1u));
    return mask >> from & 1 ? got : T(0);
}
template <typename T>
__device__ inline T shuffle_up(u32 mask, u32 lane, T value, u32 delta, int width) {
    delta &= 31;
    const T got = __shfl_up_sync(mask, value, delta, width);
    const u32 from = (lane & (width - 1u)) < delta ? lane : lane - delta;
    return mask >> from & 1 ? got : T(0);
}
template <typename T>
__device__ inline T shuffle_down(u32 mask, u32 lane, T value, u32 delta, int width) {
    delta &= 31;
    const T got = __shfl_down_sync(mask, value, delta, width);
    const u32 from = (lane & (width - 1u)) + delta >= width ? lane : lane + delta;
    return mask >> from & 1 ? got : T(0);
}
template <typename T>
__device__ inline T shuffle_xor(u32 mask, u32 lane, T value, u32 bits, int width) {
    bits &= 31;
    const T got = __shfl_xor_sync(mask, value, bits, width);
    const u32 from = (lane ^ bits) > (lane | (width - 1u)) ? lane : lane ^ bits;
    return mask >> from & 1 ? got : T(0);
}

template <typename T>
__device__ inline int match_all(u32 mask, T value) {
    int all;
    const u32 same = __match_all_sync(mask, value, &all);
    return all + (same != 0 ? 2 : 0);
}

// The bits of a number; all NaNs count as one, since their bits are not defined.
__device__ inline u32 bits_of(f32 x) {
    return x == x ? __float_as_uint(x) : 0x7FC00000u;
}
__device__ inline u64 bits_of(f64 x) {
    return x == x ? (u64)__double_as_longlong(x) : 0x7FF8000000000000ull;
}
// A NaN has no integer of its own.
__device__ inline f32 number_of(f32 x) {
    return x == x ? x : 0.0f;
}
__device__ inline f64 number_of(f64 x) {
    return x == x ? x : 0.0;
}
// nvcc 13.0 computes ceil() of a constant beyond the 64-bit integers as -2^63. Doubles from 2^52 on are whole.
__device__ inline f32 rounded_up(f32 x) {
    return ceilf(x);
}
__device__ inline f64 rounded_up(f64 x) {
    return fabs(x) < 4503599627370496.0 ? ceil(x) : x;
}
// Adding zero makes -0 to +0: which of both is smaller is not defined in C++.
__device__ inline f32 smaller(f32 a, f32 b) {
    return fminf(a + 0.0f, b + 0.0f);
}
__device__ inline f64 smaller(f64 a, f64 b) {
    return fmin(a + 0.0, b + 0.0);
}
__device__ inline f32 larger(f32 a, f32 b) {
    return fmaxf(a + 0.0f, b + 0.0f);
}
__device__ inline f64 larger(f64 a, f64 b) {
    return fmax(a + 0.0, b + 0.0);
}

inline void check(int error, int line) {
    if (error == 0)
        return;
    std::fprintf(stderr, "line %d: error %d\n", line, error);
    std::exit(1);
}
#define CHECK(call) check(static_cast<int>(call), __LINE__)
