// Accesses outside every allocation that a GPU lets pass do not end the program: each source line is reported once.
// EXPECT: launch: cudaSuccess
// EXPECT: sum of what is there: 0, with what was written behind: 7
// EXPECT: again: cudaSuccess
// EXPECT: beyond the page: cudaErrorIllegalAddress
// ERROR: out-of-bounds load of 4 bytes at
// ERROR: the address is directly behind the end of 'cudaMalloc #0' (16 bytes
// ERROR: 28 such accesses of
// ERROR: overrun.cu:16 in this launch; the program goes on
// ERROR: overrun.cu:20 in this launch
// ERROR: overrun.cu:16: 56 accesses outside every allocation in 2 launches
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int* from, int* to) {
    atomicAdd(to, from[threadIdx.x]);
}

__global__ void write(int* to, int behind) {
    to[behind + threadIdx.x] = 3 + static_cast<int>(threadIdx.x);
}

int main() {
    int *four, *result, host = 7;
    cudaMalloc(&four, 4 * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    cudaMemset(four, 0, 4 * sizeof(int));
    cudaMemset(result, 0, sizeof(int));
    sum<<<1, 32>>>(four, result);
    std::printf("launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    write<<<1, 2>>>(four, 16);
    sum<<<1, 32>>>(four, result);
    int written = 0;
    cudaMemcpy(&written, result, sizeof written, cudaMemcpyDeviceToHost);
    std::printf("sum of what is there: %d, with what was written behind: %d\n", host, written);
    std::printf("again: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    write<<<1, 1>>>(four, 1 << 20);
    std::printf("beyond the page: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
