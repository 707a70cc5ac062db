// The other half of linked.cu: it defines what that one declares.
#include "linked.h"

__device__ int counter = 7;
__constant__ int factors[4] = {2, 3, 5, 7};
static __device__ int hidden_value = 1000; // linked.cu has one of this name, too

static __device__ __noinline__ int hidden() {
    return hidden_value;
}
__device__ int scaled(int x) {
    return x * factors[x & 3] + hidden();
}
__device__ int* numbers(int count) {
    int* const all = static_cast<int*>(malloc(count * sizeof(int)));
    for (int i = 0; i < count; ++i)
        all[i] = i;
    return all;
}
__device__ int apply(int (*function)(int), int x) {
    return function(x);
}
__device__ int Square::corners() const {
    return 4;
}

__global__ void tell_hidden(int* to) {
    *to = hidden();
}

int far_hidden() {
    int* device;
    cudaMalloc(&device, sizeof(int));
    const int more = 1500;
    cudaMemcpyToSymbol(hidden_value, &more, sizeof more);
    tell_hidden<<<1, 1>>>(device);
    int value = 0;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return value;
}
int far_sum() {
    int* device;
    cudaMalloc(&device, sizeof(int));
    cudaMemset(device, 0, sizeof(int));
    add<5><<<1, 32>>>(device);
    int value = 0;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return value;
}
