// Without timing a cluster may have as many blocks as with it: eight of 1,024 threads are on four SMs. The 800 blocks
// of the second launch are not resident at once.
// ENV: HEDDLE_MACHINE=h100
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: clusters of 8 at once: 32
// EXPECT: 4 clusters: cudaSuccess, 32 blocks met
// EXPECT: 100 clusters: cudaSuccess, 800 blocks met
// EXPECT: of 16: cudaErrorInvalidClusterSize, of 8 by 0: cudaErrorInvalidClusterSize
// EXPECT: peer of itself: cudaSuccess 0, of another: cudaErrorInvalidDevice
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>

__device__ unsigned met;

// The blocks of a cluster wait for each other.
__global__ void meet(unsigned* arrived) {
    if (threadIdx.x == 0) {
        unsigned* const mine = arrived + blockIdx.x / 8;
        atomicAdd(mine, 1U);
        while (*static_cast<volatile unsigned*>(mine) != 8) {
        }
        atomicAdd(&met, 1U);
    }
    __syncthreads();
}

static cudaLaunchAttribute cluster{};

static cudaLaunchConfig_t configure(unsigned blocks, unsigned x, unsigned y = 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {x, y, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(1024);
    config.attrs = &cluster;
    config.numAttrs = 1;
    return config;
}

static cudaError_t ask(int& clusters, unsigned x, unsigned y = 1) {
    const cudaLaunchConfig_t config = configure(16, x, y);
    return cudaOccupancyMaxActiveClusters(&clusters, reinterpret_cast<const void*>(meet), &config);
}

int main() {
    int clusters = 0;
    ask(clusters, 8);
    std::printf("clusters of 8 at once: %d\n", clusters); // GPCs of 16 and 18 SMs with two blocks each
    for (const unsigned count : {4U, 100U}) {
        unsigned *arrived, blocks = 0;
        cudaMalloc(&arrived, count * sizeof(unsigned));
        cudaMemset(arrived, 0, count * sizeof(unsigned));
        cudaMemcpyToSymbol(met, &blocks, sizeof blocks);
        const cudaLaunchConfig_t config = configure(8 * count, 8);
        cudaLaunchKernelEx(&config, meet, arrived);
        const cudaError_t error = cudaDeviceSynchronize();
        cudaMemcpyFromSymbol(&blocks, met, sizeof blocks);
        std::printf("%u clusters: %s, %u blocks met\n", count, cudaGetErrorName(error), blocks);
    }
    std::printf("of 16: %s, ", cudaGetErrorName(ask(clusters, 16)));
    std::printf("of 8 by 0: %s\n", cudaGetErrorName(ask(clusters, 8, 0)));
    int can = -1, other = -1;
    const cudaError_t error = cudaDeviceCanAccessPeer(&can, 0, 0);
    std::printf("peer of itself: %s %d, of another: %s\n", cudaGetErrorName(error), can,
                cudaGetErrorName(cudaDeviceCanAccessPeer(&other, 0, 1)));
}
