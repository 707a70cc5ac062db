// Scalar products of pairs of vectors. A block takes one pair after another: 1024 accumulators in shared memory each
// add up every 1024th product, then a tree with a barrier a level adds the accumulators up.
//
// The shape is that of the CUDA SDK's scalarProd: 256 pairs of 4096 elements, 128 blocks of 256 threads (PRO Table II
// gives the blocks). Every operation is rounded once, in the order in which the reference has it, so the check is
// exact.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kElements = 4096;     ///< of a vector
constexpr int kAccumulators = 1024; ///< a power of two
constexpr int kPairs = 2;           ///< that a block takes

// ---- device ----

__global__ void scalar_products(float* result, const float* a, const float* b, int pairs) {
    __shared__ float sums[kAccumulators];
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int pair = static_cast<int>(blockIdx.x); pair < pairs; pair += static_cast<int>(gridDim.x)) {
        const float* const x = a + pair * kElements;
        const float* const y = b + pair * kElements;
#pragma unroll 1
        for (int accumulator = thread; accumulator < kAccumulators; accumulator += threads) {
            float sum = 0.0f;
            for (int i = accumulator; i < kElements; i += kAccumulators)
                sum = fmaf(x[i], y[i], sum);
            sums[accumulator] = sum;
        }
#pragma unroll 1
        for (int stride = kAccumulators / 2; stride > 0; stride /= 2) {
            __syncthreads();
#pragma unroll 1
            for (int accumulator = thread; accumulator < stride; accumulator += threads)
                sums[accumulator] += sums[accumulator + stride];
        }
        if (thread == 0)
            result[pair] = sums[0];
        __syncthreads(); // thread 1 must not begin the next pair while thread 0 still reads its sum
    }
}

// ---- reference ----

namespace {

float reference(const float* x, const float* y) {
    std::vector<float> sums(kAccumulators);
    for (std::size_t i = 0; i < kElements; ++i)
        sums[i % kAccumulators] = std::fma(x[i], y[i], sums[i % kAccumulators]);
    while (sums.size() > 1) {
        const std::size_t half = sums.size() / 2;
        std::vector<float> next(half);
        for (std::size_t i = 0; i < half; ++i)
            next[i] = sums[i] + sums[half + i];
        sums = next;
    }
    return sums[0];
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("scalarprod", "Scalar products of pairs of vectors", {{"pro", {256, 0, 1}, {32, 0, 1}}});
    line.size("pairs of vectors, two a block", 1, 1u << 16).block().seed();
    const workload::Options options = line.parse(argc, argv);

    const std::size_t pairs = options.amount.size;
    workload::Random random(options.seed);
    const std::vector<float> a = random.uniform(pairs * kElements, 0.0f, 1.0f);
    const std::vector<float> b = random.uniform(pairs * kElements, 0.0f, 1.0f);

    const auto blocks = static_cast<unsigned>(workload::groups_of(pairs, kPairs));
    const unsigned block = workload::block_threads(options);
    workload::DeviceArray<float> device_a(a);
    workload::DeviceArray<float> device_b(b);
    workload::DeviceArray<float> result(pairs);
    result.fill_bytes(0xff); // not a number: a pair that no block takes shall not pass
    scalar_products<<<blocks, block>>>(result.data(), device_a.data(), device_b.data(), static_cast<int>(pairs));
    workload::finish_kernels();

    std::vector<float> expected(pairs);
    for (std::size_t pair = 0; pair < pairs; ++pair)
        expected[pair] = reference(&a[pair * kElements], &b[pair * kElements]);
    workload::Check check;
    check.near("result", result.to_host(), expected, 0);
    std::printf("scalarprod: %u blocks of %u threads, %zu pairs of vectors of %d\n", blocks, block, pairs, kElements);
    return check.finish();
}
