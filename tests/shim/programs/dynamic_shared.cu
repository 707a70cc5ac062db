// A block has 48 KiB of shared memory unless its kernel asks for more dynamic memory.
// ENV: HEDDLE_MACHINE=a100
// EXPECT: a block: 49152, at most 166912
// EXPECT: dynamic at first: 49024
// EXPECT: with 49024: cudaSuccess, blocks of an SM: 3
// EXPECT: with 49025: cudaErrorInvalidValue, blocks of an SM: 0
// EXPECT: available for one block: 49024
// EXPECT: asks for too much: cudaErrorInvalidValue
// EXPECT: asks for 100000: cudaSuccess
// EXPECT: dynamic then: 100000
// EXPECT: with 100000: cudaSuccess, blocks of an SM: 1
// EXPECT: with 100001: cudaErrorInvalidValue, blocks of an SM: 0
// EXPECT: another kernel with 100000: cudaErrorInvalidValue
// EXPECT: sum: 496
// ERROR: heddle: launch of 'sum': 49025 bytes of dynamic shared memory a block, of which it may have 49024
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int* out) {
    __shared__ int fixed[32];
    extern __shared__ int dynamic[];
    fixed[threadIdx.x] = threadIdx.x;
    __syncthreads();
    dynamic[threadIdx.x] = fixed[31 - threadIdx.x];
    __syncthreads();
    atomicAdd(out, dynamic[threadIdx.x]);
}
__global__ void other() {}

void try_with(int bytes, int* out) {
    sum<<<1, 32, bytes>>>(out);
    const cudaError_t error = cudaGetLastError();
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 32, bytes);
    std::printf("with %d: %s, blocks of an SM: %d\n", bytes, cudaGetErrorName(error), blocks);
}

int dynamic_bytes() {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, sum);
    return attributes.maxDynamicSharedSizeBytes;
}

int main() {
    int usual = 0, most = 0, result = 0;
    cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    std::printf("a block: %d, at most %d\n", usual, most);
    int* out;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    std::printf("dynamic at first: %d\n", dynamic_bytes());
    try_with(49152 - 128, out);
    cudaMemset(out, 0, sizeof(int));
    try_with(49152 - 127, out);
    std::size_t available = 0;
    cudaOccupancyAvailableDynamicSMemPerBlock(&available, sum, 1, 32);
    std::printf("available for one block: %zu\n", available);
    const auto ask = [](int bytes) {
        return cudaGetErrorName(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    };
    std::printf("asks for too much: %s\n", ask(most - 127));
    cudaGetLastError();
    std::printf("asks for 100000: %s\n", ask(100000));
    std::printf("dynamic then: %d\n", dynamic_bytes());
    try_with(100000, out);
    try_with(100001, out);
    other<<<1, 32, 100000>>>();
    std::printf("another kernel with 100000: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("sum: %d\n", result);
}
