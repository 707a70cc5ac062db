// What the programs of attention have in common on the device: the softmax of fragments of scores. Element i of a
// thread's part of 16 rows is in its row i / 2 % 2, of eight rows apart, and in column i / 4 * 8 + lane % 4 * 2 + i %
// 2: so the sums of mma.m16n8k16 and of wgmma are.
#pragma once

#include <cmath>
#include <cstdint>

namespace attention {

constexpr unsigned kSize = 64; // elements of a head: of a query, a key, a value

// The scores of a thread's two rows: the highest, and the sum of the thread's weights, as the keys go by.
struct Rows {
    float highest[2], total[2];
};

// 2 to the power of x, as compilers for fast arithmetic have it.
__device__ __forceinline__ float exp2_fast(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Two numbers of f16.
__device__ __forceinline__ uint32_t pair(float low, float high) {
    uint32_t both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

// Of the four threads that hold a row.
template <class F>
__device__ __forceinline__ float across_row(float x, F&& f) {
    x = f(x, __shfl_xor_sync(0xffffffff, x, 2));
    return f(x, __shfl_xor_sync(0xffffffff, x, 1));
}

// Leaves out what a thread's rows do not see: columns from seen[row] on, counted from the thread's first one.
template <unsigned kCount>
__device__ __forceinline__ void hide(float (&scores)[kCount], const int (&seen)[2]) {
#pragma unroll
    for (unsigned i = 0; i < kCount; ++i)
        if (static_cast<int>(i / 4 * 8 + i % 2) >= seen[i / 2 % 2])
            scores[i] = -INFINITY;
}

// Makes weights of scores: 2^(scale (score - highest)). `shrink`: what sums of the keys before are to be multiplied
// with; not set with kFirst. With kHidden a row may have seen no key yet.
template <bool kFirst, bool kHidden, unsigned kCount>
__device__ __forceinline__ void soften(float (&scores)[kCount], Rows& rows, float (&shrink)[2], float scale) {
#pragma unroll
    for (unsigned row = 0; row < 2; ++row) {
        float highest = kFirst ? scores[2 * row] : rows.highest[row];
#pragma unroll
        for (unsigned i = 2 * row; i < kCount; i += 4)
            highest = fmaxf(fmaxf(highest, scores[i]), scores[i + 1]);
        highest = across_row(highest, [](float a, float b) { return fmaxf(a, b); });
        const float scaled = kHidden && highest == -INFINITY ? 0 : highest * scale;
        if (!kFirst) {
            shrink[row] = exp2_fast(rows.highest[row] * scale - scaled);
            rows.total[row] *= shrink[row];
        }
        rows.highest[row] = highest;
        float total = 0;
#pragma unroll
        for (unsigned i = 2 * row; i < kCount; i += 4) {
            scores[i] = exp2_fast(fmaf(scores[i], scale, -scaled));
            scores[i + 1] = exp2_fast(fmaf(scores[i + 1], scale, -scaled));
            total += scores[i];
            total += scores[i + 1];
        }
        rows.total[row] = kFirst ? total : rows.total[row] + total;
    }
}

template <unsigned kCount>
__device__ __forceinline__ void multiply_rows(float (&sums)[kCount], const float (&by)[2]) {
#pragma unroll
    for (unsigned i = 0; i < kCount; ++i)
        sums[i] *= by[i / 2 % 2];
}

// Divides sums by the weights of their rows, and returns the logarithms of the sums of the exponentials.
template <unsigned kCount>
__device__ __forceinline__ float2 finish_rows(float (&sums)[kCount], Rows& rows, float scale) {
    constexpr float kLn2 = 0.693147181f;
    float inverse[2], logarithm[2];
#pragma unroll
    for (unsigned row = 0; row < 2; ++row) {
        const float total = across_row(rows.total[row], [](float a, float b) { return a + b; });
        inverse[row] = __fdividef(1, total);
        logarithm[row] = rows.highest[row] * scale * kLn2 + __logf(total);
    }
    multiply_rows(sums, inverse);
    return make_float2(logarithm[0], logarithm[1]);
}

} // namespace attention
