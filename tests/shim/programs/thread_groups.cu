// Groups whose kind is known when the program runs, shuffles of structs, and names that programs test.
// EXPECT: block of 72: sizes 72 8, ranks 41 1
// EXPECT: last warp: size 8, of 16: 8
// EXPECT: sums of 4: 6 22 38
// EXPECT: coalesced, of 2: 2 0 2 1
// EXPECT: shuffled: 31 62 93.5, down: 1 2 3.5, up: 0 0 0.5
// EXPECT: graph: cudaSuccess
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__)
#error "programs test these names"
#endif
static_assert(cudaDeviceBlockingSync == cudaDeviceScheduleBlockingSync);

namespace cg = cooperative_groups;

struct Three {
    int a;
    long long b;
    float c;
};

__device__ unsigned sum_of_ranks(const cg::thread_group& group, unsigned* shared) {
    if (group.thread_rank() == 0)
        *shared = 0;
    group.sync();
    atomicAdd(shared, threadIdx.x);
    group.sync();
    return *shared;
}

__global__ void groups(unsigned* out, Three* three) {
    __shared__ unsigned sums[32];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_group all = block, part = cg::tiled_partition(block, 8);
    if (threadIdx.x == 41) {
        out[0] = static_cast<unsigned>(all.size());
        out[1] = static_cast<unsigned>(part.size());
        out[2] = static_cast<unsigned>(all.thread_rank());
        out[3] = static_cast<unsigned>(part.thread_rank());
    }
    const cg::thread_group quarter = cg::tiled_partition(block, 16);
    if (threadIdx.x == 71) {
        out[4] = static_cast<unsigned>(cg::tiled_partition(block, 32).size());
        out[5] = static_cast<unsigned>(quarter.size());
    }
    const auto four = cg::tiled_partition(block, 4);
    const unsigned sum = sum_of_ranks(four, &sums[threadIdx.x / 4]);
    if (threadIdx.x % 4 == 0 && threadIdx.x < 12)
        out[6 + threadIdx.x / 4] = sum;
    if (threadIdx.x < 32 && threadIdx.x % 2 == 1) {
        const auto odd = cg::coalesced_threads();
        const cg::thread_group two = cg::tiled_partition(odd, 2);
        if (threadIdx.x == 5 || threadIdx.x == 7) {
            out[9 + threadIdx.x - 5] = static_cast<unsigned>(two.size());
            out[10 + threadIdx.x - 5] = static_cast<unsigned>(two.thread_rank());
        }
    }
    const auto tile = cg::tiled_partition<32>(block);
    const int i = static_cast<int>(threadIdx.x);
    const Three own{i, 2LL * i, 3.0F * static_cast<float>(i) + 0.5F};
    const Three reversed = tile.shfl(own, 31), down = tile.shfl_down(own, 1), up = tile.shfl_up(own, 1);
    if (threadIdx.x == 0) {
        three[0] = reversed;
        three[1] = down;
        three[2] = up;
    }
}

int main() {
    unsigned* out;
    Three* three;
    cudaMallocManaged(&out, 16 * sizeof *out);
    cudaMallocManaged(&three, 3 * sizeof *three);
    groups<<<1, 72>>>(out, three);
    cudaDeviceSynchronize();
    std::printf("block of 72: sizes %u %u, ranks %u %u\n", out[0], out[1], out[2], out[3]);
    std::printf("last warp: size %u, of 16: %u\n", out[4], out[5]);
    std::printf("sums of 4: %u %u %u\n", out[6], out[7], out[8]);
    std::printf("coalesced, of 2: %u %u %u %u\n", out[9], out[10], out[11], out[12]);
    std::printf("shuffled: %d %lld %g, down: %d %lld %g, up: %d %lld %g\n", three[0].a, three[0].b, three[0].c,
                three[1].a, three[1].b, three[1].c, three[2].a, three[2].b, three[2].c);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    std::printf("graph: %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0)));
}
