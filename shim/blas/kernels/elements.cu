// What is computed element by element of matrices
#include "arithmetic.h"

namespace heddle::blas {

// A block of 32 x 8 threads works on a tile of 32 x 32.
constexpr int kTile = 32, kRows = 8;

// The tile of op(a) in shared memory, read along the dimension in which elements are neighbours in memory
template <class T>
__device__ __forceinline__ void load(T (*tile)[kTile + 1], const Matrix& a, long long first_i, long long first_j,
                                     long long m, long long n) {
    const T* const base = begin_of<T>(a, 0);
    const bool along_columns = a.row == 1;
    for (int step = threadIdx.y; step < kTile; step += kRows) {
        const int i = along_columns ? threadIdx.x : step, j = along_columns ? step : threadIdx.x;
        if (first_i + i < m && first_j + j < n)
            tile[j][i] = element<false>(a, base, first_i + i, first_j + j);
    }
}

template <class T>
__device__ __forceinline__ void add(const AddParameters& p) {
    __shared__ T tile_a[kTile][kTile + 1], tile_b[kTile][kTile + 1];
    const T alpha = scalar<T>(p.alpha), beta = scalar<T>(p.beta);
    const long long tiles_m = (p.m + kTile - 1) / kTile;
    const long long first_i = blockIdx.x % tiles_m * kTile, first_j = blockIdx.x / tiles_m * kTile;
    if (!is_zero(alpha)) // else a is not read
        load(tile_a, p.a, first_i, first_j, p.m, p.n);
    if (!is_zero(beta))
        load(tile_b, p.b, first_i, first_j, p.m, p.n);
    __syncthreads();
    T* const c = begin_of<T>(p.c, 0);
    const long long i = first_i + threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kRows) {
        const long long j = first_j + y;
        if (i >= p.m || j >= p.n)
            continue;
        T sum{};
        if (!is_zero(alpha))
            sum = alpha * tile_a[y][threadIdx.x];
        if (!is_zero(beta))
            sum = sum + beta * tile_b[y][threadIdx.x];
        c[i + j * p.c.column] = sum;
    }
}

// body(i, j) for the elements of a tile of a matrix of m rows and n columns
template <class Body>
__device__ __forceinline__ void for_tile(long long m, long long n, Body&& body) {
    const long long tiles_m = (m + kTile - 1) / kTile;
    const long long i = blockIdx.x % tiles_m * kTile + threadIdx.x, first_j = blockIdx.x / tiles_m * kTile;
    for (int y = threadIdx.y; y < kTile; y += kRows)
        if (i < m && first_j + y < n)
            body(i, first_j + y);
}

template <class T>
__device__ __forceinline__ void scale(const ScaleParameters& p) {
    const T *const a = begin_of<T>(p.a, 0), *const x = vector_begin<T>(p.x, 0);
    T* const c = begin_of<T>(p.c, 0);
    for_tile(p.m, p.n, [&](long long i, long long j) {
        c[i + j * p.c.column] = x[(p.rows ? i : j) * p.x.step] * a[i + j * p.a.column];
    });
}

template <class T>
__device__ __forceinline__ void add_rank_one(const RankOneParameters& p) {
    const T alpha = scalar<T>(p.alpha), second = scalar<T>(p.second_alpha);
    if (is_zero(alpha))
        return;
    const T *const x = vector_begin<T>(p.x, 0), *const y = vector_begin<T>(p.y, 0);
    T* const a = begin_of<T>(p.a, 0);
    const auto turned = [&](T value) { return p.conjugate ? conjugated(value) : value; };
    for_tile(p.m, p.n, [&](long long i, long long j) {
        if ((p.part == kLower && i < j) || (p.part == kUpper && i > j))
            return;
        T& to = a[i + j * p.a.column];
        T sum = to;
        add_product(sum, alpha * x[i * p.x.step], turned(y[j * p.y.step]));
        if (p.twice)
            add_product(sum, second * y[i * p.y.step], turned(x[j * p.x.step]));
        if (p.real_diagonal && i == j)
            drop_imaginary(sum);
        to = sum;
    });
}

} // namespace heddle::blas

#define HEDDLE_ELEMENTS(type, T)                                                                                       \
    extern "C" __global__ void blas_geam_##type(heddle::blas::AddParameters p) {                                       \
        heddle::blas::add<T>(p);                                                                                       \
    }                                                                                                                  \
    extern "C" __global__ void blas_dgmm_##type(heddle::blas::ScaleParameters p) {                                     \
        heddle::blas::scale<T>(p);                                                                                     \
    }                                                                                                                  \
    extern "C" __global__ void blas_rank_one_##type(heddle::blas::RankOneParameters p) {                               \
        heddle::blas::add_rank_one<T>(p);                                                                              \
    }
HEDDLE_ELEMENTS(f32, float)
HEDDLE_ELEMENTS(f64, double)
HEDDLE_ELEMENTS(c32, float2)
HEDDLE_ELEMENTS(c64, double2)
