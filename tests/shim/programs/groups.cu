// Cooperative groups against plain arithmetic.
// EXPECT: PASS
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int sum_of_tile(cg::thread_block_tile<8> tile, int value) {
    for (int d = tile.size() / 2; d > 0; d /= 2)
        value += tile.shfl_down(value, d);
    return tile.shfl(value, 0);
}

__global__ void operations(unsigned* out) {
    __shared__ int shared[96];
    unsigned ok = 0, bit = 0;
    auto expect = [&](bool condition) { ok |= (condition ? 0u : 1u) << bit++; };
    const cg::thread_block block = cg::this_thread_block();
    const int t = threadIdx.y * blockDim.x + threadIdx.x; // of 48 x 2
    expect(block.thread_rank() == t && block.size() == 96 && block.group_index().x == blockIdx.x);
    shared[t] = t;
    block.sync();
    expect(shared[95 - t] == 95 - t);
    cg::sync(block);

    const auto warp = cg::tiled_partition<32>(block);
    expect(warp.thread_rank() == t % 32 && warp.meta_group_rank() == t / 32 && warp.meta_group_size() == 3);
    expect(cg::reduce(warp, t, cg::plus<int>()) == t / 32 * 1024 + 496);
    expect(cg::reduce(warp, t, cg::less<int>()) == t / 32 * 32 &&
           cg::reduce(warp, t, cg::greater<int>()) == t / 32 * 32 + 31);
    expect(warp.any(t == 40) == (t / 32 == 1) && warp.all(t < 40) == (t < 32));
    expect(warp.ballot(t & 1) == 0xaaaaaaaau);

    const auto tile = cg::tiled_partition<8>(block);
    const auto part = cg::tiled_partition<4>(warp);
    expect(tile.thread_rank() == t % 8 && tile.meta_group_rank() == t / 8 && tile.meta_group_size() == 12);
    expect(part.meta_group_rank() == t % 32 / 4 && part.meta_group_size() == 8);
    expect(sum_of_tile(tile, t) == t / 8 * 64 + 28);
    expect(tile.ballot(t % 8 < 3) == 7 && tile.any(t == 9) == (t / 8 == 1) && tile.all(t < 9) == (t < 8));
    expect(part.shfl_xor(t, 3) == (t ^ 3) && part.shfl_up(t, 1) == (t % 4 == 0 ? t : t - 1));
    expect(tile.match_any(t % 4) == 0x11u << t % 4);
    tile.sync();

    if (t % 3 == 0) {
        const cg::coalesced_group some = cg::coalesced_threads();
        const unsigned first = (3 - t / 32 * 32 % 3) % 3; // lane of the first multiple of 3 in the warp
        expect(some.size() == (34 - first) / 3);
        expect(some.thread_rank() == (t % 32 - first) / 3);
        expect(some.shfl(t, 1) == int(t / 32 * 32 + first + 3));
        expect(some.ballot(some.thread_rank() < 2) == 3);
        expect(cg::reduce(some, 1, cg::plus<int>()) == int(some.size()));
        some.sync();
    }
    const cg::grid_group grid = cg::this_grid();
    expect(grid.size() == 192 && grid.thread_rank() == blockIdx.x * 96 + t);
    out[blockIdx.x * 96 + t] = ok;
}

__global__ void more(unsigned* out) {
    __shared__ int shared[96];
    unsigned ok = 0, bit = 0;
    auto expect = [&](bool condition) { ok |= (condition ? 0u : 1u) << bit++; };
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto tile = cg::tiled_partition<8>(block);
    const auto part = cg::tiled_partition<4>(warp);
    const cg::grid_group grid = cg::this_grid();
    const int t = threadIdx.y * blockDim.x + threadIdx.x; // of 48 x 2
    expect(grid.dim_threads().x == 96 && grid.dim_threads().y == 2 && grid.thread_index().y == threadIdx.y &&
           grid.thread_index().x == blockIdx.x * 48 + threadIdx.x);

    expect(cg::thread_rank(block) == t && cg::group_size(tile) == 8 && cg::thread_rank(tile) == t % 8 &&
           cg::group_size(grid) == 192);
    const auto own = cg::this_thread();
    own.sync();
    expect(own.size() == 1 && own.thread_rank() == 0 && own.meta_group_rank() == 0 && own.meta_group_size() == 1 &&
           own.shfl(t, 0) == t);
    shared[t] = 2 * t;
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    expect(shared[95 - t] == 2 * (95 - t));
    block.sync();

    // The places of parts among each other.
    const auto thirds = cg::labeled_partition(warp, (t + 1) % 3); // lanes 0, 1 and 2 come first
    expect(thirds.meta_group_rank() == t % 32 % 3 && thirds.meta_group_size() == 3);
    const auto sign = cg::labeled_partition(warp, t % 5 == 1);
    expect(sign.meta_group_rank() == (t % 5 == 1) && sign.meta_group_size() == 2);
    const auto all = cg::binary_partition(warp, t >= 0);
    expect(all.meta_group_rank() == 0 && all.meta_group_size() == 1 && all.size() == 32);
    const auto same = cg::labeled_partition(tile, &shared[t / 2]);
    expect(same.size() == 2 && same.meta_group_rank() == t % 8 / 2 && same.meta_group_size() == 4);
    if (t % 2 == 0) {
        const auto evens = cg::coalesced_threads();
        expect(evens.meta_group_rank() == 0 && evens.meta_group_size() == 1);
        const auto four = cg::tiled_partition(evens, 4);
        expect(four.size() == 4 && four.meta_group_rank() == t % 32 / 8 && four.meta_group_size() == 4);
        expect(cg::tiled_partition(four, 8).meta_group_rank() == four.meta_group_rank()); // not divided
        expect(cg::invoke_one_broadcast(evens, [&] { return t; }) == t / 32 * 32);
    }

    shared[t] = 0;
    block.sync();
    cg::invoke_one(
        tile, [&](int add) { shared[t / 8] += add; }, 5);
    cg::invoke_one(block, [&] { shared[95] = 1; });
    block.sync();
    expect(shared[t / 8] == 5 && shared[95] == 1);
    expect(cg::invoke_one_broadcast(
               part, [](double x, int y) { return x * y; }, 0.5, 3) == 1.5);
    out[blockIdx.x * 96 + t] = ok;
}

int main() {
    unsigned *out, host[192];
    cudaMalloc(&out, sizeof host);
    unsigned wrong = 0;
    for (const auto kernel : {operations, more}) {
        kernel<<<2, dim3(48, 2)>>>(out);
        const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        wrong |= error != cudaSuccess;
        for (unsigned t = 0; t < 192 && error == cudaSuccess; ++t)
            if (host[t] != 0) {
                std::printf("thread %u: %x\n", t, host[t]);
                wrong = 1;
            }
    }
    std::puts(wrong ? "FAIL" : "PASS");
    return int(wrong);
}
