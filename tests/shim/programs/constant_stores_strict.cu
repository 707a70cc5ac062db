// With --strict a store to a variable of constant memory ends the launch.
// ENV: HEDDLE_OPTIONS={"strict":true}
// EXPECT: cudaErrorIllegalAddress
// ERROR: in constant memory
#include <cstdio>
#include <cuda_runtime.h>

__constant__ int table[2] = {1, 2};

__global__ void write(int* at) {
    *at = 7;
}

int main() {
    int* address;
    cudaGetSymbolAddress((void**)&address, table);
    write<<<1, 1>>>(address);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
