// A store to freed memory is an illegal address, whatever words its report begins with.
// EXPECT: cudaErrorIllegalAddress
// STATUS: 0
// ERROR: freed.cu:9
// ERROR: thread (0,0,0)
#include <cstdio>
#include <cuda_runtime.h>
__global__ void store(int* p) {
    p[threadIdx.x] = 1;
}
int main() {
    int* p;
    cudaMalloc((void**)&p, 128);
    store<<<1, 4>>>(p); // the module is loaded, so that its variables do not take the place
    cudaFree(p);
    store<<<1, 4>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
