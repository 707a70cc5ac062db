// The sum of integers whose rate on an H100 is published for 2^30 of them (pranjalssh/fast.cu, sum.cu, its third
// kernel): a thread of a block of 1024 takes 16 times 16 bytes, a warp adds by shuffles, warps add by atomic operations
// in shared memory, and blocks in global memory. Simulated are 2^27 elements, 2048 blocks of 16,384.

#include "tensor_map.h"

namespace {

constexpr unsigned kThreads = 1024, kLoads = 16;
constexpr unsigned kOfBlock = kThreads * kLoads * 4; // elements

__device__ int sum_of(int4 values) {
    return values.x + values.y + values.z + values.w;
}

__global__ void __launch_bounds__(kThreads) sum(const int4* from, int* to, unsigned count) {
    __shared__ int of_block;
    const unsigned first = blockIdx.x * kThreads * kLoads + threadIdx.x;
    if (threadIdx.x == 0)
        of_block = 0;
    int of_thread = 0;
#pragma unroll
    for (unsigned i = 0; i < kLoads; ++i)
        if (first + i * kThreads < count)
            of_thread += sum_of(from[first + i * kThreads]);
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2)
        of_thread += __shfl_down_sync(0xffffffff, of_thread, offset);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&of_block, of_thread);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(to, of_block);
}

} // namespace

int main(int count, char** words) {
    const unsigned elements = validation::is_quick(count, words) ? kOfBlock : 1U << 27;
    std::vector<int> values(elements);
    int expected = 0;
    for (unsigned i = 0; i < elements; ++i)
        expected += values[i] = static_cast<int>((i * 2654435761U) >> 16) % 100;
    workload::DeviceArray<int> from(values), to(1);
    to.fill_bytes(0);
    validation::TimedLaunch launch;
    const double took = launch.nanoseconds([&] {
        sum<<<elements / kOfBlock, kThreads>>>(reinterpret_cast<const int4*>(from.data()), to.data(), elements / 4);
    });
    workload::finish_kernels();
    validation::expect_near("sum", 0, to.to_host()[0], expected, 0);
    validation::report("kernel.hopper_sum.third", static_cast<double>(elements) * sizeof(int) / took, "GB/s");
}
