// Two kernels of the CUDA sample quasirandomGenerator: 3 x 2^20 numbers from a table of direction numbers in constant
// memory, and the inverse of the normal distribution (Moro, 1995) of as many.

#include "timed_launch.h"

namespace {

constexpr unsigned kDimensions = 3, kNumbers = 1 << 20, kBits = 31, kThreads = 128, kBlocks = 128;
constexpr float kScale = 1.0F / 2147483648.0F;

__constant__ unsigned directions[kDimensions][kBits];

__global__ void generate(float* out, unsigned seed) {
    const unsigned step = blockDim.x * gridDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < kNumbers; i += step) {
        unsigned value = 0, bits = seed + i;
#pragma unroll
        for (unsigned b = 0; b < kBits; ++b, bits >>= 1)
            if ((bits & 1) != 0)
                value ^= directions[threadIdx.y][b];
        out[threadIdx.y * kNumbers + i] = static_cast<float>(value + 1) * kScale;
    }
}

__host__ __device__ float inverse_normal(unsigned x) {
    constexpr float a1 = 2.50662823884F, a2 = -18.61500062529F, a3 = 41.39119773534F, a4 = -25.44106049637F;
    constexpr float b1 = -8.4735109309F, b2 = 23.08336743743F, b3 = -21.06224101826F, b4 = 3.13082909833F;
    constexpr float c[] = {0.337475482272615F, 0.976169019091719F, 0.160797971491821F,
                           2.76438810333863E-02F, 3.8405729373609E-03F, 3.951896511919E-04F,
                           3.21767881768E-05F, 2.888167364E-07F, 3.960315187E-07F};
    const bool negative = x < 0x80000000U;
    const unsigned distance = negative ? x : 0xFFFFFFFFU - x;
    const float x1 = 1.0F / 4294967296.0F, x2 = x1 / 2;
    const float p = static_cast<float>(distance) * x1 + x2; // below 0.5
    const float y = p - 0.5F;
    float z;
    if (p > 0.08F) {
        z = y * y;
        z = y * (((a4 * z + a3) * z + a2) * z + a1) / ((((b4 * z + b3) * z + b2) * z + b1) * z + 1.0F);
    } else {
        const float r = logf(-logf(p));
        z = -(c[0] + r * (c[1] + r * (c[2] + r * (c[3] + r * (c[4] + r * (c[5] + r * (c[6] + r * (c[7] + r * c[8]))))))));
    }
    return negative ? z : -z;
}

__global__ void invert(float* out, unsigned n) {
    const unsigned distance = 0xFFFFFFFFU / (n + 1);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = inverse_normal((i + 1) * distance);
}

} // namespace

int main() {
    std::vector<unsigned> table(kDimensions * kBits);
    for (unsigned i = 0; i < table.size(); ++i)
        table[i] = (i * 2654435761U ^ i * 40503U << 9) & 0x7FFFFFFFU;
    CUDA_CHECK(cudaMemcpyToSymbol(directions, table.data(), table.size() * sizeof(unsigned)));
    workload::DeviceArray<float> numbers(kDimensions * kNumbers);
    validation::TimedLaunch launch;
    const double generated = launch.cycles([&] { generate<<<kBlocks, dim3(kThreads, kDimensions)>>>(numbers.data(), 0); });
    workload::finish_kernels();
    const auto here = numbers.to_host();
    for (unsigned d = 0; d < kDimensions; ++d)
        for (unsigned i = 0; i < kNumbers; i += 997) {
            unsigned value = 0;
            for (unsigned b = 0; b < kBits; ++b)
                value ^= (i >> b & 1) != 0 ? table[d * kBits + b] : 0;
            validation::expect_near("generate", d * kNumbers + i, here[d * kNumbers + i],
                                    static_cast<float>(value + 1) * kScale, 0);
        }
    constexpr unsigned kAll = kDimensions * kNumbers;
    const double inverted = launch.cycles([&] { invert<<<kBlocks, kThreads>>>(numbers.data(), kAll); });
    workload::finish_kernels();
    const auto normal = numbers.to_host();
    for (unsigned i = 0; i < kAll; i += 997)
        validation::expect_near("invert", i, normal[i], inverse_normal((i + 1) * (0xFFFFFFFFU / (kAll + 1))), 1e-4);
    validation::report("kernel.quasirandom.generator", generated, "cycles");
    validation::report("kernel.quasirandom.inverse", inverted, "cycles");
}
