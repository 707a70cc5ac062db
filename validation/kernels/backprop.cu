// The two kernels of Rodinia's backprop for 65536 inputs and 16 hidden units: the sums of the forward pass, by blocks of
// 16 x 16 in shared memory, and the adjustment of the weights.

#include "timed_launch.h"

namespace {

constexpr unsigned kSide = 16, kInputs = 65536, kHidden = 16;
constexpr float kRate = 0.3F, kMomentum = 0.3F;

/// Index of the thread's weight. Row 0 and column 0 belong to the thresholds.
__device__ unsigned weight_of(unsigned tx, unsigned ty) {
    return (kHidden + 1) * kSide * blockIdx.y + (kHidden + 1) * ty + tx + 1 + (kHidden + 1);
}

__global__ void forward(const float* input, float* weights, float* partial_sums) {
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    __shared__ float inputs[kSide];
    __shared__ float products[kSide][kSide];
    if (tx == 0)
        inputs[ty] = input[kSide * blockIdx.y + ty + 1];
    __syncthreads();
    products[ty][tx] = weights[weight_of(tx, ty)];
    __syncthreads();
    products[ty][tx] = products[ty][tx] * inputs[ty];
    __syncthreads();
    for (int i = 1; static_cast<float>(i) <= __log2f(kSide); ++i) {
        const int power = static_cast<int>(__powf(2, static_cast<float>(i)));
        if (static_cast<int>(ty) % power == 0)
            products[ty][tx] = products[ty][tx] + products[ty + static_cast<unsigned>(power) / 2][tx];
        __syncthreads();
    }
    weights[weight_of(tx, ty)] = products[ty][tx];
    __syncthreads();
    if (tx == 0)
        partial_sums[blockIdx.y * kHidden + ty] = products[tx][ty];
}

__global__ void adjust(const float* delta, const float* input, float* weights, float* old_weights) {
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned at = weight_of(tx, ty), of_input = kSide * blockIdx.y + ty + 1, of_hidden = tx + 1;
    weights[at] += kRate * delta[of_hidden] * input[of_input] + kMomentum * old_weights[at];
    old_weights[at] = kRate * delta[of_hidden] * input[of_input] + kMomentum * old_weights[at];
    __syncthreads();
    if (ty == 0 && blockIdx.y == 0) {
        weights[of_hidden] += kRate * delta[of_hidden] + kMomentum * old_weights[of_hidden];
        old_weights[of_hidden] = kRate * delta[of_hidden] + kMomentum * old_weights[of_hidden];
    }
}

std::vector<float> fractions(std::size_t count, unsigned seed) {
    std::vector<float> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<float>((i * 2654435761U + seed) >> 8 & 0xFF) / 256;
    return out;
}

} // namespace

int main() {
    constexpr std::size_t kWeights = std::size_t{kInputs + 1} * (kHidden + 1);
    const auto input = fractions(kInputs + 1, 1), weights = fractions(kWeights, 2), delta = fractions(kHidden + 1, 3),
               old = fractions(kWeights, 4);
    workload::DeviceArray<float> inputs(input), scratch(weights), sums(kInputs / kSide * kHidden), deltas(delta),
        device_weights(weights), old_weights(old);
    const dim3 blocks(1, kInputs / kSide), threads(kSide, kSide);
    validation::TimedLaunch launch;
    const double sum = launch.cycles([&] { forward<<<blocks, threads>>>(inputs.data(), scratch.data(), sums.data()); });
    const double adjusted = launch.cycles(
        [&] { adjust<<<blocks, threads>>>(deltas.data(), inputs.data(), device_weights.data(), old_weights.data()); });
    workload::finish_kernels();
    const auto partial = sums.to_host(), after = device_weights.to_host();
    for (std::size_t block = 0; block < kInputs / kSide; block += 37)
        for (std::size_t h = 0; h < kHidden; ++h) {
            double host = 0;
            for (std::size_t i = block * kSide + 1; i <= (block + 1) * kSide; ++i)
                host += input[i] * weights[i * (kHidden + 1) + h + 1];
            validation::expect_near("forward", block * kHidden + h, partial[block * kHidden + h], host, 1e-5);
        }
    for (std::size_t i = 1; i <= kInputs; i += 101)
        for (std::size_t h = 1; h <= kHidden; ++h) {
            const std::size_t at = i * (kHidden + 1) + h;
            validation::expect_near("adjust", at, after[at],
                                    weights[at] + kRate * delta[h] * input[i] + kMomentum * old[at], 1e-5);
        }
    validation::report("kernel.backprop.forward", sum, "cycles");
    validation::report("kernel.backprop.adjust", adjusted, "cycles");
}
