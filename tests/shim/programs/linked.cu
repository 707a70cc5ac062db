// Device code over two files (-rdc=true): functions, variables, pointers and virtual functions of the other file,
// memory of the heap from there, and names that each file has for itself.
// OPTIONS: -rdc=true
// ALSO: parts/linked_far.cu
// EXPECT: scaled 1015 1030 1049 1016
// EXPECT: mine 19
// EXPECT: counter 71
// EXPECT: heap 0 1 2 3
// EXPECT: pointer 107
// EXPECT: corners 4
// EXPECT: far hidden 1500
// EXPECT: sums 160 160
#include <cstdio>

#include "parts/linked.h"

static __device__ int hidden_value = 10;

static __device__ __noinline__ int hidden() {
    return hidden_value;
}
__device__ int plus_hundred(int x) {
    return x + 100;
}

__global__ void all(int* out) {
    const int i = threadIdx.x;
    atomicAdd(&counter, 1);
    if (i >= 4)
        return;
    out[i] = scaled(i + 5);
    if (i != 0)
        return;
    out[4] = hidden();
    int* const four = numbers(4);
    for (int n = 0; n < 4; ++n)
        out[5 + n] = four[n];
    free(four);
    out[9] = apply(plus_hundred, 7);
    const Square square;
    const Shape* const shape = &square;
    out[10] = shape->corners();
}

int main() {
    int* device;
    cudaMalloc(&device, 16 * sizeof(int));
    const int nineteen = 19;
    cudaMemcpyToSymbol(hidden_value, &nineteen, sizeof nineteen);
    all<<<2, 32>>>(device);
    int out[16], counted = 0;
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
    std::printf("scaled %d %d %d %d\nmine %d\ncounter %d\n", out[0], out[1], out[2], out[3], out[4], counted);
    std::printf("heap %d %d %d %d\npointer %d\ncorners %d\n", out[5], out[6], out[7], out[8], out[9], out[10]);
    std::printf("far hidden %d\n", far_hidden());
    cudaMemset(device, 0, sizeof(int));
    add<5><<<1, 32>>>(device);
    cudaMemcpy(out, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("sums %d %d\n", out[0], far_sum());
    return cudaGetLastError() != cudaSuccess;
}
