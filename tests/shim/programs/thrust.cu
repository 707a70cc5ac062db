// NVIDIA's libraries of algorithms, which come with nvcc, and for clang with Debian: Thrust on whole vectors, whose
// scan and sort have blocks wait for what earlier blocks leave in memory; CUB on the threads of a block; an atomic of
// libcu++.
// NEEDS: thrust/version.h
// NEEDS: cuda/atomic
// EXPECT: scan ok
// EXPECT: sort ok
// EXPECT: block ok
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

namespace {

constexpr int kThreads = 128, kEach = 4, kTile = kThreads * kEach;

// Sorts each tile, and adds all up.
__global__ void sort_tiles(int* values, int* total) {
    using Sort = cub::BlockRadixSort<int, kThreads, kEach>;
    using Reduce = cub::BlockReduce<int, kThreads>;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Reduce::TempStorage reduce;
    } shared;
    int mine[kEach];
    int* const tile = values + blockIdx.x * kTile + threadIdx.x * kEach;
    for (int i = 0; i < kEach; ++i)
        mine[i] = tile[i];
    Sort(shared.sort).Sort(mine);
    for (int i = 0; i < kEach; ++i)
        tile[i] = mine[i];
    __syncthreads();
    const int sum = Reduce(shared.reduce).Sum(mine);
    if (threadIdx.x == 0)
        cuda::atomic_ref<int, cuda::thread_scope_device>(*total).fetch_add(sum, cuda::memory_order_relaxed);
}

void say(const char* what, bool ok) {
    std::printf("%s %s\n", what, ok ? "ok" : "wrong");
}

bool equal(const thrust::device_vector<int>& a, const std::vector<int>& b) {
    const thrust::host_vector<int> host = a;
    return std::equal(b.begin(), b.end(), host.begin(), host.end());
}

} // namespace

int main() {
    std::vector<int> host(12 * kTile);
    unsigned seed = 1;
    for (int& value : host) {
        seed = seed * 1664525 + 1013904223;
        value = static_cast<int>(seed >> 12) - (1 << 19);
    }
    thrust::device_vector<int> device(host.begin(), host.end());

    thrust::device_vector<int> sums(host.size());
    thrust::inclusive_scan(device.begin(), device.end(), sums.begin());
    std::vector<int> expected(host.size());
    std::partial_sum(host.begin(), host.end(), expected.begin());
    say("scan", equal(sums, expected));

    thrust::device_vector<int> tiles = device, total(1);
    thrust::sort(device.begin(), device.end());
    expected = host;
    std::sort(expected.begin(), expected.end());
    say("sort", equal(device, expected));

    sort_tiles<<<12, kThreads>>>(thrust::raw_pointer_cast(tiles.data()), thrust::raw_pointer_cast(total.data()));
    expected = host;
    for (auto tile = expected.begin(); tile != expected.end(); tile += kTile)
        std::sort(tile, tile + kTile);
    say("block", equal(tiles, expected) && total[0] == std::accumulate(host.begin(), host.end(), 0));
}
