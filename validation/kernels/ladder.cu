// Four steps of an optimised product of single-precision matrices, C = alpha A B + beta C with rows one behind the other
// (S. Boehm, "How to Optimize a CUDA Matmul Kernel", 2022; rates on an RTX A6000 for 4096 x 4096 x 4096): kernel 1
// (naive), 3 (tiles in shared memory), 5 (8 x 8 results a thread) and 8 (loads of 16 bytes, B in rows with padding).
// A simulated launch has a part of the columns of C (kernels 1 and 3) or of its rows (5 and 8): the part that the first
// blocks of the whole grid compute, in the order of these blocks. The inner dimension and the other one are whole.

#include "timed_launch.h"

namespace {

constexpr unsigned kSize = 4096;
constexpr unsigned kColumns = 160; // of C, kernels 1 and 3: 640 blocks
constexpr unsigned kRows = 640;    // of C, kernels 5 and 8: 160 blocks
constexpr float kAlpha = 0.5F, kBeta = 3.0F;

// A thread computes an element. Lanes of a warp lie in a column.
__global__ void naive(unsigned rows, unsigned columns, unsigned inner, float alpha, const float* a, const float* b,
                      float beta, float* c) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns)
        return;
    float sum = 0;
    for (unsigned k = 0; k < inner; ++k)
        sum += a[row * inner + k] * b[k * kSize + column];
    c[row * kSize + column] = alpha * sum + beta * c[row * kSize + column];
}

constexpr unsigned kTile = 32;

// A block of 1024 threads computes 32 x 32 elements from tiles of A and B in shared memory.
__global__ void tiles(unsigned inner, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float of_a[kTile * kTile], of_b[kTile * kTile];
    const unsigned row = threadIdx.x / kTile, column = threadIdx.x % kTile;
    a += blockIdx.x * kTile * inner;
    b += blockIdx.y * kTile;
    c += blockIdx.x * kTile * kSize + blockIdx.y * kTile;
    float sum = 0;
    for (unsigned k = 0; k < inner; k += kTile) {
        of_a[threadIdx.x] = a[row * inner + column];
        of_b[threadIdx.x] = b[row * kSize + column];
        __syncthreads();
        a += kTile;
        b += kTile * kSize;
#pragma unroll
        for (unsigned i = 0; i < kTile; ++i)
            sum += of_a[row * kTile + i] * of_b[i * kTile + column];
        __syncthreads();
    }
    c[row * kSize + column] = alpha * sum + beta * c[row * kSize + column];
}

constexpr unsigned kBlock = 128, kDepth = 8, kOwn = 8; // a block's rows and columns of C, its step along k, a thread's
constexpr unsigned kThreads = kBlock * kBlock / (kOwn * kOwn);

// Adds the products of eight elements of a column of A, `kApart` apart, with eight of a row of B.
template <unsigned kApart>
__device__ void add_products(float (&sums)[kOwn * kOwn], const float* a, const float* b) {
    float left[kOwn], right[kOwn];
#pragma unroll
    for (unsigned m = 0; m < kOwn; ++m)
        left[m] = a[m * kApart];
#pragma unroll
    for (unsigned n = 0; n < kOwn; ++n)
        right[n] = b[n];
#pragma unroll
    for (unsigned m = 0; m < kOwn; ++m)
#pragma unroll
        for (unsigned n = 0; n < kOwn; ++n)
            sums[m * kOwn + n] += left[m] * right[n];
}

// A thread computes 8 x 8 elements, whose operands are in registers for each k.
__global__ void __launch_bounds__(kThreads, 1)
    own_tiles(unsigned inner, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float of_a[kBlock * kDepth], of_b[kDepth * kBlock];
    const unsigned row = threadIdx.x / (kBlock / kOwn), column = threadIdx.x % (kBlock / kOwn);
    a += blockIdx.y * kBlock * inner;
    b += blockIdx.x * kBlock;
    c += blockIdx.y * kBlock * kSize + blockIdx.x * kBlock;
    const unsigned row_a = threadIdx.x / kDepth, column_a = threadIdx.x % kDepth;
    const unsigned row_b = threadIdx.x / kBlock, column_b = threadIdx.x % kBlock;
    float sums[kOwn * kOwn] = {};
    for (unsigned k = 0; k < inner; k += kDepth) {
#pragma unroll
        for (unsigned m = 0; m < kBlock; m += kThreads / kDepth)
            of_a[(row_a + m) * kDepth + column_a] = a[(row_a + m) * inner + column_a];
#pragma unroll
        for (unsigned m = 0; m < kDepth; m += kThreads / kBlock)
            of_b[(row_b + m) * kBlock + column_b] = b[(row_b + m) * kSize + column_b];
        __syncthreads();
        a += kDepth;
        b += kDepth * kSize;
#pragma unroll
        for (unsigned i = 0; i < kDepth; ++i)
            add_products<kDepth>(sums, of_a + row * kOwn * kDepth + i, of_b + i * kBlock + column * kOwn);
        __syncthreads();
    }
#pragma unroll
    for (unsigned m = 0; m < kOwn; ++m)
#pragma unroll
        for (unsigned n = 0; n < kOwn; ++n) {
            float& result = c[(row * kOwn + m) * kSize + column * kOwn + n];
            result = alpha * sums[m * kOwn + n] + beta * result;
        }
}

constexpr unsigned kPadding = 5; // columns behind each row of B in shared memory

// As own_tiles, with accesses of 16 bytes to memory, A transposed in shared memory, and rows of B with padding.
__global__ void padded(unsigned inner, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float of_a[kDepth * kBlock], of_b[kDepth * (kBlock + kPadding)];
    const unsigned row = threadIdx.x / (kBlock / kOwn), column = threadIdx.x % (kBlock / kOwn);
    a += blockIdx.y * kBlock * inner;
    b += blockIdx.x * kBlock;
    c += blockIdx.y * kBlock * kSize + blockIdx.x * kBlock;
    const unsigned row_a = threadIdx.x / (kDepth / 4), column_a = threadIdx.x % (kDepth / 4) * 4;
    const unsigned row_b = threadIdx.x / (kBlock / 4), column_b = threadIdx.x % (kBlock / 4) * 4;
    float sums[kOwn * kOwn] = {};
    for (unsigned k = 0; k < inner; k += kDepth) {
        const float4 some_a = *reinterpret_cast<const float4*>(a + row_a * inner + column_a);
        of_a[(column_a + 0) * kBlock + row_a] = some_a.x;
        of_a[(column_a + 1) * kBlock + row_a] = some_a.y;
        of_a[(column_a + 2) * kBlock + row_a] = some_a.z;
        of_a[(column_a + 3) * kBlock + row_a] = some_a.w;
        const float4 some_b = *reinterpret_cast<const float4*>(b + row_b * kSize + column_b);
        of_b[row_b * (kBlock + kPadding) + column_b + 0] = some_b.x;
        of_b[row_b * (kBlock + kPadding) + column_b + 1] = some_b.y;
        of_b[row_b * (kBlock + kPadding) + column_b + 2] = some_b.z;
        of_b[row_b * (kBlock + kPadding) + column_b + 3] = some_b.w;
        __syncthreads();
        a += kDepth;
        b += kDepth * kSize;
#pragma unroll
        for (unsigned i = 0; i < kDepth; ++i)
            add_products<1>(sums, of_a + i * kBlock + row * kOwn, of_b + i * (kBlock + kPadding) + column * kOwn);
        __syncthreads();
    }
#pragma unroll
    for (unsigned m = 0; m < kOwn; ++m)
#pragma unroll
        for (unsigned n = 0; n < kOwn; n += 4) {
            auto& four = *reinterpret_cast<float4*>(c + (row * kOwn + m) * kSize + column * kOwn + n);
            float4 result = four;
            result.x = alpha * sums[m * kOwn + n] + beta * result.x;
            result.y = alpha * sums[m * kOwn + n + 1] + beta * result.y;
            result.z = alpha * sums[m * kOwn + n + 2] + beta * result.z;
            result.w = alpha * sums[m * kOwn + n + 3] + beta * result.w;
            four = result;
        }
}

std::vector<float> small_integers(unsigned seed) {
    std::vector<float> out(std::size_t{kSize} * kSize);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<float>((i * 2654435761U + seed) >> 10 & 7);
    return out;
}

class Ladder {
public:
    // Launches a kernel for `rows` x `columns` elements of C, and reports its rate.
    template <class Launch>
    void run(const char* name, unsigned rows, unsigned columns, Launch&& launch) {
        workload::DeviceArray<float> c(c_host_);
        const double nanoseconds = timer_.nanoseconds([&] { launch(a_.data(), b_.data(), c.data()); });
        workload::finish_kernels();
        check(name, c.to_host(), rows, columns);
        validation::report(name, 2.0 * rows * columns * kSize / nanoseconds, "GFLOP/s");
    }

private:
    void check(const char* name, const std::vector<float>& here, unsigned rows, unsigned columns) const {
        for (std::size_t m = 0; m < rows; m += rows / 16 + 1)
            for (std::size_t n = 0; n < columns; n += columns / 16 + 1) {
                double host = 0;
                for (std::size_t k = 0; k < kSize; ++k)
                    host += a_host_[m * kSize + k] * b_host_[k * kSize + n];
                host = kAlpha * host + kBeta * c_host_[m * kSize + n];
                validation::expect_near(name, m * kSize + n, here[m * kSize + n], host, 0);
            }
    }
    std::vector<float> a_host_ = small_integers(1), b_host_ = small_integers(2), c_host_ = small_integers(3);
    workload::DeviceArray<float> a_{a_host_}, b_{b_host_};
    validation::TimedLaunch timer_;
};

} // namespace

int main() {
    Ladder ladder;
    const dim3 tiles_of_c(kSize / kTile, kColumns / kTile), blocks_of_c(kSize / kBlock, kRows / kBlock);
    ladder.run("kernel.ladder.naive", kSize, kColumns, [&](const float* a, const float* b, float* c) {
        naive<<<tiles_of_c, dim3(kTile, kTile)>>>(kSize, kColumns, kSize, kAlpha, a, b, kBeta, c);
    });
    ladder.run("kernel.ladder.tiles", kSize, kColumns, [&](const float* a, const float* b, float* c) {
        tiles<<<tiles_of_c, kTile * kTile>>>(kSize, kAlpha, a, b, kBeta, c);
    });
    ladder.run("kernel.ladder.own_tiles", kRows, kSize, [&](const float* a, const float* b, float* c) {
        own_tiles<<<blocks_of_c, kThreads>>>(kSize, kAlpha, a, b, kBeta, c);
    });
    ladder.run("kernel.ladder.padded", kRows, kSize, [&](const float* a, const float* b, float* c) {
        padded<<<blocks_of_c, kThreads>>>(kSize, kAlpha, a, b, kBeta, c);
    });
}
