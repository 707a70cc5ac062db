// What other threads wrote to a shared variable before a barrier is read after it, also where this thread knows an
// older value: the variable's address goes nowhere, so a compiler sees all accesses to it.
// EXPECT: 256 threads followed 3 steps
#include <cstdio>
#include <cuda_runtime.h>

__global__ void follow(int* followed, const int* next, int steps) {
    __shared__ int below;
    __shared__ int here;
    const int thread = static_cast<int>(threadIdx.x);
    if (thread == 0)
        here = 0;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        if (thread == here)
            below = next[thread];
        __syncthreads();
        if (thread == 0)
            here = below;
        __syncthreads();
    }
    if (here == 200)
        atomicAdd(followed, 1);
}

int main() {
    int next[256] = {};
    next[0] = 100;
    next[100] = 7;
    next[7] = 200;
    int* device_next;
    int* device_followed;
    cudaMalloc(&device_next, sizeof next);
    cudaMalloc(&device_followed, sizeof(int));
    cudaMemcpy(device_next, next, sizeof next, cudaMemcpyHostToDevice);
    cudaMemset(device_followed, 0, sizeof(int));
    follow<<<1, 256>>>(device_followed, device_next, 3);
    int followed = 0;
    cudaMemcpy(&followed, device_followed, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d threads followed 3 steps\n", followed);
    return 0;
}
