// The product of half-precision matrices of CUDA's sample cudaTensorCoreGemm, C = alpha A B + beta C for 4096 x 4096
// x 4096: rows of A and columns of B one behind the other, sums in single precision. Each of as many blocks as SMs, of
// eight warps, computes tiles of 128 x 128 elements in turn: a warp 2 x 4 fragments of 16 x 16. Shared memory holds the
// tile of C at first and at last, and 64 elements along k of A and B in between, with 16 more behind each row.

#include <cuda_fp16.h>
#include <mma.h>

#include "timed_launch.h"

namespace {

namespace wmma = nvcuda::wmma;

constexpr unsigned kSize = 4096;
constexpr unsigned kFragment = 16;
constexpr unsigned kTile = 128;             // rows and columns of C of a block
constexpr unsigned kTiles = kSize / kTile;  // in a row of C
constexpr unsigned kDepth = 64;             // elements along k in shared memory
constexpr unsigned kStride = kDepth + 16;   // of rows in shared memory
constexpr unsigned kWarps = 8;
constexpr unsigned kDown = 2, kAcross = 4;  // fragments of a warp
constexpr unsigned kShared = kTile * kTile * sizeof(float);
constexpr float kAlpha = 1.5F, kBeta = 2.0F;

// 16 bytes at once: clang makes two accesses of the copy of an int4.
__device__ void copy_words(void* to, const void* from) {
    const int4 words = *static_cast<const int4*>(from);
    *static_cast<int4*>(to) = make_int4(words.x, words.y, words.z, words.w);
}

// A row of C in the tile is copied by a warp at a time: 16 bytes a lane.
__device__ void copy_tile(float* to, unsigned to_stride, const float* from, unsigned from_stride) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned i = 0; i < kTile / kWarps; ++i) {
        const unsigned row = warp * (kTile / kWarps) + i;
        copy_words(to + row * to_stride + 4 * lane, from + row * from_stride + 4 * lane);
    }
}

// Warps 0 to 3 copy 64 elements of 128 rows of A, the others those of columns of B: eight lanes a row.
__device__ void copy_chunk(half* shared, const half* a, const half* b, unsigned k) {
    constexpr unsigned kLanes = kDepth * sizeof(half) / sizeof(int4);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const half* from = (warp < kWarps / 2 ? a : b) + k;
    half* const to = warp < kWarps / 2 ? shared : shared + kTile * kStride;
    unsigned row = warp % (kWarps / 2) * (kTile / (kWarps / 2)) + lane / kLanes;
#pragma unroll
    for (unsigned i = 0; i < kTile / (kWarps / 2) * kLanes / 32; ++i, row += 32 / kLanes)
        copy_words(to + row * kStride + 8 * (lane % kLanes), from + row * kSize + 8 * (lane % kLanes));
}

__global__ void __launch_bounds__(32 * kWarps)
    gemm(const half* a, const half* b, const float* c, float* d, float alpha, float beta) {
    extern __shared__ half shared[];
    float* const tile_of_c = reinterpret_cast<float*>(shared);
    const unsigned warp = threadIdx.x / 32;
    // The warp's part of the tile: four parts down, two across.
    const unsigned row = warp / 2 * (kDown * kFragment), column = warp % 2 * (kAcross * kFragment);
    float* const part_of_c = tile_of_c + row * kTile + column;
    for (unsigned tile = blockIdx.x; tile < kTiles * kTiles; tile += gridDim.x) {
        const unsigned i = tile / kTiles * kTile, j = tile % kTiles * kTile;
        copy_tile(tile_of_c, kTile, c + i * kSize + j, kSize);
        __syncthreads();
        wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float> sums[kDown][kAcross];
#pragma unroll
        for (unsigned m = 0; m < kDown; ++m)
#pragma unroll
            for (unsigned n = 0; n < kAcross; ++n) {
                wmma::load_matrix_sync(sums[m][n], part_of_c + m * kFragment * kTile + n * kFragment, kTile,
                                       wmma::mem_row_major);
#pragma unroll
                for (int e = 0; e < sums[m][n].num_elements; ++e)
                    sums[m][n].x[e] *= beta / alpha;
            }
        __syncthreads();
#pragma unroll 4
        for (unsigned k = 0; k < kSize; k += kDepth) {
            copy_chunk(shared, a + i * kSize, b + j * kSize, k);
            __syncthreads();
#pragma unroll
            for (unsigned step = 0; step < kDepth; step += kFragment) {
                wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, half, wmma::row_major> left[kDown];
                wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, half, wmma::col_major> right[kAcross];
#pragma unroll
                for (unsigned m = 0; m < kDown; ++m) {
                    wmma::load_matrix_sync(left[m], shared + (row + m * kFragment) * kStride + step, kStride);
#pragma unroll
                    for (unsigned n = 0; n < kAcross; ++n) {
                        if (m == 0)
                            wmma::load_matrix_sync(right[n],
                                                   shared + (kTile + column + n * kFragment) * kStride + step, kStride);
                        wmma::mma_sync(sums[m][n], left[m], right[n], sums[m][n]);
                    }
                }
            }
            __syncthreads();
        }
#pragma unroll
        for (unsigned m = 0; m < kDown; ++m)
#pragma unroll
            for (unsigned n = 0; n < kAcross; ++n) {
#pragma unroll
                for (int e = 0; e < sums[m][n].num_elements; ++e)
                    sums[m][n].x[e] *= alpha;
                wmma::store_matrix_sync(part_of_c + m * kFragment * kTile + n * kFragment, sums[m][n], kTile,
                                        wmma::mem_row_major);
            }
        __syncthreads();
        copy_tile(d + i * kSize + j, kSize, tile_of_c, kTile);
        __syncthreads();
    }
}

// Integers from 0 to 2, so that sums are exact.
template <class T>
std::vector<T> small_integers(unsigned seed) {
    std::vector<T> out(std::size_t{kSize} * kSize);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<T>(static_cast<float>(((i * 2654435761U + seed) >> 10 & 0xffff) % 3));
    return out;
}

} // namespace

int main() {
    const auto a = small_integers<half>(1), b = small_integers<half>(2);
    const auto c = small_integers<float>(3);
    workload::DeviceArray<half> left(a), right(b);
    workload::DeviceArray<float> before(c), after(c.size());
    CUDA_CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
    const unsigned blocks = workload::device_attribute(cudaDevAttrMultiProcessorCount);
    validation::TimedLaunch launch;
    const double cycles = launch.cycles([&] {
        gemm<<<blocks, 32 * kWarps, kShared>>>(left.data(), right.data(), before.data(), after.data(), kAlpha, kBeta);
    });
    workload::finish_kernels();
    const auto here = after.to_host();
    for (std::size_t m = 0; m < kSize; m += 257)
        for (std::size_t n = 0; n < kSize; n += 251) {
            double sum = 0;
            for (std::size_t k = 0; k < kSize; ++k)
                sum += static_cast<double>(__half2float(a[m * kSize + k])) * __half2float(b[n * kSize + k]);
            validation::expect_near("wmma", m * kSize + n, here[m * kSize + n],
                                    kAlpha * sum + kBeta * c[m * kSize + n], 1e-5);
        }
    validation::report("kernel.wmma.gemm", cycles, "cycles");
}
