// Tiles of more than a warp, which meet in memory of the program below compute capability 8.0.
// EXPECT: tiles of 64: 0 of 1024 wrong
// EXPECT: tiles of 128: 0 of 1024 wrong
// EXPECT: tiles of 256: 0 of 1024 wrong
// EXPECT: tiles of 512: 0 of 1024 wrong
// EXPECT: tiles of 1024: 0 of 1024 wrong
// EXPECT: no error
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 1024;

template <unsigned Size>
__device__ int sum_of(cg::thread_block_tile<Size> tile, int value) { // a tile of any parent
    return cg::reduce(tile, value, cg::plus<int>());
}

template <unsigned Size>
__global__ void operations(const int* in, unsigned* wrong) {
    __shared__ cg::block_tile_memory<kThreads> memory;
    __shared__ int values[kThreads];
    __shared__ int calls[kThreads / Size];
    const auto block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<Size>(block);
    unsigned bad = 0, bit = 0;
    const auto expect = [&](bool condition) { bad |= (condition ? 0U : 1U) << bit++; };
    constexpr int kSize = Size;
    const int t = static_cast<int>(block.thread_rank()), rank = t % kSize, first = t - rank, last = first + kSize - 1;

    expect(tile.thread_rank() == unsigned(rank) && tile.size() == Size && cg::group_size(tile) == Size);
    expect(tile.meta_group_rank() == unsigned(t) / Size && tile.meta_group_size() == kThreads / Size);
    expect(tile.shfl(3 * t, kSize - 7) == 3 * (last - 6) && tile.shfl(0.5 * t, 33) == 0.5 * (first + 33));
    expect(tile.any(t == 70) == (t / kSize == 70 / kSize) && tile.all(t != 70) == (t / kSize != 70 / kSize));
    expect(sum_of<Size>(tile, t) == kSize * (first + last) / 2);
    expect(cg::reduce(tile, t, cg::less<int>()) == first && cg::reduce(tile, t, cg::greater<int>()) == last);
    expect(cg::reduce(tile, 0.5 * t, cg::plus<double>()) == kSize * (first + last) / 4.0);
    const auto larger = [](long long a, long long b) { return a > b ? a : b; };
    expect(cg::reduce(tile, static_cast<long long>(t) << 40, larger) == static_cast<long long>(last) << 40);

    expect(cg::inclusive_scan(tile, t) == (first + t) * (rank + 1) / 2);
    expect(cg::exclusive_scan(tile, t, cg::plus<int>()) == (first + t) * (rank + 1) / 2 - t);
    expect(cg::inclusive_scan(tile, -t, cg::greater<int>()) == -first);
    expect(cg::exclusive_scan(tile, -t, cg::less<int>()) == (rank == 0 ? 0 : 1 - t));
    expect(cg::inclusive_scan(tile, 0.25) == 0.25 * (rank + 1) && cg::exclusive_scan(tile, 0.25) == 0.25 * rank);

    // Tiles go their own ways.
    int sum = 0;
    for (int round = 0; round < 2 + t / kSize; ++round) {
        values[t] = round * t;
        tile.sync();
        sum += values[last - rank] - round * (last - rank);
        cg::sync(tile);
    }
    expect(sum == 0);

    const auto half = cg::tiled_partition<Size / 2>(tile);
    const int of_half = first + rank / (kSize / 2) * (kSize / 2);
    expect(half.thread_rank() == unsigned(t) % (Size / 2) && half.meta_group_size() == 2);
    expect(half.meta_group_rank() == unsigned(rank) / (Size / 2));
    expect(cg::reduce(half, t, cg::plus<int>()) == kSize / 2 * (2 * of_half + kSize / 2 - 1) / 2);
    const auto eight = cg::tiled_partition<8>(tile);
    expect(eight.meta_group_rank() == unsigned(rank) / 8 && eight.meta_group_size() == Size / 8 &&
           eight.shfl(t, 2) == t / 8 * 8 + 2);

    calls[t / kSize] = 0;
    tile.sync();
    cg::invoke_one(
        tile, [&](int by) { calls[t / kSize] += by; }, 5);
    tile.sync();
    expect(calls[t / kSize] == 5);
    tile.sync();
    const int before = cg::invoke_one_broadcast(tile, [&] { return calls[t / kSize]++; });
    tile.sync();
    expect(before == 5 && calls[t / kSize] == 6);

    cg::reduce_store_async(tile, &calls[t / kSize], rank, cg::plus<int>());
    tile.sync();
    expect(calls[t / kSize] == kSize * (kSize - 1) / 2);
    cg::memcpy_async(tile, values + first, in + first, kSize * sizeof(int));
    cg::wait(tile);
    expect(values[last - rank] == 7 * (last - rank));
    wrong[t] = bad;
}

template <unsigned Size>
void run(const int* in, unsigned* wrong) {
    for (unsigned i = 0; i < kThreads; ++i)
        wrong[i] = ~0U;
    operations<Size><<<1, dim3(kThreads / 4, 4)>>>(in, wrong);
    cudaDeviceSynchronize();
    unsigned all = 0;
    for (unsigned i = 0; i < kThreads; ++i)
        if (wrong[i] != 0 && all++ == 0)
            std::printf("thread %u: %x\n", i, wrong[i]);
    std::printf("tiles of %u: %u of %u wrong\n", Size, all, kThreads);
}

int main() {
    int* in;
    unsigned* wrong;
    cudaMallocManaged(&in, kThreads * sizeof *in);
    cudaMallocManaged(&wrong, kThreads * sizeof *wrong);
    for (unsigned i = 0; i < kThreads; ++i)
        in[i] = 7 * static_cast<int>(i);
    run<64>(in, wrong);
    run<128>(in, wrong);
    run<256>(in, wrong);
    run<512>(in, wrong);
    run<1024>(in, wrong);
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
