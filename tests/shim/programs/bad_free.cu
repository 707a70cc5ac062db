// A pointer that is freed twice.
// EXPECT: first: cudaSuccess
// EXPECT: second: cudaErrorIllegalAddress
// ERROR: free(0x
// ERROR: malloc has not given this pointer, or it is free already
// ERROR: block (0,0,0) thread (3,0,0)
// ERROR: bad_free.cu:18
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void take(void** blocks) {
    blocks[threadIdx.x] = malloc(64);
}
__global__ void give_back(void** blocks, int twice) {
    free(blocks[threadIdx.x]);
    if (static_cast<int>(threadIdx.x) == twice)
        free(blocks[twice]);
}

int main() {
    void** blocks;
    cudaMallocManaged(&blocks, 32 * sizeof *blocks);
    take<<<1, 32>>>(blocks);
    give_back<<<1, 32>>>(blocks, -1);
    std::printf("first: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    take<<<1, 32>>>(blocks);
    give_back<<<1, 32>>>(blocks, 3);
    std::printf("second: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
