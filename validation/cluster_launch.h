// A launch in clusters, through the runtime's extended launches.
#pragma once

#include <cuda_runtime.h>

namespace validation {

/// Launches a kernel in clusters of `size` blocks. `arguments`: pointers to them. Returns the launch's error.
inline cudaError_t launch_clusters(const void* kernel, unsigned size, unsigned blocks, unsigned threads, unsigned shared,
                                   void** arguments) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

} // namespace validation
