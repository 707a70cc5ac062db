// Cooperative groups: scans, partitions by labels, copies of a group.
// EXPECT: inclusive: 1 3 6 10, exclusive: 0 1 3 6, maxima: 5 5 9 9
// EXPECT: of coalesced threads: 0 2 6 12
// EXPECT: thirds: 11 11 10, ranks: 3 3 3, multiples of 5: 7 25
// EXPECT: copied: yes
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void scans(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto tile = cg::tiled_partition<4>(warp);
    const int t = threadIdx.x;
    const int values[] = {5, 2, 9, 3};
    out[t] = cg::inclusive_scan(tile, t % 4 + 1);
    out[32 + t] = cg::exclusive_scan(tile, t % 4 + 1, cg::plus<int>());
    out[64 + t] = cg::inclusive_scan(tile, values[t % 4], cg::greater<int>());
    if (t % 2 == 0)
        out[96 + t] = cg::exclusive_scan(cg::coalesced_threads(), t + 2); // 2 4 6 ...
}

__global__ void parts(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int t = threadIdx.x;
    const auto third = cg::labeled_partition(warp, t % 3);
    const auto fifth = cg::binary_partition(warp, t % 5 == 0);
    out[t] = static_cast<int>(third.size());
    out[32 + t] = static_cast<int>(third.thread_rank());
    out[64 + t] = static_cast<int>(fifth.size());
}

__global__ void copies(const char* from, char* to) {
    alignas(16) __shared__ char there[96];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, there, from, 48);          // 16 bytes at a time
    cg::memcpy_async(block, there + 49, from + 49, 7); // single bytes
    cg::memcpy_async(block, there + 60, 36, from + 60, 40);
    cg::wait(block);
    for (int i = threadIdx.x; i < 96; i += 32)
        if (i < 48 || (i >= 49 && i < 56) || i >= 60)
            to[i] = there[i];
}

int main() {
    int* out;
    char *from, *to;
    cudaMallocManaged(&out, 512);
    cudaMallocManaged(&from, 128);
    cudaMallocManaged(&to, 128);
    scans<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::printf("inclusive: %d %d %d %d, exclusive: %d %d %d %d, maxima: %d %d %d %d\n", out[4], out[5], out[6], out[7],
                out[36], out[37], out[38], out[39], out[68], out[69], out[70], out[71]);
    std::printf("of coalesced threads: %d %d %d %d\n", out[96], out[98], out[100], out[102]);
    parts<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::printf("thirds: %d %d %d, ranks: %d %d %d, multiples of 5: %d %d\n", out[0], out[1], out[2], out[32 + 9],
                out[32 + 10], out[32 + 11], out[64 + 5], out[64 + 6]);
    for (int i = 0; i < 100; ++i)
        from[i] = static_cast<char>(i);
    copies<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    bool good = true;
    for (int i = 0; i < 96; ++i)
        good &= to[i] == (i < 48 || (i >= 49 && i < 56) || i >= 60 ? i : 0);
    std::printf("copied: %s\n", good ? "yes" : "no");
}
