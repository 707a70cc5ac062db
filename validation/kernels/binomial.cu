// The kernel of the CUDA sample binomialOptions: 1024 European calls by a binomial tree of 2048 steps. A block prices one
// option; a thread keeps 16 leaves in registers and exchanges one value with its neighbour in each step.

#include "timed_launch.h"

namespace {

constexpr int kOptions = 1024, kSteps = 2048, kThreads = 128, kLeaves = kSteps / kThreads;

struct Option {
    float price, strike, step, up, down; ///< `step`: volatility times the square root of a step; `up`, `down` discounted
};
__constant__ Option options[kOptions];

__host__ __device__ float payoff(float price, float strike, float step, int i) {
    const float value = price * expf(step * (2.0F * static_cast<float>(i) - kSteps)) - strike;
    return value > 0 ? value : 0;
}

__global__ void price_options(float* values) {
    __shared__ float exchange[kThreads + 1];
    const int t = static_cast<int>(threadIdx.x);
    const Option& option = options[blockIdx.x];
    const float up = option.up, down = option.down;
    float leaves[kLeaves + 1];
#pragma unroll
    for (int i = 0; i < kLeaves; ++i)
        leaves[i] = payoff(option.price, option.strike, option.step, t * kLeaves + i);
    if (t == 0)
        exchange[kThreads] = payoff(option.price, option.strike, option.step, kSteps);
    const int last = max(0, t * kLeaves - 1);
    for (int i = kSteps; i > 0; --i) {
        exchange[t] = leaves[0];
        __syncthreads();
        leaves[kLeaves] = exchange[t + 1];
        __syncthreads();
        if (i > last) {
#pragma unroll
            for (int j = 0; j < kLeaves; ++j)
                leaves[j] = up * leaves[j + 1] + down * leaves[j];
        }
    }
    if (t == 0)
        values[blockIdx.x] = leaves[0];
}

Option option_of(int i) {
    const double price = 5 + i % 25, strike = 1 + i % 97, years = 0.25 + i % 39 * 0.25, rate = 0.06, volatility = 0.1;
    const double dt = years / kSteps, step = volatility * std::sqrt(dt);
    const double up = std::exp(step), down = 1 / up, growth = std::exp(rate * dt), p = (growth - down) / (up - down);
    return {static_cast<float>(price), static_cast<float>(strike), static_cast<float>(step),
            static_cast<float>(p / growth), static_cast<float>((1 - p) / growth)};
}

double by_host(const Option& option) {
    std::vector<double> values(kSteps + 1);
    for (int i = 0; i <= kSteps; ++i)
        values[static_cast<std::size_t>(i)] = payoff(option.price, option.strike, option.step, i);
    for (std::size_t last = kSteps; last > 0; --last)
        for (std::size_t i = 0; i < last; ++i)
            values[i] = static_cast<double>(option.up) * values[i + 1] + static_cast<double>(option.down) * values[i];
    return values[0];
}

} // namespace

int main() {
    std::vector<Option> all;
    for (int i = 0; i < kOptions; ++i)
        all.push_back(option_of(i));
    CUDA_CHECK(cudaMemcpyToSymbol(options, all.data(), all.size() * sizeof(Option)));
    workload::DeviceArray<float> values(kOptions);
    validation::TimedLaunch launch;
    const double cycles = launch.cycles([&] { price_options<<<kOptions, kThreads>>>(values.data()); });
    workload::finish_kernels();
    const auto here = values.to_host();
    for (int i = 0; i < kOptions; i += 61)
        validation::expect_near("binomial", static_cast<std::size_t>(i), here[static_cast<std::size_t>(i)],
                                by_host(all[static_cast<std::size_t>(i)]), 1e-3);
    validation::report("kernel.binomial.options", cycles, "cycles");
}
