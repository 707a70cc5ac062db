// The product of matrices: a thread block computes a tile of TileM x TileN elements of c, a thread RowsM x RowsN of
// them. Tiles of a and b go through shared memory, TileK columns at a time.
#pragma once

#include "arithmetic.h"

namespace heddle::blas {

template <int M, int N, int K, int ThreadM, int ThreadN>
struct Tile {
    static constexpr int kM = M, kN = N, kK = K, kThreadM = ThreadM, kThreadN = ThreadN;
    static constexpr int kAlongM = M / ThreadM, kAlongN = N / ThreadN, kThreads = kAlongM * kAlongN;
};

// Copies rows first_row.. and columns first_column.. of a matrix to shared memory. Neighbouring threads read along the
// dimension in which elements are neighbours in memory. Elements outside are zero. Stored[column][row] with Turned,
// else Stored[row][column].
template <int Rows, int Columns, int Threads, bool Turned, bool Structured, class T, int Width>
__device__ __forceinline__ void load_tile(SumOf<T> (*tile)[Width], const Matrix& a, const T* base, long long first_row,
                                          long long first_column, long long rows, long long columns) {
    const bool along_rows = a.row == 1;
    for (unsigned at = threadIdx.x; at < Rows * Columns; at += Threads) {
        const unsigned i = along_rows ? at % Rows : at / Columns, j = along_rows ? at / Rows : at % Columns;
        const long long row = first_row + i, column = first_column + j;
        const SumOf<T> value =
            row < rows && column < columns ? element<Structured, T>(a, base, row, column) : SumOf<T>{};
        tile[Turned ? j : i][Turned ? i : j] = value;
    }
}

template <class Out, class Scale, class S>
__device__ __forceinline__ void store(const GemmParameters& p, Out* c, long long i, long long j, S sum, Scale alpha,
                                      Scale beta) {
    if (i >= p.m || j >= p.n || (p.part == kLower && i < j) || (p.part == kUpper && i > j))
        return;
    Out& to = c[i * p.c.row + j * p.c.column];
    Scale value = alpha * convert<Scale>(sum);
    if (!is_zero(beta)) // else c is not read: it may be NaN
        value = value + beta * convert<Scale>(to);
    if (p.real_diagonal && i == j)
        drop_imaginary(value);
    to = convert<Out>(value);
}

template <class T, bool Structured, class In, class Out, class Scale>
__device__ __forceinline__ void multiply(const GemmParameters& p) {
    using S = SumOf<In>;
    __shared__ S tile_a[T::kK][T::kM + 1], tile_b[T::kK][T::kN + 1];
    const long long tiles_m = (p.m + T::kM - 1) / T::kM;
    const long long first_i = blockIdx.x % tiles_m * T::kM, first_j = blockIdx.x / tiles_m * T::kN;
    const unsigned x = threadIdx.x % T::kAlongM, y = threadIdx.x / T::kAlongM;
    const Scale alpha = scalar<Scale>(p.alpha), beta = scalar<Scale>(p.beta);
    const long long depth = is_zero(alpha) ? 0 : p.k; // with alpha = 0 neither a nor b is read
    for (long long batch = blockIdx.y; batch < p.batches; batch += gridDim.y) {
        const In *const a = begin_of<In>(p.a, batch), *const b = begin_of<In>(p.b, batch);
        S sums[T::kThreadM][T::kThreadN] = {};
        for (long long first = 0; first < depth; first += T::kK) {
            load_tile<T::kM, T::kK, T::kThreads, true, Structured>(tile_a, p.a, a, first_i, first, p.m, depth);
            load_tile<T::kK, T::kN, T::kThreads, false, Structured>(tile_b, p.b, b, first, first_j, depth, p.n);
            __syncthreads();
#pragma unroll 4
            for (int k = 0; k < T::kK; ++k)
#pragma unroll
                for (int i = 0; i < T::kThreadM; ++i)
#pragma unroll
                    for (int j = 0; j < T::kThreadN; ++j)
                        add_product(sums[i][j], tile_a[k][x + i * T::kAlongM], tile_b[k][y + j * T::kAlongN]);
            __syncthreads();
        }
        Out* const c = begin_of<Out>(p.c, batch);
#pragma unroll
        for (int i = 0; i < T::kThreadM; ++i)
#pragma unroll
            for (int j = 0; j < T::kThreadN; ++j)
                store(p, c, first_i + x + i * T::kAlongM, first_j + y + j * T::kAlongN, sums[i][j], alpha, beta);
    }
}

// Tiles for large and for small matrices. A complex number takes the registers of two or four real ones.
using Large = Tile<64, 64, 16, 4, 4>;
using LargeComplex = Tile<32, 32, 16, 2, 2>;
using Small = Tile<16, 16, 16, 1, 1>;

} // namespace heddle::blas

#define HEDDLE_GEMM(name, Tile, Structured, In, Out, Scale)                                                            \
    extern "C" __global__ void __launch_bounds__(heddle::blas::Tile::kThreads) name(heddle::blas::GemmParameters p) {  \
        heddle::blas::multiply<heddle::blas::Tile, Structured, In, Out, Scale>(p);                                     \
    }
