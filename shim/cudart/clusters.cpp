#include "clusters.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

using namespace heddle::cudart;
using heddle::runtime::KernelInfo;
using heddle::runtime::LaunchShape;

namespace {

constexpr std::uint64_t kPortable = 8; // blocks of a cluster on every device that has clusters
constexpr std::uint64_t kMost = 16;    // where the kernel allows it (cudaFuncAttributeNonPortableClusterSizeAllowed)

std::uint64_t count(const dim3& d) {
    return std::uint64_t{d.x} * d.y * d.z;
}

// The shape that the attributes of a launch name; zeros where none does.
dim3 cluster_in(const cudaLaunchConfig_t& config) {
    dim3 out(0, 0, 0);
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (config.attrs[i].id == cudaLaunchAttributeClusterDimension)
            out = dim3(config.attrs[i].val.clusterDim.x, config.attrs[i].val.clusterDim.y,
                       config.attrs[i].val.clusterDim.z);
    return out;
}

// The blocks of a launch that each part of the device holds in which a cluster lies; empty when none can.
std::vector<std::uint64_t> rooms(State& state, const Kernel& kernel, const cudaLaunchConfig_t& config) {
    const dim3& block = config.blockDim;
    if (count(block) == 0 || count(block) > state.properties().max_threads_per_block)
        return {};
    const LaunchShape shape{
        {1, 1, 1}, {block.x, block.y, block.z}, static_cast<std::uint32_t>(config.dynamicSmemBytes)};
    return state.device().cluster_rooms(*kernel.id, shape);
}

// The frame of a question about clusters of a kernel: body(state, kernel) is cudaSuccess, or why there is no answer.
template <class F>
cudaError_t about(const void* function, const cudaLaunchConfig_t* config, const int* answer, F&& body) {
    return api([&](State& state) {
        if (config == nullptr || answer == nullptr || (config->numAttrs != 0 && config->attrs == nullptr))
            return cudaErrorInvalidValue;
        cudaError_t error;
        const Kernel* const kernel = state.find_kernel(function, error);
        return kernel == nullptr ? error : body(state, *kernel);
    });
}

} // namespace

dim3 heddle::cudart::cluster_of(const KernelInfo& kernel, const dim3& asked) {
    if (asked.x != 0)
        return asked;
    const heddle::Dim3 own = kernel.required_cluster;
    return own.count() != 0 ? dim3(own.x, own.y, own.z) : dim3(1, 1, 1);
}

dim3 heddle::cudart::named_cluster(const Kernel& kernel, const dim3& asked) {
    return asked.x != 0 ? asked : dim3(kernel.cluster.x, kernel.cluster.y, kernel.cluster.z);
}

cudaError_t heddle::cudart::check_cluster(const KernelInfo& info, const Kernel& kernel, const dim3& grid,
                                          const dim3& asked, std::uint64_t resident, std::string& why) {
    const heddle::Dim3 set = kernel.cluster;
    const dim3 cluster = cluster_of(info, named_cluster(kernel, asked));
    const heddle::Dim3 own = info.required_cluster;
    const std::uint64_t blocks = count(cluster);
    const bool large = kernel.large_clusters;
    if (!(set == heddle::Dim3{0, 0, 0}) &&
        (set.count() == 0 || !(set == heddle::Dim3{cluster.x, cluster.y, cluster.z}))) {
        why = fmt::format("clusters of ({},{},{}) blocks; its attributes require clusters of ({},{},{})", cluster.x,
                          cluster.y, cluster.z, set.x, set.y, set.z);
        return cudaErrorInvalidClusterSize;
    }
    if (blocks == 1 && own.count() == 0)
        return cudaSuccess;
    if (own.count() != 0 && !(own == heddle::Dim3{cluster.x, cluster.y, cluster.z}))
        why = fmt::format("clusters of ({},{},{}) blocks; its __cluster_dims__ are ({},{},{})", cluster.x, cluster.y,
                          cluster.z, own.x, own.y, own.z);
    else if (std::max({cluster.x, cluster.y, cluster.z}) > kMost || blocks > kMost || (blocks > kPortable && !large))
        why = fmt::format("clusters of {} blocks; {} are allowed{}", blocks, large ? kMost : kPortable,
                          blocks <= kMost ? ", 16 with cudaFuncAttributeNonPortableClusterSizeAllowed" : "");
    else if (info.largest_cluster != 0 && blocks > info.largest_cluster)
        why = fmt::format("clusters of {} blocks; its __launch_bounds__ allow {}", blocks, info.largest_cluster);
    else if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        why = fmt::format("a grid of ({},{},{}) blocks does not divide into clusters of ({},{},{})", grid.x, grid.y,
                          grid.z, cluster.x, cluster.y, cluster.z);
    else if (blocks > resident)
        why = fmt::format("clusters of {} blocks, all of which have to run at once, in one GPC if the device has GPCs: "
                          "there is room for {}",
                          blocks, resident);
    return why.empty() ? cudaSuccess : cudaErrorInvalidClusterSize;
}

HEDDLE_CUDA_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                                           const cudaLaunchConfig_t* config) {
    return about(function, config, clusters, [&](State& state, const Kernel& kernel) {
        const KernelInfo& info = state.device().info(*kernel.id);
        const dim3 asked = cluster_in(*config), shape = cluster_of(info, named_cluster(kernel, asked));
        std::string why; // is for launches; the function only answers
        if (count(shape) == 0 || check_cluster(info, kernel, shape, asked, count(shape), why) != cudaSuccess)
            return cudaErrorInvalidClusterSize;
        std::uint64_t sum = 0;
        for (const std::uint64_t room : rooms(state, kernel, *config))
            sum += room / count(shape);
        *clusters = static_cast<int>(sum);
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                                 const cudaLaunchConfig_t* config) {
    return about(function, config, blocks, [&](State& state, const Kernel& kernel) {
        std::uint64_t most = 0;
        for (const std::uint64_t room : rooms(state, kernel, *config))
            most = std::max(most, room);
        *blocks = static_cast<int>(std::min(most, kernel.large_clusters ? kMost : kPortable));
        return cudaSuccess;
    });
}
