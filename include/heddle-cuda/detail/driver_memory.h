// The driver API: pools, memory apart from its addresses, and what is known of memory. Read by cuda.h.
#pragma once

typedef struct CUmemPoolHandle_st* CUmemoryPool;
typedef unsigned long long CUmemGenericAllocationHandle_v1;
typedef CUmemGenericAllocationHandle_v1 CUmemGenericAllocationHandle;

// The runtime's types, with the same numbers and layout.
typedef enum cudaMemLocationType CUmemLocationType;
typedef enum cudaMemAllocationType CUmemAllocationType;
typedef enum cudaMemAllocationHandleType CUmemAllocationHandleType;
typedef enum cudaMemAccessFlags CUmemAccess_flags;
typedef enum cudaMemPoolAttr CUmemPool_attribute;
typedef enum cudaMemoryAdvise CUmem_advise;
typedef enum cudaMemRangeAttribute CUmem_range_attribute;
typedef struct cudaMemLocation CUmemLocation_v1;
typedef CUmemLocation_v1 CUmemLocation;
typedef struct cudaMemAccessDesc CUmemAccessDesc_v1;
typedef CUmemAccessDesc_v1 CUmemAccessDesc;
typedef struct cudaMemPoolProps CUmemPoolProps_v1;
typedef CUmemPoolProps_v1 CUmemPoolProps;
#define CU_MEM_ADVISE_SET_READ_MOSTLY cudaMemAdviseSetReadMostly
#define CU_MEM_ADVISE_UNSET_READ_MOSTLY cudaMemAdviseUnsetReadMostly
#define CU_MEM_ADVISE_SET_PREFERRED_LOCATION cudaMemAdviseSetPreferredLocation
#define CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION cudaMemAdviseUnsetPreferredLocation
#define CU_MEM_ADVISE_SET_ACCESSED_BY cudaMemAdviseSetAccessedBy
#define CU_MEM_ADVISE_UNSET_ACCESSED_BY cudaMemAdviseUnsetAccessedBy
#define CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY cudaMemRangeAttributeReadMostly
#define CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION cudaMemRangeAttributePreferredLocation
#define CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY cudaMemRangeAttributeAccessedBy
#define CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION cudaMemRangeAttributeLastPrefetchLocation
#define CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE cudaMemRangeAttributePreferredLocationType
#define CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID cudaMemRangeAttributePreferredLocationId
#define CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE cudaMemRangeAttributeLastPrefetchLocationType
#define CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID cudaMemRangeAttributeLastPrefetchLocationId
#define CU_DEVICE_CPU ((CUdevice)cudaCpuDeviceId)
#define CU_DEVICE_INVALID ((CUdevice)cudaInvalidDeviceId)
#define CU_MEM_LOCATION_TYPE_INVALID cudaMemLocationTypeInvalid
#define CU_MEM_LOCATION_TYPE_NONE cudaMemLocationTypeNone
#define CU_MEM_LOCATION_TYPE_DEVICE cudaMemLocationTypeDevice
#define CU_MEM_LOCATION_TYPE_HOST cudaMemLocationTypeHost
#define CU_MEM_LOCATION_TYPE_HOST_NUMA cudaMemLocationTypeHostNuma
#define CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT cudaMemLocationTypeHostNumaCurrent
#define CU_MEM_LOCATION_TYPE_MAX 0x7fffffff // a number: the runtime's types have no such value
#define CU_MEM_ALLOCATION_TYPE_INVALID cudaMemAllocationTypeInvalid
#define CU_MEM_ALLOCATION_TYPE_PINNED cudaMemAllocationTypePinned
#define CU_MEM_ALLOCATION_TYPE_MANAGED cudaMemAllocationTypeManaged
#define CU_MEM_ALLOCATION_TYPE_MAX cudaMemAllocationTypeMax
#define CU_MEM_HANDLE_TYPE_NONE cudaMemHandleTypeNone
#define CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR cudaMemHandleTypePosixFileDescriptor
#define CU_MEM_HANDLE_TYPE_WIN32 cudaMemHandleTypeWin32
#define CU_MEM_HANDLE_TYPE_WIN32_KMT cudaMemHandleTypeWin32Kmt
#define CU_MEM_HANDLE_TYPE_FABRIC cudaMemHandleTypeFabric
#define CU_MEM_HANDLE_TYPE_MAX 0x7fffffff
#define CU_MEM_ACCESS_FLAGS_PROT_NONE cudaMemAccessFlagsProtNone
#define CU_MEM_ACCESS_FLAGS_PROT_READ cudaMemAccessFlagsProtRead
#define CU_MEM_ACCESS_FLAGS_PROT_READWRITE cudaMemAccessFlagsProtReadWrite
#define CU_MEM_ACCESS_FLAGS_PROT_MAX 0x7fffffff
#define CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES cudaMemPoolReuseFollowEventDependencies
#define CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC cudaMemPoolReuseAllowOpportunistic
#define CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES cudaMemPoolReuseAllowInternalDependencies
#define CU_MEMPOOL_ATTR_RELEASE_THRESHOLD cudaMemPoolAttrReleaseThreshold
#define CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT cudaMemPoolAttrReservedMemCurrent
#define CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH cudaMemPoolAttrReservedMemHigh
#define CU_MEMPOOL_ATTR_USED_MEM_CURRENT cudaMemPoolAttrUsedMemCurrent
#define CU_MEMPOOL_ATTR_USED_MEM_HIGH cudaMemPoolAttrUsedMemHigh
#define CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS 0x2

#define CU_MEM_CREATE_USAGE_TILE_POOL 0x1
#define CU_MEM_CREATE_USAGE_HW_DECOMPRESS 0x2
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE = 0,
    CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void* win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp_v1;
typedef CUmemAllocationProp_v1 CUmemAllocationProp;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;

#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* bytes, CUdeviceptr pointer);
CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer);
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags);
CUresult cuMemHostUnregister(void* pointer);
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device);
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream);
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags,
                               CUstream stream);
CUresult cuMemRangeGetAttribute(void* data, size_t size, CUmem_range_attribute attribute, CUdeviceptr pointer,
                                size_t bytes);
CUresult cuMemRangeGetAttributes(void** data, size_t* sizes, CUmem_range_attribute* attributes, size_t attributeCount,
                                 CUdeviceptr pointer, size_t bytes);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr pointer);
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes,
                           CUstream stream);
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height);
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height);
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height,
                            CUstream stream);

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* place, CUmemAllocationType kind);
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* place, CUmemAllocationType kind);
CUresult cuMemSetMemPool(CUmemLocation* place, CUmemAllocationType kind, CUmemoryPool pool);
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* rights, size_t count);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream);

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* what,
                                       CUmemAllocationGranularity_flags which);
CUresult cuMemAddressReserve(CUdeviceptr* begin, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr begin, size_t bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes, const CUmemAllocationProp* what,
                     unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* pointer);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* what, CUmemGenericAllocationHandle handle);
CUresult cuMemMap(CUdeviceptr begin, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr begin, size_t bytes);
CUresult cuMemSetAccess(CUdeviceptr begin, size_t bytes, const CUmemAccessDesc* rights, size_t count);
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer);
#ifdef __cplusplus
}
#endif
