// What control costs one warp, and barriers a block: cycles of a round of a loop.
//
//   control.loop         a chain of one addition
//   control.divergent    two sides with a chain of 16 instructions each; half of the lanes take each
//   control.barrier.N    __syncthreads() of N warps
//   control.fence.X      one thread without accesses on their way: fence of the block (cta), of the GPU (gpu)

#include <string>

#include "measure.h"

namespace {

constexpr unsigned kRounds = 128;

template <class Step>
__device__ void measure(long long* cycles, Step&& step) {
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) { // the first pass brings the code into the caches
        __syncthreads();
        begin = clock64();
#pragma unroll 1
        for (unsigned round = 0; round < kRounds; ++round)
            step(round);
    }
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}

__device__ void add(float& x, float y) {
    asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
}
__device__ void multiply(float& x, float y) {
    asm volatile("mul.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
}

__global__ void loop(long long* cycles, float* values) {
    float x = values[threadIdx.x];
    measure(cycles, [&](unsigned) { add(x, 1); });
    values[threadIdx.x] = x;
}

__global__ void divergent(long long* cycles, float* values) {
    float x = values[threadIdx.x];
    measure(cycles, [&](unsigned round) {
        if (((threadIdx.x ^ round) & 1) != 0) {
#pragma unroll
            for (int i = 0; i < 16; ++i)
                add(x, 1);
        } else {
#pragma unroll
            for (int i = 0; i < 16; ++i)
                multiply(x, 1);
        }
    });
    values[threadIdx.x] = x;
}

__global__ void barriers(long long* cycles, float*) {
    measure(cycles, [](unsigned) { __syncthreads(); });
}
__global__ void fences_of_block(long long* cycles, float*) {
    measure(cycles, [](unsigned) { __threadfence_block(); });
}
__global__ void fences_of_gpu(long long* cycles, float*) {
    measure(cycles, [](unsigned) { __threadfence(); });
}

void report(const std::string& name, void (*kernel)(long long*, float*), unsigned threads) {
    workload::DeviceArray<long long> cycles(1);
    workload::DeviceArray<float> values(std::vector<float>(threads, 1));
    kernel<<<1, threads>>>(cycles.data(), values.data());
    workload::finish_kernels();
    validation::report(("control." + name).c_str(), static_cast<double>(cycles.to_host()[0]) / kRounds, "cycles");
}

} // namespace

int main() {
    report("loop", loop, 32);
    report("divergent", divergent, 32);
    for (const unsigned warps : {1, 4, 8, 16, 32})
        report("barrier." + std::to_string(warps), barriers, 32 * warps);
    report("fence.cta", fences_of_block, 1);
    report("fence.gpu", fences_of_gpu, 1);
}
