// Arguments that CUDA's documentation forbids, and the context of a stream.
// OPTIONS: -lcuda
// ERROR: with an interleaved layout is not supported
// EXPECT: flags of events: 1 1, of attached memory: 1 0
// EXPECT: maps of tensors: 0 1 1 1 801, im2col: 0 1
// EXPECT: the stream's context: 1 1
// EXPECT: border of integers: 7
// EXPECT: virtual memory: 1
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

int tiled(CUtensorMap* map, void* data, int promotion, int fill, int interleave) {
    cuuint64_t sizes[] = {64, 64}, strides[] = {256};
    cuuint32_t box[] = {32, 8}, steps[] = {1, 1};
    return cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, sizes, strides, box, steps,
                                  (CUtensorMapInterleave)interleave, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  (CUtensorMapL2promotion)promotion, (CUtensorMapFloatOOBfill)fill);
}
int im2col(CUtensorMap* map, void* data, int upper) {
    cuuint64_t sizes[] = {8, 8, 2}, strides[] = {32, 256};
    cuuint32_t steps[] = {1, 1, 1};
    int from[] = {0}, to[] = {upper};
    return cuTensorMapEncodeIm2col(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, data, sizes, strides, from, to, 8, 4, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

__global__ void read(cudaTextureObject_t texture, int* out) {
    *out = tex2D<int>(texture, -5, 0);
}

int border_of_integers(int bits) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&array, &format, 4, 4);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    __builtin_memcpy(&how.borderColor[0], &bits, sizeof bits);
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    int *out, host = 0;
    cudaMalloc(&out, sizeof(int));
    read<<<1, 1>>>(texture, out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host;
}

int main() {
    cudaEvent_t event;
    cudaStream_t stream;
    cudaEventCreate(&event);
    cudaStreamCreate(&stream);
    void* managed;
    cudaMallocManaged(&managed, 4096);
    std::printf("flags of events: %d %d, of attached memory: %d %d\n", cudaEventRecordWithFlags(event, stream, 2),
                cudaStreamWaitEvent(stream, event, 2), cudaStreamAttachMemAsync(stream, managed, 0, 7),
                cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
    alignas(64) CUtensorMap map;
    void* data;
    cudaMalloc(&data, 64 * 256);
    std::printf("maps of tensors: %d %d %d %d %d, im2col: %d %d\n", tiled(&map, data, 0, 0, 0),
                tiled(&map, data, 4, 0, 0), tiled(&map, data, 0, 2, 0), tiled(&map, data, 0, 0, 3),
                tiled(&map, data, 0, 0, 1), im2col(&map, data, 0), im2col(&map, data, -8));

    CUcontext primary, second, of_first, of_second;
    CUstream first_stream, second_stream;
    cuCtxGetCurrent(&primary);
    cuStreamCreate(&first_stream, 0);
#if CUDA_VERSION >= 13000
    cuCtxCreate(&second, nullptr, 0, 0);
#else
    cuCtxCreate(&second, 0, 0);
#endif
    cuStreamCreate(&second_stream, 0);
    cuStreamGetCtx(first_stream, &of_first);
    cuStreamGetCtx(second_stream, &of_second);
    std::printf("the stream's context: %d %d\n", of_first == primary, of_second == second);
    cuCtxPopCurrent(&second);
    std::printf("border of integers: %d\n", border_of_integers(7));
    int virtual_memory = 0;
    cuDeviceGetAttribute(&virtual_memory, (CUdevice_attribute)102, 0); // VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
    std::printf("virtual memory: %d\n", virtual_memory);
}
