// Stores and bulk copies that overrun the first allocation do not reach the tables of the headers' mathematics.
// ARCH: 90
// ENV: HEDDLE_MACHINE=h100
// EXPECT: behind stores: 0.676795
// EXPECT: behind bulk copies: 0.676795
// ERROR: out-of-bounds store of 4 bytes at
// ERROR: 400 such accesses of
// ERROR: overrun_tables.cu:16 in this launch; the program goes on
// ERROR: bulk copy of 1024 bytes
// ERROR: which no allocation holds
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void clear(int* from) {
    from[threadIdx.x] = 0;
}

__global__ void clear_in_bulk(int* from) {
    __align__(16) __shared__ int zeros[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
        zeros[i] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(from),
                 "r"(static_cast<unsigned>(__cvta_generic_to_shared(zeros))), "r"(4096 * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// The argument needs all digits of 2 / pi, which are in a table.
__global__ void cosine(double of, double* to) {
    *to = cos(of);
}

static void print_cosine(const char* behind, double* result) {
    double host = 0;
    cosine<<<1, 1>>>(1e9 + 0.25, result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("behind %s: %.6f\n", behind, host);
}

int main() {
    int* first;
    double* result;
    cudaMalloc(&first, 4000);
    clear<<<1, 1000>>>(first + 400); // 600 inside, 400 behind
    cudaMalloc(&result, sizeof(double));
    print_cosine("stores", result);
    clear_in_bulk<<<1, 256>>>(first + 400);
    print_cosine("bulk copies", result);
    return 0;
}
