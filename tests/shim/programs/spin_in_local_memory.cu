// A lock of which the result of an attempt goes through local memory, as in code that is built for a debugger: the
// threads of a warp take it one after the other.
// ENV: HEDDLE_MACHINE=v100
// EXPECT: 32
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock;

__device__ __noinline__ void attempt(volatile int* result) {
    *result = atomicCAS(&lock, 0, 1);
}

__global__ void count(int* sum) {
    volatile int taken;
    do
        attempt(&taken);
    while (taken != 0);
    *(volatile int*)sum = *(volatile int*)sum + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    int *sum, host = 0;
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    count<<<1, 32>>>(sum);
    cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
}
