// Reductions and scans of groups that store to or update atomic variables.
// NEEDS: cuda/atomic
// EXPECT: sum 2116, least -3, most 63, and 8, or 63, xor 32
// EXPECT: farthest -70, sum of halves 1008.5, stored 496 0.25, odd ranks 16, unsigned 63
// EXPECT: tile: 0 of 32 wrong, left 1496 1000
// EXPECT: threads that run together: 0 of 16 wrong, left 356
// EXPECT: tile of 64: 0 of 64 wrong, left 3016
// EXPECT: no error
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

using Integer = cuda::atomic<int, cuda::thread_scope_device>;
using Reference = cuda::atomic_ref<int, cuda::thread_scope_device>;
using Double = cuda::atomic_ref<double, cuda::thread_scope_device>;

// Two tiles of 32 threads.
__global__ void reductions(int* numbers, double* doubles) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int t = static_cast<int>(threadIdx.x);
    cg::reduce_update_async(tile, reinterpret_cast<Integer&>(numbers[0]), t, cg::plus<int>());
    cg::reduce_update_async(tile, Reference(numbers[1]), t - 3, cg::less<int>());
    cg::reduce_update_async(tile, Reference(numbers[2]), t, cg::greater<int>());
    cg::reduce_update_async(tile, Reference(numbers[3]), 8 | t, cg::bit_and<int>());
    cg::reduce_update_async(tile, Reference(numbers[4]), t, cg::bit_or<int>());
    cg::reduce_update_async(tile, Reference(numbers[5]), t == 40 ? 36 : 0, cg::bit_xor<int>());
    const auto farther = [](int a, int b) { return a * a < b * b ? b : a; };
    cg::reduce_update_async(tile, Reference(numbers[6]), t == 12 ? -70 : t, farther);
    cg::reduce_update_async(tile, Double(doubles[0]), 0.5 * t, cg::plus<double>());
    const cuda::atomic_ref<unsigned, cuda::thread_scope_device> least(reinterpret_cast<unsigned&>(numbers[9]));
    cg::reduce_update_async(tile, least, t + 0xfffffff0U, cg::less<unsigned>()); // 0 for 16
    __syncthreads();
    cg::reduce_update_async(tile, least, t + 0U, cg::greater<unsigned>());
    if (t < 32) {
        cg::reduce_store_async(tile, reinterpret_cast<Integer&>(numbers[7]), t, cg::plus<int>());
        cg::reduce_store_async(tile, Double(doubles[1]), t == 9 ? 0.25 : 0.0, cg::plus<double>());
    }
    if (t % 2 == 1 && t < 32)
        cg::reduce_store_async(cg::coalesced_threads(), &numbers[8], 1, cg::plus<int>());
}

__global__ void scans_of_tile(int* left, int* wrong) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int t = static_cast<int>(threadIdx.x), before = t * (t - 1) / 2;
    bool bad =
        cg::inclusive_scan_update(tile, reinterpret_cast<Integer&>(left[0]), t, cg::plus<int>()) != 1000 + before + t;
    tile.sync();
    bad |= cg::exclusive_scan_update(tile, Reference(left[1]), 1) != 1000 + t;
    bad |= cg::exclusive_scan_update(tile, Reference(left[1]), -1) != 1032 - t;
    bad |= cg::exclusive_scan_update(tile, Reference(left[1]), 10 * t, cg::greater<int>()) != 1000;
    bad |= cg::inclusive_scan_update(tile, Reference(left[1]), 0) != 1000;
    wrong[t] = bad;
}

__global__ void scans_of_threads(int* left, int* wrong) {
    const int t = static_cast<int>(threadIdx.x), rank = t / 2;
    if (t % 2 == 0) {
        const auto group = cg::coalesced_threads(); // 0 2 4 ...
        bool bad = cg::exclusive_scan_update(group, Reference(*left), 1) != 100 + rank;
        bad |= cg::inclusive_scan_update(group, Reference(*left), t, cg::plus<int>()) != 116 + rank * (rank + 1);
        wrong[rank] = bad;
    }
}

__global__ void scans_of_wide_tile(int* left, int* wrong) {
    __shared__ cg::block_tile_memory<64> memory;
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    const int t = static_cast<int>(threadIdx.x), before = t * (t - 1) / 2;
    bool bad = cg::exclusive_scan_update(tile, Reference(*left), t, cg::plus<int>()) != 1000 + before;
    bad |= cg::inclusive_scan_update(tile, reinterpret_cast<Integer&>(*left), 0) != 3016;
    wrong[t] = bad;
    cg::reduce_update_async(tile, Reference(*left), t, cg::less<int>()); // 0
    tile.sync();
    cg::reduce_update_async(tile, Reference(*left), 3016 - t, cg::greater<int>());
}

static int* numbers;
static double* doubles;

static void scan(const char* what, void (*kernel)(int*, int*), int threads, int results) {
    for (int i = 0; i < 64; ++i)
        numbers[8 + i] = 1;
    kernel<<<1, threads>>>(numbers, numbers + 8);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < results; ++i)
        wrong += numbers[8 + i];
    std::printf("%s: %d of %d wrong, left %d", what, wrong, results, numbers[0]);
}

int main() {
    cudaMallocManaged(&numbers, 72 * sizeof *numbers);
    cudaMallocManaged(&doubles, 2 * sizeof *doubles);
    const int first[] = {100, 99, 5, -1, 0, 4, 3, 0, 0, -1};
    for (int i = 0; i < 10; ++i)
        numbers[i] = first[i];
    doubles[0] = 0.5;
    reductions<<<1, 64>>>(numbers, doubles);
    cudaDeviceSynchronize();
    std::printf("sum %d, least %d, most %d, and %d, or %d, xor %d\n", numbers[0], numbers[1], numbers[2], numbers[3],
                numbers[4], numbers[5]);
    std::printf("farthest %d, sum of halves %g, stored %d %g, odd ranks %d, unsigned %d\n", numbers[6], doubles[0],
                numbers[7], doubles[1], numbers[8], numbers[9]);
    numbers[0] = numbers[1] = 1000;
    scan("tile", scans_of_tile, 32, 32);
    std::printf(" %d\n", numbers[1]);
    numbers[0] = 100;
    scan("threads that run together", scans_of_threads, 32, 16);
    numbers[0] = 1000;
    std::printf("\n");
    scan("tile of 64", scans_of_wide_tile, 64, 64);
    std::printf("\n%s\n", cudaGetErrorString(cudaGetLastError()));
}
