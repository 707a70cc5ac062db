// A kernel that stores to a variable of constant memory by its address: a GPU has no memory that is read-only, and the
// next launch reads the new values.
// EXPECT: before: 1 2
// EXPECT: after: 7 2
// EXPECT: copied back: 7
#include <cstdio>
#include <cuda_runtime.h>

__constant__ int table[2] = {1, 2};

__global__ void read(int* out) {
    out[threadIdx.x] = table[threadIdx.x];
}
__global__ void write(int* at, int value) {
    *at = value;
}

int main() {
    int *out, *address, values[2];
    cudaMalloc(&out, sizeof values);
    cudaGetSymbolAddress((void**)&address, table);
    read<<<1, 2>>>(out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    std::printf("before: %d %d\n", values[0], values[1]);
    write<<<1, 1>>>(address, 7);
    read<<<1, 2>>>(out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    std::printf("after: %d %d\n", values[0], values[1]);
    cudaMemcpyFromSymbol(values, table, sizeof(int));
    std::printf("copied back: %d\n", values[0]);
}
