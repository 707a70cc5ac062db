// Cooperative launches: all blocks meet at the grid's barrier.
// OPTIONS: -std=c++17
// ENV: HEDDLE_MACHINE=gtx480
// EXPECT: possible: 1
// EXPECT: without a barrier between: valid 0
// EXPECT: ring after 20 barriers: PASS
// EXPECT: again: PASS
// EXPECT: by its attribute: PASS
// EXPECT: arrival and wait: PASS
// EXPECT: too large: cudaErrorCooperativeLaunchTooLarge
// EXPECT: not cooperative: cudaErrorLaunchFailure
// ERROR: all of which have to run at once
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void valid(int* out) {
    *out = cg::this_grid().is_valid();
}

// Every round each thread takes what its neighbour, perhaps in another block, had after the round before.
__global__ void ring(int* even, int* odd, int rounds) {
    cg::grid_group grid = cg::this_grid();
    const int n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
    for (int round = 0; round < rounds; ++round) {
        int* const from = round % 2 == 0 ? even : odd;
        int* const to = round % 2 == 0 ? odd : even;
        to[i] = from[(i + 1) % n] + 1;
        grid.sync();
    }
}

// The same ring; between its arrival and its wait a thread does what no other one looks at.
__global__ void ring_in_parts(int* even, int* odd, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    const int n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
    for (int round = 0; round < rounds; ++round) {
        int* const from = round % 2 == 0 ? even : odd;
        int* const to = round % 2 == 0 ? odd : even;
        to[i] = from[(i + 1) % n];
        auto token = grid.barrier_arrive();
        const int more = round < 0 ? from[i] : 1;
        grid.barrier_wait(std::move(token));
        to[i] += more;
        grid.barrier_wait(grid.barrier_arrive());
    }
}

constexpr int kBlocks = 18, kThreads = 96, kAll = kBlocks * kThreads, kRounds = 20;
int *even, *odd;
int rounds = kRounds;
void* arguments[] = {&even, &odd, &rounds};

void reset() {
    for (int i = 0; i < kAll; ++i)
        even[i] = i * i;
}
const char* check() {
    cudaDeviceSynchronize();
    for (int i = 0; i < kAll; ++i) {
        const int first = (i + kRounds) % kAll;
        if (even[i] != first * first + kRounds)
            return "WRONG";
    }
    return "PASS";
}

int main() {
    int possible = 0;
    cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, 0);
    std::printf("possible: %d\n", possible);
    cudaMallocManaged(&even, kAll * sizeof(int));
    cudaMallocManaged(&odd, kAll * sizeof(int));
    valid<<<1, 1>>>(odd);
    cudaDeviceSynchronize();
    std::printf("without a barrier between: valid %d\n", odd[0]);

    reset();
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(ring), dim3(kBlocks), dim3(kThreads), arguments);
    std::printf("ring after %d barriers: %s\n", kRounds, check());
    reset();
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(ring), dim3(kBlocks), dim3(kThreads), arguments);
    std::printf("again: %s\n", check());

    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = kBlocks;
    config.blockDim = kThreads;
    config.attrs = &attribute;
    config.numAttrs = 1;
    reset();
    cudaLaunchKernelEx(&config, ring, even, odd, kRounds);
    std::printf("by its attribute: %s\n", check());

    reset();
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(ring_in_parts), dim3(kBlocks), dim3(kThreads), arguments);
    std::printf("arrival and wait: %s\n", check());

    std::printf("too large: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(ring),
                                                                                dim3(1000), dim3(1024), arguments)));
    cudaGetLastError();
    ring<<<kBlocks, kThreads>>>(even, odd, 1);
    std::printf("not cooperative: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
