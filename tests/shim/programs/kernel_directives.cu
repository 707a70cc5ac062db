// Directives of kernels: clusters, the most registers, and three numbers of __launch_bounds__.
// ARCH: 90
// ENV: HEDDLE_MACHINE=h100
// EXPECT: clusters of 2: 20 21 20 21
// EXPECT: bounds: 3, 64 threads
// EXPECT: registers: 4, at most 24
// EXPECT: two bounds: 5, 4 threads
#include <cstdio>

constexpr int kBlocks = 2;

template <int kSize>
__global__ void __cluster_dims__(kSize, 1, 1) __launch_bounds__(128) place_in_cluster(unsigned* out) {
    unsigned rank, size;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    if (threadIdx.x == 0)
        out[blockIdx.x] = 10 * size + rank;
}

__global__ void __launch_bounds__(64, 1, 4) bounded(unsigned* out) {
    *out = 3;
}
__global__ void __maxnreg__(24) few_registers(unsigned* out) {
    *out = 4;
}
namespace {
__global__ void __launch_bounds__(2 * kBlocks, (1 + 1) / 2) of_two_numbers(unsigned* out) {
    *out = 5;
}
} // namespace

int main() {
    unsigned *out, host[4];
    cudaMalloc(&out, sizeof host);
    place_in_cluster<kBlocks><<<4, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("clusters of 2: %u %u %u %u\n", host[0], host[1], host[2], host[3]);

    cudaFuncAttributes attributes;
    bounded<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFuncGetAttributes(&attributes, bounded);
    std::printf("bounds: %u, %d threads\n", host[0], attributes.maxThreadsPerBlock);
    few_registers<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFuncGetAttributes(&attributes, few_registers);
    std::printf("registers: %u, at most %d\n", host[0], attributes.numRegs <= 24 ? 24 : attributes.numRegs);
    of_two_numbers<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFuncGetAttributes(&attributes, of_two_numbers);
    std::printf("two bounds: %u, %d threads\n", host[0], attributes.maxThreadsPerBlock);
}
