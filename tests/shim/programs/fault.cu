// A fault is reported once, with its place in the source, and every later call returns it.
// EXPECT: after the launch: cudaErrorIllegalAddress
// EXPECT: again: cudaErrorIllegalAddress
// EXPECT: allocation: cudaErrorIllegalAddress
// EXPECT: text: an illegal memory access was encountered
// STATUS: 7
// ERROR: out-of-bounds store of 4 bytes
// ERROR: fault.cu:13
// ERROR: block (1,0,0) thread (3,0,0)
#include <cstdio>
#include <cuda_runtime.h>
__global__ void store(int* p) {
    p[blockIdx.x == 1 && threadIdx.x == 3 ? 1000000 : threadIdx.x] = 1;
}
int main() {
    int* p;
    cudaMalloc((void**)&p, 128);
    store<<<2, 32>>>(p);
    std::printf("after the launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("again: %s\n", cudaGetErrorName(cudaGetLastError()));
    std::printf("allocation: %s\n", cudaGetErrorName(cudaMalloc((void**)&p, 4)));
    std::printf("text: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 7;
}
