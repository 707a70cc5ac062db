// Clustering of points in 20 dimensions by the k-means method, as a map and a reduction: in the first kernel every
// thread assigns its points to the nearest centroid and adds them up in sums of its own, in the second the sums of all
// threads are added up to new centroids. Single precision.
//
// Coordinates are whole numbers of 0 to 255, so sums of up to 65,793 points are exact and do not depend on the order in
// which they are added. Distances are computed by the same operations in the same order in the reference, every one
// rounded once, so the check is exact.

#include <algorithm>
#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kDimensions = 20;
constexpr int kClusters = 8;
constexpr std::uint32_t kLevels = 256;                            ///< of a coordinate
constexpr std::uint64_t kMostPoints = (1u << 24) / (kLevels - 1); ///< whole numbers to 2^24 are exact

/// What a thread adds up for one cluster.
struct Sum {
    float coordinate[kDimensions];
    float points;
};

// ---- device ----

// Loops over dimensions are not unrolled: they are the short loops of MAWS 7.1, which only loop bypassing lets a
// run-ahead warp-split leave.

__device__ inline float square_distance(const float* point, const float* centroid) {
    float sum = 0.0f;
#pragma unroll 1
    for (int d = 0; d < kDimensions; ++d) {
        const float difference = point[d] - centroid[d];
        sum = fmaf(difference, difference, sum);
    }
    return sum;
}

/// The map. `sums` has kClusters of this thread's own for every thread that has a point; `moves` counts the points that
/// change their cluster.
__global__ void assign_points(int* cluster, Sum* sums, int* moves, const float* points, const float* centroids,
                              int count, workload::Deal deal) {
    if (workload::thread_index() >= count)
        return;
    Sum* const own = sums + workload::thread_index() * kClusters;
#pragma unroll 1
    for (int k = 0; k < kClusters; ++k) {
#pragma unroll 1
        for (int d = 0; d < kDimensions; ++d)
            own[k].coordinate[d] = 0.0f;
        own[k].points = 0.0f;
    }
    int moved = 0;
    const workload::Share share = workload::share_of(count, deal);
    for (int i = share.first; i < share.end; i += share.step) {
        const float* const point = points + i * kDimensions;
        int nearest = 0;
        float least = INFINITY;
#pragma unroll 1
        for (int k = 0; k < kClusters; ++k) {
            const float distance = square_distance(point, centroids + k * kDimensions);
            if (distance < least) {
                least = distance;
                nearest = k;
            }
        }
        if (cluster[i] != nearest) {
            cluster[i] = nearest;
            ++moved;
        }
#pragma unroll 1
        for (int d = 0; d < kDimensions; ++d)
            own[nearest].coordinate[d] += point[d];
        own[nearest].points += 1.0f;
    }
    if (moved != 0)
        atomicAdd(moves, moved);
}

/// The reduction: a thread for every coordinate of every centroid. A cluster without points keeps its centroid.
__global__ void update_centroids(float* centroids, const Sum* sums, int adders) {
    for (int i = workload::thread_index(); i < kClusters * kDimensions; i += workload::thread_count()) {
        const Sum* const cluster = sums + i / kDimensions;
        float total = 0.0f;
        float points = 0.0f;
#pragma unroll 1
        for (int adder = 0; adder < adders; ++adder) {
            total += cluster[adder * kClusters].coordinate[i % kDimensions];
            points += cluster[adder * kClusters].points;
        }
        if (points > 0.0f)
            centroids[i] = total / points;
    }
}

namespace {

struct Clustering {
    std::vector<int> cluster;     ///< of every point
    std::vector<float> centroids; ///< by cluster, by dimension
    int moves;                    ///< of points from one cluster to another, the first assignment included
};

/// The first kClusters points are the first centroids.
std::vector<float> first_centroids(const std::vector<float>& points) {
    return {points.begin(), points.begin() + kClusters * kDimensions};
}

Clustering cluster_points(const std::vector<float>& points, std::uint64_t iterations, const workload::Grid& grid,
                          workload::Deal deal) {
    const std::size_t count = points.size() / kDimensions;
    const std::size_t adders = std::min<std::size_t>(grid.threads(), count);
    workload::DeviceArray<float> device_points(points);
    workload::DeviceArray<float> centroids(first_centroids(points));
    workload::DeviceArray<int> cluster(std::vector<int>(count, -1));
    workload::DeviceArray<Sum> sums(adders * kClusters);
    workload::DeviceArray<int> moves(std::vector<int>{0});
    const unsigned update_blocks = (kClusters * kDimensions + grid.block - 1) / grid.block;
    for (std::uint64_t i = 0; i < iterations; ++i) {
        assign_points<<<grid.blocks, grid.block>>>(cluster.data(), sums.data(), moves.data(), device_points.data(),
                                                   centroids.data(), static_cast<int>(count), deal);
        update_centroids<<<update_blocks, grid.block>>>(centroids.data(), sums.data(), static_cast<int>(adders));
        workload::finish_kernels();
    }
    return {cluster.to_host(), centroids.to_host(), moves.to_host()[0]};
}

// ---- reference ----

int nearest_centroid(const std::vector<float>& centroids, const float* point) {
    std::vector<float> distances;
    for (int k = 0; k < kClusters; ++k) {
        float distance = 0;
        for (int d = 0; d < kDimensions; ++d) {
            const float difference = point[d] - centroids[static_cast<std::size_t>(k * kDimensions + d)];
            distance = std::fma(difference, difference, distance);
        }
        distances.push_back(distance);
    }
    return static_cast<int>(std::min_element(distances.begin(), distances.end()) - distances.begin());
}

/// Sums are whole numbers here.
Clustering reference(const std::vector<float>& points, std::uint64_t iterations) {
    const std::size_t count = points.size() / kDimensions;
    Clustering result{std::vector<int>(count, -1), first_centroids(points), 0};
    for (std::uint64_t iteration = 0; iteration < iterations; ++iteration) {
        std::vector<long long> totals(kClusters * kDimensions);
        std::vector<long long> sizes(kClusters);
        for (std::size_t i = 0; i < count; ++i) {
            const float* const point = points.data() + i * kDimensions;
            const int nearest = nearest_centroid(result.centroids, point);
            result.moves += nearest != result.cluster[i];
            result.cluster[i] = nearest;
            ++sizes[static_cast<std::size_t>(nearest)];
            for (int d = 0; d < kDimensions; ++d)
                totals[static_cast<std::size_t>(nearest * kDimensions + d)] += static_cast<long long>(point[d]);
        }
        for (std::size_t i = 0; i < totals.size(); ++i) {
            const long long size = sizes[i / kDimensions];
            if (size != 0)
                result.centroids[i] = static_cast<float>(totals[i]) / static_cast<float>(size);
        }
    }
    return result;
}

// ---- input ----

/// Points in kClusters boxes that overlap: a side is three quarters of the range, so points go on changing clusters.
std::vector<float> random_points(std::size_t count, workload::Random& random) {
    constexpr std::uint32_t kSpread = kLevels * 3 / 4;
    std::vector<std::uint32_t> centres(kClusters * kDimensions);
    for (std::uint32_t& corner : centres)
        corner = random.below(kLevels - kSpread);
    std::vector<float> points;
    points.reserve(count * kDimensions);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t centre = random.below(kClusters);
        for (std::uint32_t d = 0; d < kDimensions; ++d)
            points.push_back(static_cast<float>(centres[centre * kDimensions + d] + random.below(kSpread)));
    }
    return points;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line(
        "kmeans20", "Clustering of points in 20 dimensions by the k-means method",
        {{"maws", {10'000, workload::kDeviceThreads, 10}, {500, workload::kDeviceThreads, 2}, workload::Deal::Tiles}});
    line.size("points", kClusters, kMostPoints).threads().block().seed().deal().iterations("assignments of all points");
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    const std::vector<float> points = random_points(options.amount.size, random);
    const workload::Grid grid = workload::grid_for(options, options.amount.size);
    const Clustering got = cluster_points(points, options.amount.iterations, grid, options.deal);
    const Clustering expected = reference(points, options.amount.iterations);

    workload::Check check;
    check.equal("cluster", got.cluster, expected.cluster);
    for (std::size_t i = 0; i < expected.centroids.size(); ++i)
        check.near("centroid", i, got.centroids[i], expected.centroids[i], 0);
    check.equal("moves", 0, got.moves, expected.moves);
    std::printf("kmeans20: %u threads, %llu points, %d clusters, %d moves in %llu iterations\n", grid.threads(),
                static_cast<unsigned long long>(options.amount.size), kClusters, got.moves,
                static_cast<unsigned long long>(options.amount.iterations));
    return check.finish();
}
