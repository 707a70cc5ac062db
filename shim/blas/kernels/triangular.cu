// Solutions of triangular systems: forward substitution with a lower triangular matrix. Other triangles come here with
// their rows and columns in the opposite order.
#include "arithmetic.h"

namespace heddle::blas {

// A block solves for kTile columns of b, kTile rows at a time. A thread has one column and kTile / kRows rows of a
// tile.
constexpr int kTile = 32, kRows = 8;

template <class T>
struct Tiles {
    T a[kTile][kTile + 1], x[kTile][kTile + 1];
};

// Rows first_i.. and columns first_j.. of a; behind the last row or column zeros
template <class T>
__device__ __forceinline__ void load_a(Tiles<T>& tiles, const SolveParameters& p, const T* a, long long first_i,
                                       long long first_j) {
    const bool along_columns = p.a.row == 1 || p.a.row == -1;
    for (int step = threadIdx.y; step < kTile; step += kRows) {
        const int i = along_columns ? threadIdx.x : step, j = along_columns ? step : threadIdx.x;
        const bool inside = first_i + i < p.n && first_j + j <= first_i + i;
        tiles.a[i][j] = inside ? element<true>(p.a, a, first_i + i, first_j + j) : T{};
    }
}

// What a thread has of a tile of b
template <class T>
struct Column {
    T* b; // its column
    bool present;
    T sums[kTile / kRows]; // of rows threadIdx.y, threadIdx.y + kRows and so on
};

// Subtracts from a tile's rows what the solved rows from `done` on contribute.
template <class T>
__device__ __forceinline__ void subtract(Tiles<T>& tiles, Column<T>& column, const SolveParameters& p, const T* a,
                                         long long first, long long done) {
    load_a(tiles, p, a, first, done);
    for (int i = threadIdx.y; i < kTile; i += kRows)
        tiles.x[i][threadIdx.x] = column.present ? column.b[(done + i) * p.b.row] : T{};
    __syncthreads();
    for (int j = 0; j < kTile; ++j)
#pragma unroll
        for (int r = 0; r < kTile / kRows; ++r)
            add_product(column.sums[r], T{} - tiles.a[threadIdx.y + r * kRows][j], tiles.x[j][threadIdx.x]);
    __syncthreads();
}

// Solves for a tile whose rows lack only the contributions of each other.
template <class T>
__device__ __forceinline__ void substitute(Tiles<T>& tiles, int rows, bool unit) {
    if (threadIdx.y != 0)
        return;
    for (int i = 0; i < rows; ++i) {
        T sum = tiles.x[i][threadIdx.x];
        for (int j = 0; j < i; ++j)
            add_product(sum, T{} - tiles.a[i][j], tiles.x[j][threadIdx.x]);
        tiles.x[i][threadIdx.x] = unit ? sum : divide(sum, tiles.a[i][i]);
    }
}

// The rows from `first` on. With alpha = 0 neither a nor b is read.
template <class T>
__device__ __forceinline__ void solve_tile(Tiles<T>& tiles, Column<T>& column, const SolveParameters& p, const T* a,
                                           T alpha, long long first) {
    const int rows = static_cast<int>(p.n - first < kTile ? p.n - first : kTile);
    const bool reads = !is_zero(alpha);
#pragma unroll
    for (int r = 0; r < kTile / kRows; ++r) {
        const int i = threadIdx.y + r * kRows;
        column.sums[r] = column.present && i < rows && reads ? alpha * column.b[(first + i) * p.b.row] : T{};
    }
    for (long long done = 0; reads && done < first; done += kTile)
        subtract(tiles, column, p, a, first, done);
    if (reads)
        load_a(tiles, p, a, first, first);
#pragma unroll
    for (int r = 0; r < kTile / kRows; ++r)
        tiles.x[threadIdx.y + r * kRows][threadIdx.x] = column.sums[r];
    __syncthreads();
    if (reads)
        substitute(tiles, rows, p.a.unit);
    __syncthreads();
    for (int i = threadIdx.y; column.present && i < rows; i += kRows)
        column.b[(first + i) * p.b.row] = tiles.x[i][threadIdx.x];
    __syncthreads();
}

template <class T>
__device__ __forceinline__ void solve(const SolveParameters& p) {
    __shared__ Tiles<T> tiles;
    const T alpha = scalar<T>(p.alpha);
    const long long number = static_cast<long long>(blockIdx.x) * kTile + threadIdx.x;
    Column<T> column;
    column.present = number < p.columns;
    for (long long batch = blockIdx.y; batch < p.batches; batch += gridDim.y) {
        const T* const a = begin_of<T>(p.a, batch) + p.begin_of_a;
        column.b = begin_of<T>(p.b, batch) + p.begin_of_b + (column.present ? number : 0) * p.b.column;
        for (long long first = 0; first < p.n; first += kTile)
            solve_tile(tiles, column, p, a, alpha, first);
    }
}

} // namespace heddle::blas

#define HEDDLE_SOLVE(type, T)                                                                                          \
    extern "C" __global__ void blas_trsm_##type(heddle::blas::SolveParameters p) {                                     \
        heddle::blas::solve<T>(p);                                                                                     \
    }
HEDDLE_SOLVE(f32, float)
HEDDLE_SOLVE(f64, double)
HEDDLE_SOLVE(c32, float2)
HEDDLE_SOLVE(c64, double2)
