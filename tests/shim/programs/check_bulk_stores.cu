// The checker and bulk stores: lanes of a warp that store the same bytes to one place make no race, those that store
// different ones do. The copy of 4 KiB is one place of the program.
// ARCH: 90
// ENV: HEDDLE_MACHINE=h100
// ENV: HEDDLE_OPTIONS={"functional":true,"check":"races"}
// EXPECT: stored: 7 1
// ERROR: checked for races: 1 error,
// ERROR: race in global memory
#include <cstdio>
#include <cuda_runtime.h>

static constexpr unsigned kBytes = 4096;

__device__ void store(unsigned* to, unsigned* from) {
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(from));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(kBytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void same(unsigned* to) {
    __align__(16) __shared__ unsigned from[kBytes / 4];
    for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x)
        from[i] = 7;
    __syncthreads();
    store(to, from);
}

__global__ void different(unsigned* to) {
    __align__(16) __shared__ unsigned from[2 * kBytes / 4];
    for (unsigned i = threadIdx.x; i < 2 * kBytes / 4; i += blockDim.x)
        from[i] = i < kBytes / 4 ? 0 : 1;
    __syncthreads();
    store(to, from + threadIdx.x % 2 * (kBytes / 4));
}

int main() {
    unsigned *to, first = 0, last = 0;
    cudaMalloc(&to, kBytes);
    same<<<1, 32>>>(to);
    cudaMemcpy(&first, to, sizeof first, cudaMemcpyDeviceToHost);
    different<<<1, 32>>>(to);
    cudaMemcpy(&last, to + kBytes / 4 - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("stored: %u %u\n", first, last);
}
