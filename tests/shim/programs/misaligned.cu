// EXPECT: cudaErrorMisalignedAddress
// ERROR: misaligned
#include <cstdio>
#include <cuda_runtime.h>
__global__ void load(const char* p, int* out) {
    out[threadIdx.x] = *reinterpret_cast<const int*>(p + 2);
}
int main() {
    char* p;
    int* out;
    cudaMalloc((void**)&p, 128);
    cudaMalloc((void**)&out, 128);
    load<<<1, 32>>>(p, out);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
