// Attention as programs for Hopper compute it: one warp loads tiles of K and V by bulk copies of tensors, a warpgroup
// multiplies by wgmma (the weights from registers, V transposed) and keeps the softmax of its rows as it goes.
// OPTIONS: -lcuda
// ARCH: 90a
// ENV: HEDDLE_MACHINE=gtx480
// EXPECT: maps: 0 0 0
// EXPECT: 0 of 16384 elements differ by more than 0.002
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

#include "../../../validation/hopper_pieces.h"

namespace {

constexpr int kHeads = 2, kQueries = 128, kKeys = 256, kSize = 64; // of a head
constexpr int kTile = 64, kStages = 2;
constexpr int kTileBytes = kTile * kSize * 2;
constexpr int kConsumers = 128, kThreads = kConsumers + 32;

struct __align__(1024) Shared {
    unsigned char q[kTileBytes], k[kStages][kTileBytes], v[kStages][kTileBytes];
    uint64_t query, full[kStages], empty[kStages];
};

__device__ void produce(Shared& s, const CUtensorMap* maps) {
    expect(&s.query, kTileBytes);
    load(s.q, &maps[0], 0, blockIdx.x * kTile, blockIdx.y, &s.query);
    for (int tile = 0; tile < kKeys / kTile; ++tile) {
        const int stage = tile % kStages;
        wait(&s.empty[stage], (tile / kStages + 1) & 1);
        expect(&s.full[stage], 2 * kTileBytes);
        load(s.k[stage], &maps[1], 0, tile * kTile, blockIdx.y, &s.full[stage]);
        load(s.v[stage], &maps[2], 0, tile * kTile, blockIdx.y, &s.full[stage]);
    }
}

// Of the four threads that hold a row.
template <class F>
__device__ float across_row(float x, F&& f) {
    x = f(x, __shfl_xor_sync(0xffffffff, x, 1));
    return f(x, __shfl_xor_sync(0xffffffff, x, 2));
}

// Makes the weights of a tile of scores; element i of a thread is in its row i / 2 % 2.
__device__ void soften(float (&scores)[32], float (&out)[32], float (&most)[2], float (&total)[2]) {
    for (int row = 0; row < 2; ++row) {
        float highest = most[row];
        for (int i = 0; i < 32; ++i)
            if (i / 2 % 2 == row)
                highest = fmaxf(highest, scores[i]);
        highest = across_row(highest, [](float a, float b) { return fmaxf(a, b); });
        const float shrink = exp2f(most[row] - highest);
        float sum = 0;
        for (int i = 0; i < 32; ++i)
            if (i / 2 % 2 == row) {
                scores[i] = exp2f(scores[i] - highest);
                sum += scores[i];
                out[i] *= shrink;
            }
        total[row] = total[row] * shrink + across_row(sum, [](float a, float b) { return a + b; });
        most[row] = highest;
    }
}

__device__ uint32_t pair(float low, float high) {
    const __half2 both = __floats2half2_rn(low, high);
    return *reinterpret_cast<const uint32_t*>(&both);
}

__device__ void consume(Shared& s, float* result) {
    const float scale = 1.44269504f / 8; // log2(e) / sqrt(kSize)
    float out[32] = {}, most[2] = {-1e30f, -1e30f}, total[2] = {0, 0};
    wait(&s.query, 0);
    for (int tile = 0; tile < kKeys / kTile; ++tile) {
        const int stage = tile % kStages;
        wait(&s.full[stage], tile / kStages & 1);
        float scores[32] = {};
        begin_products();
        for (int step = 0; step < kSize / 16; ++step)
            multiply(scores, descriptor(s.q) + step * 2, descriptor(s.k[stage]) + step * 2);
        end_products();
        for (float& score : scores)
            score *= scale;
        soften(scores, out, most, total);
        begin_products();
        for (int step = 0; step < kTile / 16; ++step) { // 16 lines of V
            const float* const p = &scores[step * 8];
            const uint32_t weights[] = {pair(p[0], p[1]), pair(p[2], p[3]), pair(p[4], p[5]), pair(p[6], p[7])};
            multiply(out, weights, descriptor(s.v[stage]) + step * (16 * kSize * 2 >> 4));
        }
        end_products();
        if (threadIdx.x == 0)
            arrive(&s.empty[stage]);
    }
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 32; ++i) {
        const int query = blockIdx.x * kTile + warp * 16 + lane / 4 + (i / 2 % 2) * 8;
        const int column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        result[(blockIdx.y * kQueries + query) * kSize + column] = out[i] / total[i / 2 % 2];
    }
}

__global__ void __launch_bounds__(kThreads) attend(const CUtensorMap* maps, float* result) {
    __shared__ Shared s;
    if (threadIdx.x == 0) {
        init(&s.query, 1);
        for (int stage = 0; stage < kStages; ++stage) {
            init(&s.full[stage], 1);
            init(&s.empty[stage], 1);
        }
        show_objects();
    }
    __syncthreads();
    if (threadIdx.x == kConsumers)
        produce(s, maps);
    else if (threadIdx.x < kConsumers)
        consume(s, result);
}

CUresult make_map(CUtensorMap& map, void* begin, int rows) {
    const cuuint64_t sizes[] = {kSize, static_cast<cuuint64_t>(rows), kHeads};
    const cuuint64_t strides[] = {kSize * 2, static_cast<cuuint64_t>(rows) * kSize * 2};
    const cuuint32_t box[] = {kSize, kTile, 1}, steps[] = {1, 1, 1};
    return cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, begin, sizes, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Numbers between -1 and 1 that f16 holds exactly.
std::vector<__half> numbers(int count, uint32_t seed) {
    std::vector<__half> out(count);
    for (__half& x : out) {
        seed = seed * 1664525 + 1013904223;
        x = __float2half(static_cast<float>(static_cast<int>(seed >> 24) - 128) / 128);
    }
    return out;
}

double expected(const __half* q, const __half* k, const __half* v, int column) {
    double sum = 0, total = 0;
    for (int key = 0; key < kKeys; ++key) {
        double score = 0;
        for (int i = 0; i < kSize; ++i)
            score += double{__half2float(q[i])} * double{__half2float(k[key * kSize + i])};
        const double weight = std::exp(score / 8);
        sum += weight * double{__half2float(v[key * kSize + column])};
        total += weight;
    }
    return sum / total;
}

} // namespace

int main() {
    const std::vector<__half> host[] = {numbers(kHeads * kQueries * kSize, 1), numbers(kHeads * kKeys * kSize, 2),
                                        numbers(kHeads * kKeys * kSize, 3)};
    CUtensorMap maps[3];
    CUresult made[3];
    for (int i = 0; i < 3; ++i) {
        void* device = nullptr;
        cudaMalloc(&device, host[i].size() * sizeof(__half));
        cudaMemcpy(device, host[i].data(), host[i].size() * sizeof(__half), cudaMemcpyHostToDevice);
        made[i] = make_map(maps[i], device, i == 0 ? kQueries : kKeys);
    }
    std::printf("maps: %d %d %d\n", made[0], made[1], made[2]);
    CUtensorMap* device_maps = nullptr;
    float* device_result = nullptr;
    std::vector<float> result(kHeads * kQueries * kSize);
    cudaMalloc(&device_maps, sizeof maps);
    cudaMalloc(&device_result, result.size() * sizeof(float));
    cudaMemcpy(device_maps, maps, sizeof maps, cudaMemcpyHostToDevice);
    attend<<<dim3(kQueries / kTile, kHeads), kThreads>>>(device_maps, device_result);
    if (const cudaError_t error =
            cudaMemcpy(result.data(), device_result, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
        error != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(error));
    int wrong = 0;
    for (int row = 0; row < kHeads * kQueries; ++row)
        for (int column = 0; column < kSize; ++column) {
            const int keys = row / kQueries * kKeys * kSize;
            const double want = expected(&host[0][row * kSize], &host[1][keys], &host[2][keys], column);
            wrong += !(std::fabs(static_cast<double>(result[row * kSize + column]) - want) <= 0.002);
        }
    std::printf("%d of %d elements differ by more than 0.002\n", wrong, static_cast<int>(result.size()));
}
