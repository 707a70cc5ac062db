// Products of a matrix and a vector. Where neighbours in a column are neighbours in memory, a thread computes an
// element of y; where neighbours in a row are, a warp does, so that its threads read side by side.
#include "arithmetic.h"

namespace heddle::blas {

constexpr unsigned kThreads = 128;

template <class Out, class Scale>
__device__ __forceinline__ void store(Out& to, SumOf<Scale> sum, const GemvParameters& p) {
    const Scale beta = scalar<Scale>(p.beta);
    Scale value = scalar<Scale>(p.alpha) * sum;
    if (!is_zero(beta)) // else y is not read: it may be NaN
        value = value + beta * convert<Scale>(to);
    to = convert<Out>(value);
}

template <bool Structured, class In, class Out, class Scale>
__device__ __forceinline__ void by_columns(const GemvParameters& p) {
    using S = SumOf<In>;
    __shared__ S part_of_x[kThreads];
    const long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
    const long long depth = is_zero(scalar<Scale>(p.alpha)) ? 0 : p.n;
    for (long long batch = blockIdx.y; batch < p.batches; batch += gridDim.y) {
        const In *const a = begin_of<In>(p.a, batch), *const x = vector_begin<In>(p.x, batch);
        S sum{};
        for (long long first = 0; first < depth; first += kThreads) {
            const long long left = depth - first, here = left < kThreads ? left : kThreads;
            if (threadIdx.x < here)
                part_of_x[threadIdx.x] = convert<S>(x[(first + threadIdx.x) * p.x.step]);
            __syncthreads();
            for (long long j = 0; i < p.m && j < here; ++j)
                add_product(sum, element<Structured>(p.a, a, i, first + j), part_of_x[j]);
            __syncthreads();
        }
        if (i < p.m)
            store<Out, Scale>(vector_begin<Out>(p.y, batch)[i * p.y.step], sum, p);
    }
}

template <class T>
__device__ __forceinline__ T shuffled(T value, unsigned distance) {
    return __shfl_down_sync(~0u, value, distance);
}
__device__ __forceinline__ float2 shuffled(float2 value, unsigned distance) {
    return make_float2(shuffled(value.x, distance), shuffled(value.y, distance));
}
__device__ __forceinline__ double2 shuffled(double2 value, unsigned distance) {
    return make_double2(shuffled(value.x, distance), shuffled(value.y, distance));
}

template <class In, class Out, class Scale>
__device__ __forceinline__ void by_rows(const GemvParameters& p) {
    using S = SumOf<In>;
    constexpr unsigned kWarp = 32;
    const unsigned lane = threadIdx.x % kWarp;
    const long long i = static_cast<long long>(blockIdx.x) * (kThreads / kWarp) + threadIdx.x / kWarp;
    if (i >= p.m)
        return;
    const long long depth = is_zero(scalar<Scale>(p.alpha)) ? 0 : p.n;
    for (long long batch = blockIdx.y; batch < p.batches; batch += gridDim.y) {
        const In *const a = begin_of<In>(p.a, batch), *const x = vector_begin<In>(p.x, batch);
        S sum{};
        for (long long j = lane; j < depth; j += kWarp)
            add_product(sum, element<false>(p.a, a, i, j), convert<S>(x[j * p.x.step]));
#pragma unroll
        for (unsigned distance = kWarp / 2; distance != 0; distance /= 2)
            sum = sum + shuffled(sum, distance);
        if (lane == 0)
            store<Out, Scale>(vector_begin<Out>(p.y, batch)[i * p.y.step], sum, p);
    }
}

} // namespace heddle::blas

#define HEDDLE_GEMV(types, In, Out, Scale)                                                                             \
    extern "C" __global__ void __launch_bounds__(heddle::blas::kThreads)                                               \
        blas_gemv_columns_##types(heddle::blas::GemvParameters p) {                                                    \
        heddle::blas::by_columns<false, In, Out, Scale>(p);                                                            \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(heddle::blas::kThreads)                                               \
        blas_gemv_rows_##types(heddle::blas::GemvParameters p) {                                                       \
        heddle::blas::by_rows<In, Out, Scale>(p);                                                                      \
    }
HEDDLE_GEMV(f32_f32, float, float, float)
HEDDLE_GEMV(f64_f64, double, double, double)
HEDDLE_GEMV(c32_c32, float2, float2, float2)
HEDDLE_GEMV(c64_c64, double2, double2, double2)
HEDDLE_GEMV(f16_f16, __half, __half, float)
HEDDLE_GEMV(f16_f32, __half, float, float)
HEDDLE_GEMV(bf16_bf16, __nv_bfloat16, __nv_bfloat16, float)
HEDDLE_GEMV(bf16_f32, __nv_bfloat16, float, float)

// A matrix of which a triangle is stored
#define HEDDLE_STRUCTURED(types, T)                                                                                    \
    extern "C" __global__ void __launch_bounds__(heddle::blas::kThreads)                                               \
        blas_gemv_structured_##types(heddle::blas::GemvParameters p) {                                                 \
        heddle::blas::by_columns<true, T, T, T>(p);                                                                    \
    }
HEDDLE_STRUCTURED(f32, float)
HEDDLE_STRUCTURED(f64, double)
HEDDLE_STRUCTURED(c32, float2)
HEDDLE_STRUCTURED(c64, double2)
