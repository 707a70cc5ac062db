// The driver API: what one call does for many pieces of memory (copies, prefetches, decompression), and the memory of
// sparse arrays. Read by cuda.h.
#pragma once

// The runtime's types, with the same numbers and layout.
typedef enum cudaMemcpyFlags CUmemcpyFlags;
typedef enum cudaMemcpySrcAccessOrder CUmemcpySrcAccessOrder;
typedef enum cudaMemcpy3DOperandType CUmemcpy3DOperandType;
typedef struct cudaMemcpyAttributes CUmemcpyAttributes_v1;
typedef CUmemcpyAttributes_v1 CUmemcpyAttributes;
typedef struct cudaOffset3D CUoffset3D_v1;
typedef CUoffset3D_v1 CUoffset3D;
typedef struct cudaExtent CUextent3D_v1;
typedef CUextent3D_v1 CUextent3D;
#define CU_MEMCPY_FLAG_DEFAULT cudaMemcpyFlagDefault
#define CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE cudaMemcpyFlagPreferOverlapWithCompute
#define CU_MEMCPY_SRC_ACCESS_ORDER_INVALID cudaMemcpySrcAccessOrderInvalid
#define CU_MEMCPY_SRC_ACCESS_ORDER_STREAM cudaMemcpySrcAccessOrderStream
#define CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL cudaMemcpySrcAccessOrderDuringApiCall
#define CU_MEMCPY_SRC_ACCESS_ORDER_ANY cudaMemcpySrcAccessOrderAny
#define CU_MEMCPY_SRC_ACCESS_ORDER_MAX cudaMemcpySrcAccessOrderMax
#define CU_MEMCPY_OPERAND_TYPE_POINTER cudaMemcpyOperandTypePointer
#define CU_MEMCPY_OPERAND_TYPE_ARRAY cudaMemcpyOperandTypeArray
#define CU_MEMCPY_OPERAND_TYPE_MAX cudaMemcpyOperandTypeMax

typedef struct CUmemcpy3DOperand_st { // as the runtime's, with an address that is a number
    CUmemcpy3DOperandType type;
    union {
        struct {
            CUdeviceptr ptr;
            size_t rowLength, layerHeight;
            CUmemLocation locHint;
        } ptr;
        struct {
            CUarray array;
            CUoffset3D offset;
        } array;
    } op;
} CUmemcpy3DOperand_v1;
typedef CUmemcpy3DOperand_v1 CUmemcpy3DOperand;
typedef struct CUDA_MEMCPY3D_BATCH_OP_st {
    CUmemcpy3DOperand src, dst;
    CUextent3D extent;
    CUmemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
} CUDA_MEMCPY3D_BATCH_OP_v1;
typedef CUDA_MEMCPY3D_BATCH_OP_v1 CUDA_MEMCPY3D_BATCH_OP;

typedef enum CUmemDecompressAlgorithm_enum {
    CU_MEM_DECOMPRESS_UNSUPPORTED = 0,
    CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE = 1,
    CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY = 2,
    CU_MEM_DECOMPRESS_ALGORITHM_LZ4 = 4
} CUmemDecompressAlgorithm;
typedef struct CUmemDecompressParams_st {
    size_t srcNumBytes, dstNumBytes;
    cuuint32_t* dstActBytes;
    const void* src;
    void* dst;
    CUmemDecompressAlgorithm algo;
    unsigned char padding[20];
} CUmemDecompressParams;

// Sparse arrays
typedef enum CUarraySparseSubresourceType_enum {
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0,
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1
} CUarraySparseSubresourceType;
typedef enum CUmemOperationType_enum {
    CU_MEM_OPERATION_TYPE_MAP = 1,
    CU_MEM_OPERATION_TYPE_UNMAP = 2
} CUmemOperationType;
typedef enum CUmemHandleType_enum { CU_MEM_HANDLE_TYPE_GENERIC = 0 } CUmemHandleType;
typedef struct CUarrayMapInfo_st {
    CUresourcetype resourceType;
    union {
        CUmipmappedArray mipmap;
        CUarray array;
    } resource;
    CUarraySparseSubresourceType subresourceType;
    union {
        struct {
            unsigned int level, layer;
            unsigned int offsetX, offsetY, offsetZ;
            unsigned int extentWidth, extentHeight, extentDepth;
        } sparseLevel;
        struct {
            unsigned int layer;
            unsigned long long offset, size;
        } miptail;
    } subresource;
    CUmemOperationType memOperationType;
    CUmemHandleType memHandleType;
    union {
        CUmemGenericAllocationHandle memHandle;
    } memHandle;
    unsigned long long offset;
    unsigned int deviceBitMask;
    unsigned int flags;
    unsigned int reserved[2];
} CUarrayMapInfo_v1;
typedef CUarrayMapInfo_v1 CUarrayMapInfo;

#ifdef __cplusplus
extern "C" {
#endif
// The forms with a number of the copy that failed are CUDA 12's, those without one CUDA 13's.
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                            CUmemcpyAttributes* attributes, size_t* attributesFrom, size_t attributeCount,
                            size_t* failed, CUstream stream);
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* attributesFrom, size_t attributeCount,
                               CUstream stream);
CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, size_t* failed, unsigned long long flags,
                              CUstream stream);
CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, unsigned long long flags,
                                 CUstream stream);
CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
                                 size_t* locationsFrom, size_t locationCount, unsigned long long flags,
                                 CUstream stream);
CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, unsigned long long flags,
                                CUstream stream);
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
                                           size_t* locationsFrom, size_t locationCount, unsigned long long flags,
                                           CUstream stream);
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams* what, size_t count, unsigned int flags, size_t* failed,
                                   CUstream stream);
CUresult cuMemMapArrayAsync(CUarrayMapInfo* what, unsigned int count, CUstream stream);
#ifdef __cplusplus
}
#endif
