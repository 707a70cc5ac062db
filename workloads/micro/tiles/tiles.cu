// Product of two square matrices of floats: a block of 16 x 16 threads, or of 4 x 4 where the device takes no larger
// ones, computes a tile from tiles in shared memory, and the loop over a tile is unrolled. matmul --tiled has whole
// numbers and tests of bounds, and so other instructions.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

// ---- device ----

/// n: a multiple of kTile.
template <unsigned kTile>
__global__ void multiply(const float* a, const float* b, float* c, unsigned n) {
    __shared__ float tile_a[kTile][kTile];
    __shared__ float tile_b[kTile][kTile];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned row = blockIdx.y * kTile + y;
    const unsigned column = blockIdx.x * kTile + x;
    float sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < n; k += kTile) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < kTile; ++i)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// ---- host ----

namespace {

template <unsigned kTile>
void launch(const float* a, const float* b, float* c, unsigned n) {
    multiply<kTile><<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(a, b, c, n);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("micro-tiles", "Product of two square matrices of floats in unrolled tiles of 16 x 16",
                               {{"micro", {256, 0, 1}, {64, 0, 1}}});
    line.size("rows and columns, rounded up to a multiple of 16", 1, 4096);
    const workload::Options options = line.parse(argc, argv);
    const auto n = static_cast<unsigned>((options.amount.size + 15) / 16 * 16);

    // Small whole numbers: every sum is exact.
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (unsigned i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 7);
        b[i] = static_cast<float>(i % 11);
    }
    for (unsigned row = 0; row < n; ++row)
        for (unsigned k = 0; k < n; ++k)
            for (unsigned column = 0; column < n; ++column)
                c[row * n + column] += a[row * n + k] * b[k * n + column];

    workload::DeviceArray<float> device_a(a), device_b(b), device_c(n * n);
    const bool large = workload::block_threads(options, 256) == 256;
    (large ? launch<16> : launch<4>)(device_a.data(), device_b.data(), device_c.data(), n);
    workload::finish_kernels();

    workload::Check check;
    check.equal("c", device_c.to_host(), c);
    return check.finish();
}
