// Attributes of kernels about clusters.
// ARCH: 90
// EXPECT: compiled: must be set 1, shape 2 1 1, set again: cudaErrorNotPermitted
// EXPECT: free: must be set 0, shape 0 0 0, large 0, carve-out -1
// EXPECT: required: shape 2 2 1, large 1, carve-out 50, by the driver: 2 2 1 1
// EXPECT: launched: 2 x 2 blocks, other clusters: cudaErrorInvalidClusterSize, no height: cudaErrorInvalidClusterSize
// OPTIONS: -lcuda
// ERROR: its attributes require clusters of (2,2,1)
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2, 1, 1) compiled() {}

__global__ void plain(unsigned* out) {
    unsigned x, y;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(y));
    out[0] = x;
    out[1] = y;
}

static cudaError_t launch(unsigned* out, unsigned x, unsigned y) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = x;
    cluster.val.clusterDim.y = y;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(4, 4);
    config.blockDim = dim3(32);
    config.attrs = &cluster;
    config.numAttrs = x == 0 ? 0 : 1;
    return cudaLaunchKernelEx(&config, plain, out);
}

int main() {
    cudaFuncAttributes of{};
    cudaFuncGetAttributes(&of, compiled);
    std::printf("compiled: must be set %d, shape %d %d %d, set again: %s\n", of.clusterDimMustBeSet,
                of.requiredClusterWidth, of.requiredClusterHeight, of.requiredClusterDepth,
                cudaGetErrorName(cudaFuncSetAttribute(compiled, cudaFuncAttributeRequiredClusterWidth, 4)));
    const auto read = [&] {
        cudaFuncGetAttributes(&of, plain);
        std::printf("shape %d %d %d, large %d, carve-out %d", of.requiredClusterWidth, of.requiredClusterHeight,
                    of.requiredClusterDepth, of.nonPortableClusterSizeAllowed, of.preferredShmemCarveout);
    };
    cudaFuncGetAttributes(&of, plain);
    std::printf("free: must be set %d, ", of.clusterDimMustBeSet);
    read();
    cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 2);
    cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterHeight, 2);
    cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterDepth, 1);
    cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
    std::printf("\nrequired: ");
    read();
    cudaFunction_t function;
    cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(plain));
    int told[4] = {};
    cuFuncGetAttribute(&told[0], CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, reinterpret_cast<CUfunction>(function));
    cuFuncGetAttribute(&told[1], CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, reinterpret_cast<CUfunction>(function));
    cuFuncGetAttribute(&told[2], CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, reinterpret_cast<CUfunction>(function));
    cuFuncGetAttribute(&told[3], CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                       reinterpret_cast<CUfunction>(function));
    std::printf(", by the driver: %d %d %d %d\n", told[0], told[1], told[2], told[3]);

    unsigned* out;
    cudaMallocManaged(&out, 8);
    launch(out, 0, 0);
    cudaDeviceSynchronize();
    const cudaError_t other = launch(out, 4, 1);
    cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterHeight, 0);
    std::printf("launched: %u x %u blocks, other clusters: %s, no height: %s\n", out[0], out[1],
                cudaGetErrorName(other), cudaGetErrorName(launch(out, 0, 0)));
}
