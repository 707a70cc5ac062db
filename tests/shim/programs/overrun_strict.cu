// Such accesses end the launch when the options ask for it.
// ENV: HEDDLE_OPTIONS={"strict":true}
// EXPECT: launch: cudaErrorIllegalAddress
// ERROR: out-of-bounds load of 4 bytes at
// ERROR: block (0,0,0) thread (4,0,0)
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int* from, int* to) {
    atomicAdd(to, from[threadIdx.x]);
}

int main() {
    int *four, *result;
    cudaMalloc(&four, 4 * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    sum<<<1, 32>>>(four, result);
    std::printf("launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
