// Blocks of a cluster: their places, their shared memory and their barrier, by functions of the device and of groups.
// ARCH: 90
// ENV: HEDDLE_MACHINE=h100
// EXPECT: places: 0 of 144 wrong
// EXPECT: shared memory of the cluster: 0 of 144 wrong
// EXPECT: arrive and wait: 0 of 144 wrong
// EXPECT: without a shape: 0 1 1, rank 0 of 24 threads
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

namespace cg = cooperative_groups;

// Blocks of 12 x 2 threads, clusters of two of them.
constexpr unsigned kThreads = 24, kBlocks = 6, kAll = kThreads * kBlocks;

__device__ bool is(dim3 a, unsigned x, unsigned y, unsigned z) {
    return a.x == x && a.y == y && a.z == z;
}

__global__ void places(unsigned* wrong) {
    const auto cluster = cg::this_cluster();
    const auto grid = cg::this_grid();
    const unsigned t = threadIdx.y * 12 + threadIdx.x, block = blockIdx.x, rank = block % 2;
    unsigned bad = 0, bit = 0;
    const auto expect = [&](bool condition) { bad |= (condition ? 0U : 1U) << bit++; };
    expect(__clusterDimIsSpecified() == 1 && is(__clusterDim(), 2, 1, 1) && __clusterSizeInBlocks() == 2);
    expect(is(__clusterIdx(), block / 2, 0, 0) && is(__clusterGridDimInClusters(), 3, 1, 1));
    expect(is(__clusterRelativeBlockIdx(), rank, 0, 0) && __clusterRelativeBlockRank() == rank);
    expect(cluster.block_rank() == rank && is(cluster.block_index(), rank, 0, 0));
    expect(cluster.num_blocks() == 2 && is(cluster.dim_blocks(), 2, 1, 1));
    expect(cluster.thread_rank() == rank * 24 + t && cg::thread_rank(cluster) == rank * 24 + t);
    expect(cluster.num_threads() == 48 && cluster.size() == 48 && cg::group_size(cluster) == 48);
    expect(is(cluster.dim_threads(), 24, 2, 1));
    expect(is(cluster.thread_index(), rank * 12 + threadIdx.x, threadIdx.y, 0));
    expect(is(grid.dim_clusters(), 3, 1, 1) && grid.num_clusters() == 3);
    expect(is(grid.cluster_index(), block / 2, 0, 0) && grid.cluster_rank() == block / 2);
    const cg::thread_group group = cluster;
    expect(group.size() == 48 && group.thread_rank() == rank * 24 + t);
    wrong[block * kThreads + t] = bad;
}

__global__ void memories(unsigned* wrong) {
    __shared__ unsigned values[kThreads];
    const auto cluster = cg::this_cluster();
    const unsigned t = threadIdx.y * 12 + threadIdx.x, block = blockIdx.x, rank = block % 2, other = 1 - rank;
    unsigned bad = 0, bit = 0;
    const auto expect = [&](bool condition) { bad |= (condition ? 0U : 1U) << bit++; };
    values[t] = 100 * block + t;
    cluster.sync();
    unsigned* const theirs = cluster.map_shared_rank(values, static_cast<int>(other));
    expect(theirs[23 - t] == 100 * (block - rank + other) + 23 - t);
    expect(cluster.query_shared_rank(theirs) == other && cluster.query_shared_rank(values) == rank);
    expect(__cluster_query_shared_rank(theirs + t) == other);
    expect(*static_cast<unsigned*>(__cluster_map_shared_rank(values + t, other)) == theirs[t]);
    expect(__isClusterShared(theirs) == 1 && __isClusterShared(values) == 1 && __isClusterShared(wrong) == 0);
    expect(__isCtaShared(values) == 1 && __isCtaShared(wrong) == 0);
    const uint2 several = __cluster_map_shared_multicast(values, 3);
    expect(several.x == __cvta_generic_to_shared(values) && several.y == 3);
    cg::sync(cluster); // all have read
    theirs[t] = 7 * t + rank;
    __threadfence_cluster();
    const cg::thread_group group = cluster;
    group.sync();
    expect(values[t] == 7 * t + other);
    cluster.sync();
    cg::invoke_one(cluster, [&] { cluster.map_shared_rank(values, 1)[0] = 55; });
    cluster.sync();
    expect(values[0] == (rank == 1 ? 55 : 1U));
    wrong[block * kThreads + t] = bad;
    cluster.sync(); // the other block reads this one's memory until here
}

__global__ void arrivals(unsigned* wrong) {
    __shared__ unsigned value;
    const auto cluster = cg::this_cluster();
    const unsigned t = threadIdx.y * 12 + threadIdx.x, block = blockIdx.x, rank = block % 2;
    unsigned bad = 0;
    for (unsigned round = 0; round < 4; ++round) {
        if (t == 0)
            value = 10 * round + rank;
        auto token = cluster.barrier_arrive();
        cluster.barrier_wait(std::move(token));
        bad |= *cluster.map_shared_rank(&value, static_cast<int>(1 - rank)) != 10 * round + 1 - rank;
        if (round % 2 == 0)
            __cluster_barrier_arrive(); // reads need no release
        else
            __cluster_barrier_arrive_relaxed();
        __cluster_barrier_wait();
    }
    cluster.barrier_arrive();
    cluster.barrier_wait();
    wrong[block * kThreads + t] = bad;
}

__global__ void alone(unsigned* out) {
    out[0] = __clusterDimIsSpecified();
    out[1] = cg::this_cluster().num_blocks();
    out[2] = cg::this_cluster().dim_blocks().x;
    out[3] = cg::this_cluster().block_rank();
    out[4] = cg::this_cluster().num_threads();
}

static void run(const char* what, void (*kernel)(unsigned*), unsigned* out) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(kBlocks);
    config.blockDim = dim3(12, 2);
    config.attrs = &cluster;
    config.numAttrs = 1;
    for (unsigned i = 0; i < kAll; ++i)
        out[i] = ~0U;
    cudaLaunchKernelEx(&config, kernel, out);
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned wrong = 0;
    for (unsigned i = 0; i < kAll; ++i) {
        if (out[i] != 0 && wrong++ == 0)
            std::printf("thread %u: %x, %s\n", i, out[i], cudaGetErrorName(error));
    }
    std::printf("%s: %u of %u wrong\n", what, wrong, kAll);
}

int main() {
    unsigned* out;
    cudaMallocManaged(&out, kAll * sizeof *out);
    run("places", places, out);
    run("shared memory of the cluster", memories, out);
    run("arrive and wait", arrivals, out);
    alone<<<2, kThreads>>>(out);
    cudaDeviceSynchronize();
    std::printf("without a shape: %u %u %u, rank %u of %u threads\n", out[0], out[1], out[2], out[3], out[4]);
}
