// A bulk copy that ends behind an allocation, in its page of 2 MiB: a GPU lets it pass.
// ARCH: 90
// ENV: HEDDLE_MACHINE=h100
// EXPECT: read: cudaSuccess, 1 1 0
// EXPECT: written: cudaSuccess, 1
// EXPECT: far away: cudaErrorIllegalAddress
// ERROR: bulk copy of 256 bytes
// ERROR: which no allocation holds
// ERROR: it runs 192 bytes past the end of 'cudaMalloc
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

static constexpr unsigned kBytes = 256;

__device__ unsigned read_first, read_last, read_behind;

__global__ void copy_in(const char* from) {
    __align__(16) __shared__ unsigned to[kBytes / 4];
    __align__(8) __shared__ std::uint64_t arrived;
    if (threadIdx.x != 0)
        return;
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const auto object = static_cast<unsigned>(__cvta_generic_to_shared(&arrived));
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(object) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(object), "r"(kBytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at),
                 "l"(from), "r"(kBytes), "r"(object)
                 : "memory");
    asm volatile(
        "{\n.reg .pred p;\nwait:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra wait;\n}" ::"r"(object)
        : "memory");
    read_first = to[0];
    read_last = to[15];
    read_behind = to[16];
}

__global__ void copy_out(char* to) {
    __align__(16) __shared__ unsigned from[kBytes / 4];
    for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x)
        from[i] = 1;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(from));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(kBytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
    char* memory;
    cudaMalloc(&memory, 64);
    unsigned words[16], first = 9, last = 9, behind = 9;
    for (unsigned& word : words)
        word = 1;
    cudaMemcpy(memory, words, sizeof words, cudaMemcpyHostToDevice);
    copy_in<<<1, 32>>>(memory);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&first, read_first, sizeof first);
    cudaMemcpyFromSymbol(&last, read_last, sizeof last);
    cudaMemcpyFromSymbol(&behind, read_behind, sizeof behind);
    std::printf("read: %s, %u %u %u\n", cudaGetErrorName(error), first, last, behind);
    cudaMemset(memory, 0, 64);
    copy_out<<<1, 32>>>(memory);
    error = cudaDeviceSynchronize();
    cudaMemcpy(&first, memory, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("written: %s, %u\n", cudaGetErrorName(error), first);
    copy_out<<<1, 32>>>(reinterpret_cast<char*>(~0ULL << 7)); // it would end beyond all addresses
    std::printf("far away: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
