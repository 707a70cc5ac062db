// Numbers that are computed of whole vectors. A sum over many elements goes through a tree, so its error grows with the
// logarithm of their number.
#include "arithmetic.h"

namespace heddle::blas {

constexpr unsigned kThreads = 256;

// What a kind of reduction computes: Partial, with start(), add an element, combine two, and the result.
template <class T>
struct Dot {
    using Partial = SumOf<T>;
    static __device__ __forceinline__ Partial start() {
        return Partial{};
    }
    static __device__ __forceinline__ void add(Partial& to, const ReductionParameters& p, const T* x, const T* y,
                                               long long i) {
        Partial a = convert<Partial>(x[i * p.x.step]);
        if (p.conjugate)
            a = conjugated(a);
        add_product(to, a, convert<Partial>(y[i * p.y.step]));
    }
    static __device__ __forceinline__ Partial combine(Partial a, Partial b) {
        return a + b;
    }
    static __device__ __forceinline__ void finish(Partial sum, const ReductionParameters& p) {
        *static_cast<T*>(p.result) = convert<T>(sum);
    }
};

template <class T>
__device__ __forceinline__ T magnitude(T a) { // of a complex number the sum of its parts', as BLAS has it
    return fabs(a);
}
__device__ __forceinline__ float magnitude(float2 a) {
    return fabsf(a.x) + fabsf(a.y);
}
__device__ __forceinline__ double magnitude(double2 a) {
    return fabs(a.x) + fabs(a.y);
}

template <class T>
struct Asum : Dot<RealOf<T>> {
    using Partial = SumOf<RealOf<T>>;
    static __device__ __forceinline__ void add(Partial& to, const ReductionParameters& p, const T* x, const T*,
                                               long long i) {
        to += magnitude(convert<SumOf<T>>(x[i * p.x.step]));
    }
};

// The square root of the sum of squares. Squares of f32 are summed in f64, where they neither overflow nor underflow.
template <class T>
struct Nrm2 : Dot<double> {
    static __device__ __forceinline__ void add_square(double& to, double a) {
        to = fma(a, a, to);
    }
    static __device__ __forceinline__ void add_square(double& to, float2 a) {
        add_square(to, a.x);
        add_square(to, a.y);
    }
    static __device__ __forceinline__ void add(double& to, const ReductionParameters& p, const T* x, const T*,
                                               long long i) {
        add_square(to, convert<SumOf<T>>(x[i * p.x.step]));
    }
    static __device__ __forceinline__ void finish(double sum, const ReductionParameters& p) {
        using R = RealOf<T>;
        *static_cast<R*>(p.result) = convert<R>(static_cast<float>(sqrt(sum)));
    }
};

// scale^2 * sum is a sum of squares of f64, none of which overflows: scale is the largest magnitude.
struct ScaledSum {
    double scale, sum;
};
template <class T>
struct ScaledNrm2 {
    using Partial = ScaledSum;
    static __device__ __forceinline__ Partial start() {
        return {0, 0};
    }
    static __device__ __forceinline__ Partial combine(Partial a, Partial b) {
        const bool less = a.scale < b.scale;
        const Partial large = less ? b : a, small = less ? a : b;
        const double ratio = small.scale == large.scale ? 1 : small.scale / large.scale; // infinities may be equal
        return small.scale == 0 ? large : Partial{large.scale, fma(ratio * ratio, small.sum, large.sum)};
    }
    static __device__ __forceinline__ Partial of(double a) {
        return {fabs(a), a == 0 ? 0.0 : isinf(a) ? 1.0 : a / a}; // the quotient is 1, or NaN
    }
    static __device__ __forceinline__ void add(Partial& to, const ReductionParameters& p, const double* x,
                                               const double*, long long i) {
        to = combine(to, of(x[i * p.x.step]));
    }
    static __device__ __forceinline__ void add(Partial& to, const ReductionParameters& p, const double2* x,
                                               const double2*, long long i) {
        const double2 a = x[i * p.x.step];
        to = combine(combine(to, of(a.x)), of(a.y));
    }
    static __device__ __forceinline__ void finish(Partial all, const ReductionParameters& p) {
        *static_cast<double*>(p.result) = all.scale == 0 ? all.sum : all.scale * sqrt(all.sum);
    }
};

template <class R>
struct Position {
    R value;
    long long index; // from 1; 0: none yet
};
// The position of the largest or of the smallest magnitude; of equal ones the first
template <class T, bool Largest>
struct Extreme {
    using R = SumOf<RealOf<T>>;
    using Partial = Position<R>;
    static __device__ __forceinline__ Partial start() {
        return {0, 0};
    }
    static __device__ __forceinline__ Partial combine(Partial a, Partial b) {
        if (a.index == 0 || b.index == 0)
            return a.index == 0 ? b : a;
        if (a.value == b.value)
            return a.index < b.index ? a : b;
        return (a.value > b.value) == Largest ? a : b;
    }
    static __device__ __forceinline__ void add(Partial& to, const ReductionParameters& p, const T* x, const T*,
                                               long long i) {
        to = combine(to, {magnitude(convert<SumOf<T>>(x[i * p.x.step])), i + 1});
    }
    static __device__ __forceinline__ void finish(Partial all, const ReductionParameters& p) {
        if (p.index_is_64)
            *static_cast<long long*>(p.result) = all.index;
        else
            *static_cast<int*>(p.result) = static_cast<int>(all.index);
    }
};

// The partial results of a block's threads, combined; in thread 0
template <class Kind>
__device__ __forceinline__ typename Kind::Partial of_block(typename Kind::Partial mine) {
    using Partial = typename Kind::Partial;
    __shared__ __align__(16) unsigned char memory[kThreads * sizeof(Partial)];
    Partial* const all = reinterpret_cast<Partial*>(memory);
    all[threadIdx.x] = mine;
    for (unsigned half = kThreads / 2; half != 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            all[threadIdx.x] = Kind::combine(all[threadIdx.x], all[threadIdx.x + half]);
    }
    return all[0];
}

template <class Kind, class T>
__device__ __forceinline__ void reduce(const ReductionParameters& p) {
    const T *const x = vector_begin<T>(p.x, 0), *const y = vector_begin<T>(p.y, 0);
    auto mine = Kind::start();
    const long long threads = static_cast<long long>(gridDim.x) * kThreads;
    for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < p.n; i += threads)
        Kind::add(mine, p, x, y, i);
    const auto all = of_block<Kind>(mine);
    if (threadIdx.x != 0)
        return;
    if (gridDim.x == 1)
        Kind::finish(all, p);
    else
        static_cast<typename Kind::Partial*>(p.partials)[blockIdx.x] = all;
}

template <class Kind>
__device__ __forceinline__ void finish(const ReductionParameters& p) {
    auto mine = Kind::start();
    for (long long i = threadIdx.x; i < p.blocks; i += kThreads)
        mine = Kind::combine(mine, static_cast<const typename Kind::Partial*>(p.partials)[i]);
    const auto all = of_block<Kind>(mine);
    if (threadIdx.x == 0)
        Kind::finish(all, p);
}

} // namespace heddle::blas

#define HEDDLE_REDUCTION(name, T, ...)                                                                                 \
    extern "C" __global__ void __launch_bounds__(heddle::blas::kThreads)                                               \
        blas_##name(heddle::blas::ReductionParameters p) {                                                             \
        heddle::blas::reduce<heddle::blas::__VA_ARGS__, T>(p);                                                         \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(heddle::blas::kThreads)                                               \
        blas_##name##_finish(heddle::blas::ReductionParameters p) {                                                    \
        heddle::blas::finish<heddle::blas::__VA_ARGS__>(p);                                                            \
    }
#define HEDDLE_REDUCTIONS(type, T, Norm)                                                                               \
    HEDDLE_REDUCTION(dot_##type, T, Dot<T>)                                                                            \
    HEDDLE_REDUCTION(asum_##type, T, Asum<T>)                                                                          \
    HEDDLE_REDUCTION(nrm2_##type, T, Norm<T>)                                                                          \
    HEDDLE_REDUCTION(amax_##type, T, Extreme<T, true>)                                                                 \
    HEDDLE_REDUCTION(amin_##type, T, Extreme<T, false>)
HEDDLE_REDUCTIONS(f32, float, Nrm2)
HEDDLE_REDUCTIONS(f64, double, ScaledNrm2)
HEDDLE_REDUCTIONS(c32, float2, Nrm2)
HEDDLE_REDUCTIONS(c64, double2, ScaledNrm2)
HEDDLE_REDUCTIONS(f16, __half, Nrm2)
HEDDLE_REDUCTIONS(bf16, __nv_bfloat16, Nrm2)
