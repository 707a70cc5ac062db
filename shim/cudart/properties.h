// cudaDeviceProp as CUDA 13 has it. CUDA 12's, which the project's own cuda_runtime.h has, lost eight fields and won
// some.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace heddle::cudart {

struct DeviceProp13 {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int textureAndSurfaceLimits[39]; // maxTexture1D to maxSurfaceCubemapLayered
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int before_pools[3]; // sparseCudaArraySupported to timelineSemaphoreInteropSupported
    int memoryPoolsSupported;
    int before_clusters[6]; // gpuDirectRDMASupported to ipcEventSupported
    int clusterLaunch;
    int behind_clusters[8]; // unifiedFunctionPointers to hostNumaMultinodeIpcSupported
    int reserved[56];
};
// Measured with CUDA 13.0's own header.
static_assert(sizeof(DeviceProp13) == 1008 && offsetof(DeviceProp13, multiProcessorCount) == 384 &&
              offsetof(DeviceProp13, surfaceAlignment) == 552 && offsetof(DeviceProp13, memoryBusWidth) == 592 &&
              offsetof(DeviceProp13, sharedMemPerMultiprocessor) == 624 &&
              offsetof(DeviceProp13, sharedMemPerBlockOptin) == 672 &&
              offsetof(DeviceProp13, reservedSharedMemPerBlock) == 696 &&
              offsetof(DeviceProp13, memoryPoolsSupported) == 720 && offsetof(DeviceProp13, reserved) == 784);

} // namespace heddle::cudart
