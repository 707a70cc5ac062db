// Tensor maps that a program changes (tensormap.replace, in shared and in global memory) and copies to global memory
// (tensormap.cp_fenceproxy): a copy by the changed map brings the bytes that one by a map of the host brings.
// OPTIONS: -lcuda
// ARCH: 90a
// EXPECT: rank 2 to 3, shorts: same, 0 1 2 3 / 32 33 34 35 / 192 193 194 195
// EXPECT: outside the tensor: same, 10 11 0 0
// EXPECT: every second row, swizzled: same
// EXPECT: address in global memory: same, 100 101 102 103
// EXPECT: NaNs outside: same, 7ff7
// EXPECT: rank of 6: cudaErrorIllegalAddress
// ERROR: there is no tensor map at
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

#include "../../../validation/hopper_pieces.h"

// What a map is changed to.
struct Shape {
    int rank; // 2 or 3
    const void* begin;
    unsigned size[3], box[3], step[3];
    uint64_t stride[2];
    int type, swizzle, fill; // as in PTX: 1 u16, 2 u32, 6 f16
};

#define REPLACE(field, bits, reg, ...)                                                                                 \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." bits " [%0], " __VA_ARGS__ ";" ::"r"(map), reg  \
                 : "memory")
#define REPLACE_CONSTANT(field, value)                                                                                 \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024.b32 [%0], " #value ";" ::"r"(map) : "memory")
#define REPLACE_ALL(field, values)                                                                                     \
    REPLACE(field, "b32", "r"((values)[0]), "0, %1");                                                                  \
    REPLACE(field, "b32", "r"((values)[1]), "1, %1");                                                                  \
    REPLACE(field, "b32", "r"((values)[2]), "2, %1")

__device__ void change(unsigned map, const Shape& to) {
    REPLACE("global_address", "b64", "l"(to.begin), "%1");
    REPLACE("rank", "b32", "r"(to.rank - 1), "%1");
    REPLACE_ALL("global_dim", to.size);
    REPLACE_ALL("box_dim", to.box);
    REPLACE_ALL("element_stride", to.step);
    REPLACE("global_stride", "b64", "l"(to.stride[0]), "0, %1");
    REPLACE("global_stride", "b64", "l"(to.stride[1]), "1, %1");
    if (to.type == 1)
        REPLACE_CONSTANT("elemtype", 1);
    else if (to.type == 2)
        REPLACE_CONSTANT("elemtype", 2);
    else
        REPLACE_CONSTANT("elemtype", 6);
    REPLACE_CONSTANT("interleave_layout", 0);
    if (to.swizzle == 0)
        REPLACE_CONSTANT("swizzle_mode", 0);
    else
        REPLACE_CONSTANT("swizzle_mode", 2);
    if (to.fill == 0)
        REPLACE_CONSTANT("fill_mode", 0);
    else
        REPLACE_CONSTANT("fill_mode", 1);
}

// A warp.
__global__ void replace(const __grid_constant__ CUtensorMap from, CUtensorMap* to, Shape shape) {
    alignas(128) __shared__ unsigned map[32];
    map[threadIdx.x] = reinterpret_cast<const unsigned*>(&from)[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0)
        change(shared_address(map), shape);
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
            to),
        "r"(shared_address(map))
        : "memory");
}

__global__ void replace_address(CUtensorMap* map, const void* begin) {
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(begin) : "memory");
    asm volatile("tensormap.replace.tile.rank.b1024.b32 [%0], 1;" ::"l"(map) : "memory");
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}

__global__ void replace_rank(CUtensorMap* map, unsigned rank) {
    asm volatile("tensormap.replace.tile.rank.global.b1024.b32 [%0], %1;" ::"l"(map), "r"(rank) : "memory");
}

__global__ void load(const CUtensorMap* map, int rank, int3 at, int bytes, unsigned char* out) {
    alignas(1024) __shared__ unsigned char box[1024];
    __shared__ uint64_t object;
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    init(&object, 1);
    expect(&object, bytes);
    if (rank == 2)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
            "[%4];" ::"r"(shared_address(box)),
            "l"(map), "r"(at.x), "r"(at.y), "r"(shared_address(&object))
            : "memory");
    else
        asm volatile(
            "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
            "[%5];" ::"r"(shared_address(box)),
            "l"(map), "r"(at.x), "r"(at.y), "r"(at.z), "r"(shared_address(&object))
            : "memory");
    wait(&object, 0);
    for (int i = 0; i < bytes; ++i)
        out[i] = box[i];
}

static CUtensorMap map_of(const Shape& shape) {
    cuuint64_t sizes[3], strides[] = {shape.stride[0], shape.stride[1]};
    for (int d = 0; d < 3; ++d)
        sizes[d] = shape.size[d];
    const CUtensorMapDataType type = shape.type == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                     : shape.type == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                                       : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    alignas(64) static CUtensorMap map; // a value to return has the alignment of the caller
    if (cuTensorMapEncodeTiled(&map, type, shape.rank, const_cast<void*>(shape.begin), sizes, strides, shape.box,
                               shape.step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               shape.swizzle == 0 ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_64B,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               shape.fill == 0 ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
                                               : CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA) != CUDA_SUCCESS)
        std::printf("no map\n");
    return map;
}

static CUtensorMap* of_host;
static CUtensorMap* changed;
static unsigned char* out;

// Whether both maps bring the same `bytes`, which stay in `out`.
static const char* compare(int rank, int3 at, int bytes) {
    std::vector<unsigned char> first(bytes);
    std::memset(out, 0xee, 1024);
    load<<<1, 1>>>(of_host, rank, at, bytes, out);
    cudaDeviceSynchronize();
    std::memcpy(first.data(), out, bytes);
    std::memset(out, 0xdd, 1024);
    load<<<1, 1>>>(changed, rank, at, bytes, out);
    cudaDeviceSynchronize();
    return std::memcmp(first.data(), out, bytes) == 0 ? "same" : "different";
}

static void make(const CUtensorMap& from, const Shape& shape) {
    *of_host = map_of(shape);
    replace<<<1, 32>>>(from, changed, shape);
}

int main() {
    uint32_t* words;
    uint16_t* halves;
    cudaMallocManaged(&words, 4096);
    cudaMallocManaged(&halves, 2048);
    cudaMallocManaged(&of_host, sizeof(CUtensorMap));
    cudaMallocManaged(&changed, sizeof(CUtensorMap));
    cudaMallocManaged(&out, 1024);
    for (int i = 0; i < 1024; ++i)
        words[i] = 100 + i;
    for (int i = 0; i < 1024; ++i)
        halves[i] = static_cast<uint16_t>(i);
    const CUtensorMap start = map_of({2, words, {16, 8, 1}, {4, 2, 1}, {1, 1, 1}, {64, 0}, 2, 0, 0});
    const auto* const shorts = reinterpret_cast<const uint16_t*>(out);

    // 12 x 6 x 4 shorts in rows of 64 bytes and planes of 384; boxes of 8 x 2 x 2.
    Shape shape{3, halves, {12, 6, 4}, {8, 2, 2}, {1, 1, 1}, {64, 384}, 1, 0, 0};
    make(start, shape);
    std::printf("rank 2 to 3, shorts: %s", compare(3, make_int3(0, 0, 0), 64));
    std::printf(", %d %d %d %d / %d %d %d %d / %d %d %d %d\n", shorts[0], shorts[1], shorts[2], shorts[3], shorts[8],
                shorts[9], shorts[10], shorts[11], shorts[16], shorts[17], shorts[18], shorts[19]);
    std::printf("outside the tensor: %s", compare(3, make_int3(10, 0, 0), 64));
    std::printf(", %d %d %d %d\n", shorts[0], shorts[1], shorts[2], shorts[3]);

    shape = {2, words, {32, 32, 1}, {16, 8, 1}, {1, 2, 1}, {128, 0}, 2, 2, 0};
    make(start, shape);
    std::printf("every second row, swizzled: %s\n", compare(2, make_int3(3, 5, 0), 256));

    *of_host = map_of({2, words, {16, 8, 1}, {4, 2, 1}, {1, 1, 1}, {64, 0}, 2, 0, 0});
    *changed = map_of({2, words + 256, {16, 8, 1}, {4, 2, 1}, {1, 1, 1}, {64, 0}, 2, 0, 0});
    replace_address<<<1, 1>>>(changed, words);
    std::printf("address in global memory: %s", compare(2, make_int3(0, 0, 0), 32));
    uint32_t first[4];
    std::memcpy(first, out, sizeof first);
    std::printf(", %u %u %u %u\n", first[0], first[1], first[2], first[3]);

    shape = {2, halves, {12, 6, 1}, {8, 2, 1}, {1, 1, 1}, {64, 0}, 6, 0, 1};
    make(start, shape);
    std::printf("NaNs outside: %s", compare(2, make_int3(12, 0, 0), 32));
    std::printf(", %x\n", shorts[0]);

    replace_rank<<<1, 1>>>(changed, 5);
    load<<<1, 1>>>(changed, 2, make_int3(0, 0, 0), 32, out);
    std::printf("rank of 6: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
