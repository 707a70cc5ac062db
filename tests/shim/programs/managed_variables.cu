// Variables that the program and the device both have.
// EXPECT: begins with: 1 2.5
// EXPECT: counted: 133
// EXPECT: added on the device: 9.5
// EXPECT: copied: 40, read back 41
// EXPECT: its address: 1
#include <cstdio>
#include <cuda_runtime.h>

__managed__ int counter = 1;
__managed__ float table[64] = {0, 2.5f};
__device__ int plain = 7;

__global__ void count() {
    atomicAdd(&counter, 1);
    if (blockIdx.x == 0)
        table[threadIdx.x] += plain;
}

int main() {
    std::printf("begins with: %d %g\n", counter, table[1]);
    counter = 5;
    count<<<2, 64>>>();
    cudaDeviceSynchronize();
    std::printf("counted: %d\n", counter);
    std::printf("added on the device: %g\n", table[1]);
    int value = 40;
    cudaMemcpyToSymbol(counter, &value, sizeof value);
    const int copied = counter;
    ++counter;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    std::printf("copied: %d, read back %d\n", copied, value);
    void* address = nullptr;
    cudaGetSymbolAddress(&address, table);
    std::printf("its address: %d\n", address == table);
}
