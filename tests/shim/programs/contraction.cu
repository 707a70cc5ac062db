// A product and a sum stay apart: (1 + 2^-12)^2 is rounded to 1 + 2^-11 before that is taken away.
// OPTIONS: -fmad=false -g -w
// EXPECT: 0
#include <cstdio>
#include <cuda_runtime.h>

__global__ void difference(float* x, float a, float c) {
    *x = a * a - c;
}

int main() {
    float* x;
    cudaMallocManaged(&x, sizeof *x);
    difference<<<1, 1>>>(x, 1 + 0x1p-12f, 1 + 0x1p-11f);
    cudaDeviceSynchronize();
    std::printf("%g\n", static_cast<double>(*x));
}
