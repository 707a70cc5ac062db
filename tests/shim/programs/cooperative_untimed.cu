// A cooperative launch without timing has room for as many blocks as the device says: two on each SM here.
// ENV: HEDDLE_MACHINE=v100
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: 160 blocks: cudaSuccess, each saw all: 1
// EXPECT: too many: cudaErrorCooperativeLaunchTooLarge
// ERROR: all of which have to run at once
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count(int* arrived, int* seen) {
    const auto grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0)
        atomicAdd(arrived, 1);
    grid.sync();
    if (threadIdx.x == 0)
        seen[blockIdx.x] = *(volatile int*)arrived;
}

int main() {
    constexpr int kBlocks = 160; // of 80 SMs
    int *arrived, *seen, host[kBlocks];
    cudaMalloc(&arrived, sizeof(int));
    cudaMalloc(&seen, sizeof host);
    cudaMemset(arrived, 0, sizeof(int));
    void* arguments[] = {&arrived, &seen};
    cudaError_t error = cudaLaunchCooperativeKernel((void*)count, dim3(kBlocks), dim3(1024), arguments, 0, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
    bool all = true;
    for (const int s : host)
        all = all && s == kBlocks;
    std::printf("%d blocks: %s, each saw all: %d\n", kBlocks, cudaGetErrorName(error), all);
    error = cudaLaunchCooperativeKernel((void*)count, dim3(kBlocks + 1), dim3(1024), arguments, 0, 0);
    std::printf("too many: %s\n", cudaGetErrorName(error));
}
