// Tables of the headers' mathematics lie behind the first allocation. Stores that overrun it do not reach them.
// EXPECT: cosine of 1e9 + 0.25: 0.676795
// ERROR: out-of-bounds store of 4 bytes at
// ERROR: 400 such accesses of
// ERROR: overrun_tables.cu:11 in this launch; the program goes on
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void clear(int* from) {
    from[threadIdx.x] = 0;
}

// The argument needs all digits of 2 / pi, which are in a table.
__global__ void cosine(double of, double* to) {
    *to = cos(of);
}

int main() {
    int* first;
    double *result, host = 0;
    cudaMalloc(&first, 4000);
    clear<<<1, 1000>>>(first + 400); // 600 inside, 400 behind
    cudaMalloc(&result, sizeof(double));
    cosine<<<1, 1>>>(1e9 + 0.25, result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("cosine of 1e9 + 0.25: %.6f\n", host);
    return 0;
}
