// Clustering of 8-bit points in one dimension by the k-means method. In the first kernel persistent threads stride over
// the points, assign each to the nearest centroid and add it to its cluster in shared memory, from where a block adds
// its sums to those of all; in the second a thread for every cluster makes new centroids of them. Integers: a centroid
// is in units of 1/256, so the check is exact and the order of additions does not matter.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kClusters = 32;
constexpr int kUnit = 256; ///< of a centroid; points are whole
constexpr std::uint32_t kLevels = 256;
constexpr std::uint64_t kMostPoints = 1u << 23; ///< so that sums stay below 2^31

struct Cluster {
    int sum; ///< of its points
    int points;
};

// ---- device ----

__global__ void assign_points(int* cluster, Cluster* clusters, int* moves, const unsigned char* points,
                              const int* centroids, int count) {
    __shared__ int centroid[kClusters];
    __shared__ int sums[kClusters];
    __shared__ int sizes[kClusters];
    for (unsigned k = threadIdx.x; k < kClusters; k += blockDim.x) {
        centroid[k] = centroids[k];
        sums[k] = 0;
        sizes[k] = 0;
    }
    __syncthreads();

    int moved = 0;
    for (int i = workload::thread_index(); i < count; i += workload::thread_count()) {
        const int point = points[i];
        int nearest = 0;
        int least = abs(point * kUnit - centroid[0]);
#pragma unroll 1
        for (int k = 1; k < kClusters; ++k) {
            const int distance = abs(point * kUnit - centroid[k]);
            if (distance < least) {
                least = distance;
                nearest = k;
            }
        }
        if (cluster[i] != nearest) {
            cluster[i] = nearest;
            ++moved;
        }
        atomicAdd(&sums[nearest], point);
        atomicAdd(&sizes[nearest], 1);
    }
    if (moved != 0)
        atomicAdd(moves, moved);

    __syncthreads();
    for (unsigned k = threadIdx.x; k < kClusters; k += blockDim.x) {
        if (sizes[k] != 0) {
            atomicAdd(&clusters[k].sum, sums[k]);
            atomicAdd(&clusters[k].points, sizes[k]);
        }
    }
}

/// A cluster without points keeps its centroid.
__global__ void update_centroids(int* centroids, Cluster* clusters) {
    for (int k = workload::thread_index(); k < kClusters; k += workload::thread_count()) {
        const Cluster cluster = clusters[k];
        if (cluster.points != 0)
            centroids[k] = static_cast<int>(static_cast<long long>(cluster.sum) * kUnit / cluster.points);
        clusters[k] = {0, 0};
    }
}

namespace {

struct Clustering {
    std::vector<int> cluster; ///< of every point
    std::vector<int> centroids;
    int moves; ///< of points from one cluster to another, the first assignment included
};

/// The first kClusters points.
std::vector<int> first_centroids(const std::vector<std::uint8_t>& points) {
    std::vector<int> centroids;
    for (std::size_t k = 0; k < kClusters; ++k)
        centroids.push_back(points[k] * kUnit);
    return centroids;
}

Clustering cluster_points(const std::vector<std::uint8_t>& points, std::uint64_t iterations,
                          const workload::Grid& grid) {
    workload::DeviceArray<std::uint8_t> device_points(points);
    workload::DeviceArray<int> centroids(first_centroids(points));
    workload::DeviceArray<int> cluster(std::vector<int>(points.size(), -1));
    workload::DeviceArray<Cluster> clusters(kClusters);
    clusters.fill_bytes(0);
    workload::DeviceArray<int> moves(std::vector<int>{0});
    const unsigned update_blocks = (kClusters + grid.block - 1) / grid.block;
    for (std::uint64_t i = 0; i < iterations; ++i) {
        assign_points<<<grid.blocks, grid.block>>>(cluster.data(), clusters.data(), moves.data(), device_points.data(),
                                                   centroids.data(), static_cast<int>(points.size()));
        update_centroids<<<update_blocks, grid.block>>>(centroids.data(), clusters.data());
        workload::finish_kernels();
    }
    return {cluster.to_host(), centroids.to_host(), moves.to_host()[0]};
}

// ---- reference ----

/// A point has one of few values: the nearest centroid of each is looked up once, and values are counted, not points.
Clustering reference(const std::vector<std::uint8_t>& points, std::uint64_t iterations) {
    std::vector<long long> of_value(kLevels);
    for (const std::uint8_t point : points)
        ++of_value[point];
    std::vector<int> nearest(kLevels, -1);
    std::vector<int> centroids = first_centroids(points);
    long long moves = 0;
    for (std::uint64_t iteration = 0; iteration < iterations; ++iteration) {
        std::vector<long long> sums(kClusters);
        std::vector<long long> sizes(kClusters);
        for (std::size_t value = 0; value < kLevels; ++value) {
            const int place = static_cast<int>(value) * kUnit;
            const auto closer = [&](int a, int b) { return std::abs(place - a) < std::abs(place - b); };
            const auto found = std::min_element(centroids.begin(), centroids.end(), closer);
            const int now = static_cast<int>(found - centroids.begin());
            moves += now != nearest[value] ? of_value[value] : 0;
            nearest[value] = now;
            sums[static_cast<std::size_t>(now)] += static_cast<long long>(value) * of_value[value];
            sizes[static_cast<std::size_t>(now)] += of_value[value];
        }
        for (std::size_t k = 0; k < kClusters; ++k) {
            if (sizes[k] != 0)
                centroids[k] = static_cast<int>(sums[k] * kUnit / sizes[k]);
        }
    }
    Clustering result{{}, centroids, static_cast<int>(moves)};
    for (const std::uint8_t point : points)
        result.cluster.push_back(nearest[point]);
    return result;
}

// ---- input ----

/// Lumps of various widths that overlap: each the sum of three uniform numbers.
std::vector<std::uint8_t> random_points(std::size_t count, workload::Random& random) {
    constexpr std::size_t kLumps = 12;
    struct Lump {
        std::uint32_t first;
        std::uint32_t width; ///< of one of the three
    };
    std::vector<Lump> lumps(kLumps);
    for (Lump& lump : lumps) {
        lump.width = 4 + random.below(20);
        lump.first = random.below(kLevels - 3 * lump.width);
    }
    std::vector<std::uint8_t> points(count);
    for (std::uint8_t& point : points) {
        const Lump lump = lumps[random.below(kLumps)];
        std::uint32_t value = lump.first;
        for (int i = 0; i < 3; ++i)
            value += random.below(lump.width);
        point = static_cast<std::uint8_t>(value);
    }
    return points;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("kmeans", "Clustering of 8-bit points in one dimension by the k-means method",
                               {{"lwm", {16 << 10, 1024, 30}, {4 << 10, 1024, 4}}});
    line.size("points", kClusters, kMostPoints).threads().block().seed().iterations("assignments of all points");
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    const std::vector<std::uint8_t> points = random_points(options.amount.size, random);
    const workload::Grid grid = workload::grid_for(options, points.size());
    const Clustering got = cluster_points(points, options.amount.iterations, grid);
    const Clustering expected = reference(points, options.amount.iterations);

    workload::Check check;
    check.equal("cluster", got.cluster, expected.cluster);
    check.equal("centroid", got.centroids, expected.centroids);
    check.equal("moves", 0, got.moves, expected.moves);
    std::printf("kmeans: %u threads, %zu points, %d clusters, %d moves in %llu iterations\n", grid.threads(),
                points.size(), kClusters, got.moves, static_cast<unsigned long long>(options.amount.iterations));
    return check.finish();
}
