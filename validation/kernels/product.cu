// Parboil's sgemm (medium): C = A B of 1024 x 992 and 992 x 1056 single-precision values, columns one behind the other in
// A and rows in B. A thread keeps 16 values of a row of C; a block of 16 x 8 threads shares 8 x 16 values of B (Volkov
// and Demmel, SC 2008).

#include "timed_launch.h"

namespace {

constexpr unsigned kRows = 1024, kColumns = 1056, kInner = 992;
constexpr unsigned kTileColumns = 16, kTileInner = 8, kTileRows = kTileColumns * kTileInner;

__global__ void product(const float* a, const float* b, float* c) {
    const unsigned mid = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.x * kTileRows + mid;
    const unsigned column = blockIdx.y * kTileColumns + threadIdx.x;
    __shared__ float of_b[kTileInner][kTileColumns];
    float sums[kTileColumns] = {};
    for (unsigned i = 0; i < kInner; i += kTileInner) {
        of_b[threadIdx.y][threadIdx.x] = b[column + (i + threadIdx.y) * kColumns];
        __syncthreads();
#pragma unroll
        for (unsigned j = 0; j < kTileInner; ++j) {
            const float left = a[row + (i + j) * kRows];
#pragma unroll
            for (unsigned n = 0; n < kTileColumns; ++n)
                sums[n] += left * of_b[j][n];
        }
        __syncthreads();
    }
    for (unsigned n = 0; n < kTileColumns; ++n)
        c[row + (blockIdx.y * kTileColumns + n) * kRows] = sums[n];
}

std::vector<float> small_integers(std::size_t count, unsigned seed) {
    std::vector<float> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<float>((i * 2654435761U + seed) >> 10 & 7);
    return out;
}

} // namespace

int main() {
    const auto a = small_integers(kRows * kInner, 1), b = small_integers(kInner * kColumns, 2);
    workload::DeviceArray<float> left(a), right(b), out(kRows * kColumns);
    validation::TimedLaunch launch;
    const dim3 blocks(kRows / kTileRows, kColumns / kTileColumns), threads(kTileColumns, kTileInner);
    const double cycles = launch.cycles([&] { product<<<blocks, threads>>>(left.data(), right.data(), out.data()); });
    workload::finish_kernels();
    const auto here = out.to_host();
    for (std::size_t n = 0; n < kColumns; n += 97)
        for (std::size_t m = 0; m < kRows; m += 31) {
            double host = 0;
            for (std::size_t k = 0; k < kInner; ++k)
                host += a[m + k * kRows] * b[n + k * kColumns];
            validation::expect_near("product", m + n * kRows, here[m + n * kRows], host, 0);
        }
    validation::report("kernel.product.sgemm", cycles, "cycles");
}
