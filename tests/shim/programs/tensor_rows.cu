// Bulk copies of four rows of a tensor by their numbers (tile::gather4, tile::scatter4).
// OPTIONS: -lcuda
// ARCH: 100a
// EXPECT: row 3: 32 33 34 35
// EXPECT: row 14: 142 143 144 145
// EXPECT: row 0: 2 3 4 5
// EXPECT: row -1: 0 0 0 0
// EXPECT: scattered: 5: 32 33 34 35, 6: 142 143 144 145, 7: 0 0 0 0, others unchanged: yes
// EXPECT: sums: 5: 64 66 68 70
// EXPECT: a box of two rows: cudaErrorLaunchFailure
// ERROR: the boxes of the map have 2 rows
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#include "../../../validation/hopper_pieces.h"

__global__ void gather(const __grid_constant__ CUtensorMap map, int column, int4 row, int* out) {
    alignas(128) __shared__ int box[16];
    __shared__ uint64_t object;
    init(&object, 1);
    expect(&object, sizeof box);
    asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(shared_address(box)),
                 "l"(&map), "r"(column), "r"(row.x), "r"(row.y), "r"(row.z), "r"(row.w), "r"(shared_address(&object))
                 : "memory");
    wait(&object, 0);
    for (int i = 0; i < 16; ++i)
        out[i] = box[i];
}

template <bool Sums>
__global__ void scatter(const __grid_constant__ CUtensorMap map, int column, int4 row, const int* in) {
    alignas(128) __shared__ int box[16];
    for (int i = 0; i < 16; ++i)
        box[i] = in[i];
    if (Sums)
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile::scatter4.bulk_group "
                     "[%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(&map),
                     "r"(column), "r"(row.x), "r"(row.y), "r"(row.z), "r"(row.w), "r"(shared_address(box))
                     : "memory");
    else
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group "
                     "[%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(&map),
                     "r"(column), "r"(row.x), "r"(row.y), "r"(row.z), "r"(row.w), "r"(shared_address(box))
                     : "memory");
}

// A tensor of 8 x 16 elements in boxes of 4 columns.
static CUtensorMap map_of(int* begin, cuuint32_t rows) {
    const cuuint64_t sizes[] = {8, 16}, strides[] = {32};
    const cuuint32_t box[] = {4, rows}, steps[] = {1, 1};
    alignas(64) CUtensorMap map;
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, begin, sizes, strides, box, steps,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

int main() {
    int *from, *to, *out;
    cudaMallocManaged(&from, 512);
    cudaMallocManaged(&to, 512);
    cudaMallocManaged(&out, 64);
    for (int i = 0; i < 128; ++i) {
        from[i] = 10 * (i / 8) + i % 8;
        to[i] = -1;
    }
    gather<<<1, 1>>>(map_of(from, 1), 2, make_int4(3, 14, 0, -1), out);
    cudaDeviceSynchronize();
    const int rows[] = {3, 14, 0, -1};
    for (int r = 0; r < 4; ++r)
        std::printf("row %d: %d %d %d %d\n", rows[r], out[4 * r], out[4 * r + 1], out[4 * r + 2], out[4 * r + 3]);

    scatter<false><<<1, 1>>>(map_of(to, 1), 0, make_int4(5, 6, 16, 7), out);
    cudaDeviceSynchronize();
    std::printf("scattered:");
    bool same = true;
    for (int r = 0; r < 16; ++r) {
        if (r >= 5 && r <= 7)
            std::printf("%s %d: %d %d %d %d", r == 5 ? "" : ",", r, to[8 * r], to[8 * r + 1], to[8 * r + 2],
                        to[8 * r + 3]);
        for (int c = r >= 5 && r <= 7 ? 4 : 0; c < 8; ++c)
            same &= to[8 * r + c] == -1;
    }
    std::printf(", others unchanged: %s\n", same ? "yes" : "no");
    scatter<true><<<1, 1>>>(map_of(to, 1), 0, make_int4(5, 16, 17, 18), out);
    cudaDeviceSynchronize();
    std::printf("sums: 5: %d %d %d %d\n", to[40], to[41], to[42], to[43]);

    gather<<<1, 1>>>(map_of(from, 2), 0, make_int4(0, 1, 2, 3), out);
    std::printf("a box of two rows: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
