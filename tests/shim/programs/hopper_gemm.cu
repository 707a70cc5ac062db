// A product of matrices as programs for Hopper compute it: a cluster of two blocks, tiles by bulk copies of tensors in
// the 128-byte swizzle (those of B by multicast), a pipeline of barrier objects that count bytes, and wgmma. Where the
// compiler has them, the second run has its maps as parameters of the grid and its cluster from the kernel.
// OPTIONS: -lcuda
// ARCH: 90a
// ENV: HEDDLE_MACHINE=gtx480
// EXPECT: maps: CUDA_SUCCESS CUDA_SUCCESS
// EXPECT: 0 of 32768 elements differ
// EXPECT: 0 of 32768 elements differ
// EXPECT: a cluster of 3: cudaErrorInvalidClusterSize, of 16: cudaErrorInvalidClusterSize, clusters at once: yes
// ERROR: a grid of (4,2,1) blocks does not divide into clusters of (3,1,1)
// ERROR: clusters of 16 blocks; 8 are allowed
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

#include "../../../validation/hopper_pieces.h"

namespace {

constexpr int kM = 256, kN = 128, kK = 256;         // C = A x B^T; A and B have lines of kK
constexpr int kTile = 64, kDepth = 64, kStages = 2; // of C; of a step; of the pipeline
constexpr int kHalf = kTile / 2;                    // lines of B that each block of a cluster loads for both
constexpr int kTileBytes = kTile * kDepth * 2;
constexpr int kConsumers = 128, kThreads = kConsumers + 32;

struct __align__(1024) Shared {
    unsigned char a[kStages][kTileBytes], b[kStages][kTileBytes];
    uint64_t full[kStages], empty[kStages];
};

// One thread of each block: its tile of A, and half of the tile of B for both blocks.
__device__ void produce(Shared& s, const CUtensorMap* map_a, const CUtensorMap* map_b, uint32_t rank) {
    const int line_a = blockIdx.x * kTile, line_b = blockIdx.y * kTile + rank * kHalf;
    for (int step = 0; step < kK / kDepth; ++step) {
        const int stage = step % kStages;
        wait(&s.empty[stage], (step / kStages + 1) & 1);
        expect(&s.full[stage], 2 * kTileBytes);
        load(s.a[stage], map_a, step * kDepth, line_a, &s.full[stage]);
        load_for(3, s.b[stage] + rank * kHalf * kDepth * 2, map_b, step * kDepth, line_b, &s.full[stage]);
    }
}

// The stage may be filled again, by both blocks.
__device__ void release(uint64_t* empty) {
    for (uint32_t block = 0; block < 2; ++block)
        arrive_at(empty, block);
}

__device__ void consume(Shared& s, float* c) {
    float d[32] = {};
    for (int step = 0; step < kK / kDepth; ++step) {
        const int stage = step % kStages;
        wait(&s.full[stage], step / kStages & 1);
        begin_products();
        for (int k = 0; k < kDepth / 16; ++k)
            multiply(d, descriptor(s.a[stage]) + k * 2, descriptor(s.b[stage]) + k * 2);
        end_products();
        if (threadIdx.x == 0)
            release(&s.empty[stage]);
    }
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 32; ++i) {
        const int row = blockIdx.x * kTile + warp * 16 + lane / 4 + (i / 2 % 2) * 8;
        const int column = blockIdx.y * kTile + i / 4 * 8 + lane % 4 * 2 + i % 2;
        c[row * kN + column] = d[i];
    }
}

__device__ void multiply_tile(Shared& s, const CUtensorMap* map_a, const CUtensorMap* map_b, float* c) {
    const uint32_t rank = rank_in_cluster();
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            init(&s.full[stage], 1);
            init(&s.empty[stage], 2);
        }
        show_objects();
    }
    meet_cluster();
    if (threadIdx.x == kConsumers)
        produce(s, map_a, map_b, rank);
    else if (threadIdx.x < kConsumers)
        consume(s, c);
    __syncwarp();
    meet_cluster();
}

__global__ void __launch_bounds__(kThreads) product(const CUtensorMap* maps, float* c) {
    __shared__ Shared s;
    multiply_tile(s, &maps[0], &maps[1], c);
}

#ifndef __clang__
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(kThreads)
    product_of_parameters(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                          float* c) {
    __shared__ Shared s;
    multiply_tile(s, &map_a, &map_b, c);
}
#endif

CUresult make_map(CUtensorMap& map, void* begin, int lines, int box_lines) {
    const cuuint64_t sizes[] = {kK, static_cast<cuuint64_t>(lines)}, strides[] = {kK * 2};
    const cuuint32_t box[] = {kDepth, static_cast<cuuint32_t>(box_lines)}, steps[] = {1, 1};
    return cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, begin, sizes, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Small whole numbers, whose sums are exact in f32.
int element(int matrix, int line, int k) {
    return (line * 7 + k * 3 + matrix * 5) % 11 - 5;
}

cudaLaunchConfig_t configure(cudaLaunchAttribute& attribute, unsigned blocks_of_cluster) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks_of_cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(kM / kTile, kN / kTile);
    config.blockDim = dim3(kThreads);
    config.attrs = &attribute;
    config.numAttrs = 1;
    return config;
}

cudaError_t launch(const CUtensorMap* maps, float* c, unsigned blocks_of_cluster) {
    cudaLaunchAttribute attribute{};
    const cudaLaunchConfig_t config = configure(attribute, blocks_of_cluster);
    void* arguments[] = {&maps, &c};
    return cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(product), arguments);
}

bool clusters_fit() {
    cudaLaunchAttribute attribute{};
    const cudaLaunchConfig_t config = configure(attribute, 2);
    int clusters = 0;
    return cudaOccupancyMaxActiveClusters(&clusters, reinterpret_cast<const void*>(product), &config) == cudaSuccess &&
           clusters > 0;
}

void check(float* device_c) {
    std::vector<float> c(kM * kN);
    if (const cudaError_t error = cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
        error != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(error));
    cudaMemset(device_c, 0, c.size() * sizeof(float));
    int wrong = 0;
    for (int row = 0; row < kM; ++row)
        for (int column = 0; column < kN; ++column) {
            int sum = 0;
            for (int k = 0; k < kK; ++k)
                sum += element(0, row, k) * element(1, column, k);
            wrong += c[row * kN + column] != static_cast<float>(sum);
        }
    std::printf("%d of %d elements differ\n", wrong, kM * kN);
}

} // namespace

int main() {
    std::vector<__half> a(kM * kK), b(kN * kK);
    for (int i = 0; i < kM * kK; ++i)
        a[i] = __float2half(static_cast<float>(element(0, i / kK, i % kK)));
    for (int i = 0; i < kN * kK; ++i)
        b[i] = __float2half(static_cast<float>(element(1, i / kK, i % kK)));
    __half *device_a, *device_b;
    float* device_c;
    CUtensorMap* device_maps;
    cudaMalloc(&device_a, a.size() * sizeof(__half));
    cudaMalloc(&device_b, b.size() * sizeof(__half));
    cudaMalloc(&device_c, kM * kN * sizeof(float));
    cudaMalloc(&device_maps, 2 * sizeof(CUtensorMap));
    cudaMemcpy(device_a, a.data(), a.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b.data(), b.size() * sizeof(__half), cudaMemcpyHostToDevice);
    CUtensorMap maps[2];
    const CUresult made_a = make_map(maps[0], device_a, kM, kTile), made_b = make_map(maps[1], device_b, kN, kHalf);
    const char *name_a = "", *name_b = "";
    cuGetErrorName(made_a, &name_a);
    cuGetErrorName(made_b, &name_b);
    std::printf("maps: %s %s\n", name_a, name_b);
    cudaMemcpy(device_maps, maps, sizeof maps, cudaMemcpyHostToDevice);
    launch(device_maps, device_c, 2);
    check(device_c);
#ifndef __clang__
    product_of_parameters<<<dim3(kM / kTile, kN / kTile), kThreads>>>(maps[0], maps[1], device_c);
#else
    launch(device_maps, device_c, 2);
#endif
    check(device_c);
    const cudaError_t of_3 = launch(device_maps, device_c, 3), of_16 = launch(device_maps, device_c, 16);
    std::printf("a cluster of 3: %s, of 16: %s, clusters at once: %s\n", cudaGetErrorName(of_3),
                cudaGetErrorName(of_16), clusters_fit() ? "yes" : "no");
}
