// A program without -lcuda gets functions of the driver from the runtime, with the types of cudaTypedefs.h, as programs
// with tensor maps do.
// ARCH: 90a
// EXPECT: column 2, rows 1 and 2: 10 11 12 13 18 19 20 21
// EXPECT: the plain name has the same type: yes
// EXPECT: a missing function: not found
#include <cstdint>
#include <cstdio>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <type_traits>

#include "../../../validation/hopper_pieces.h"

__global__ void load(const __grid_constant__ CUtensorMap map, int column, int row, int* out) {
    alignas(128) __shared__ int box[8];
    __shared__ uint64_t object;
    init(&object, 1);
    expect(&object, sizeof box);
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            shared_address(box)),
        "l"(&map), "r"(column), "r"(row), "r"(shared_address(&object))
        : "memory");
    wait(&object, 0);
    for (int i = 0; i < 8; ++i)
        out[i] = box[i];
}

static void* entry_point(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
    return found == cudaDriverEntryPointSuccess ? function : nullptr;
}

int main() {
    int *tensor, *out;
    cudaMallocManaged(&tensor, 4 * 8 * sizeof(int));
    cudaMallocManaged(&out, 8 * sizeof(int));
    for (int i = 0; i < 4 * 8; ++i)
        tensor[i] = i;

    const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry_point("cuTensorMapEncodeTiled"));
    const cuuint64_t sizes[] = {8, 4}, strides[] = {32};
    const cuuint32_t box[] = {4, 2}, steps[] = {1, 1};
    CUtensorMap map;
    encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, tensor, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    load<<<1, 1>>>(map, 2, 1, out);
    cudaDeviceSynchronize();
    std::printf("column 2, rows 1 and 2:");
    for (int i = 0; i < 8; ++i)
        std::printf(" %d", out[i]);

#if CUDA_VERSION < 13000 // later there are no names without versions
    const bool same = std::is_same_v<PFN_cuTensorMapEncodeTiled, PFN_cuTensorMapEncodeTiled_v12000>;
#else
    const bool same = true;
#endif
    std::printf("\nthe plain name has the same type: %s\n", same ? "yes" : "no");
    std::printf("a missing function: %s\n", entry_point("cuNothing") == nullptr ? "not found" : "found");
}
