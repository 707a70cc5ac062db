// Cooperative groups against plain arithmetic.
// EXPECT: PASS
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

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

int main() {
    unsigned *out, host[192];
    cudaMalloc(&out, sizeof host);
    operations<<<2, dim3(48, 2)>>>(out);
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    unsigned wrong = error != cudaSuccess;
    for (unsigned t = 0; t < 192 && error == cudaSuccess; ++t)
        if (host[t] != 0) {
            std::printf("thread %u: %x\n", t, host[t]);
            wrong = 1;
        }
    std::puts(wrong ? "FAIL" : "PASS");
    return int(wrong);
}
