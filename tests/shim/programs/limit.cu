// A run that meets its limit ends with status 3 and says why.
// ENV: HEDDLE_OPTIONS={"functional":false,"max_cycles":0,"max_instructions":5000,"kernels":null,"progress":false}
// STATUS: 3
// EXPECT: started
// ERROR: stopped at the limit of instructions
#include <cstdio>
#include <cuda_runtime.h>
__global__ void spin(int* p, int n) {
    for (int i = 0; i < n; ++i)
        p[threadIdx.x] += p[(threadIdx.x + i) % 32];
}
int main() {
    int* p;
    cudaMalloc((void**)&p, 128);
    cudaMemset(p, 1, 128);
    std::puts("started");
    spin<<<1, 32>>>(p, 1000000);
    std::puts("not reached");
}
