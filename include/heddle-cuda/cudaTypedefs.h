// Types of pointers to functions of cuda.h, as cuGetProcAddress and cudaGetDriverEntryPoint give them. Forms with addresses
// of 32 bits, of CUDA 2 and 3.1, have no types.
#pragma once

#include <cuda.h>

#include "detail/driver_function_type.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "detail/driver_function_types.def"

// Forms that cuda.h has under the name of another one, or as an overload
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char*, void**, int, cuuint64_t);
typedef CUresult (*PFN_cuGraphAddDependencies_v10000)(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuGraphAddKernelNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphAddNode_v12020)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphExecKernelNodeSetParams_v10010)(CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExecUpdate_v10020)(CUgraphExec, CUgraph, CUgraphNode*, CUgraphExecUpdateResult*);
typedef CUresult (*PFN_cuGraphGetEdges_v10000)(CUgraph, CUgraphNode*, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphKernelNodeGetParams_v10000)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphKernelNodeSetParams_v10000)(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v10000)(CUgraphNode, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependentNodes_v10000)(CUgraphNode, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphRemoveDependencies_v10000)(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr, size_t, CUmem_advise, CUdevice);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v12080)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1*, size_t*, unsigned long long, CUstream);
typedef PFN_cuMemcpy3DBatchAsync_v12080 PFN_cuMemcpy3DBatchAsync_v12080_ptsz;
typedef CUresult (*PFN_cuMemcpyBatchAsync_v12080)(CUdeviceptr*, CUdeviceptr*, size_t*, size_t, CUmemcpyAttributes_v1*, size_t*, size_t, size_t*, CUstream);
typedef PFN_cuMemcpyBatchAsync_v12080 PFN_cuMemcpyBatchAsync_v12080_ptsz;
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr, size_t, CUdevice, CUstream);
typedef PFN_cuMemPrefetchAsync_v8000 PFN_cuMemPrefetchAsync_v8000_ptsz;
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v10010)(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
typedef PFN_cuStreamGetCaptureInfo_v10010 PFN_cuStreamGetCaptureInfo_v10010_ptsz;
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v11030)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**, size_t*);
typedef PFN_cuStreamGetCaptureInfo_v11030 PFN_cuStreamGetCaptureInfo_v11030_ptsz;
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v11030)(CUstream, CUgraphNode*, size_t, unsigned int);
typedef PFN_cuStreamUpdateCaptureDependencies_v11030 PFN_cuStreamUpdateCaptureDependencies_v11030_ptsz;

typedef PFN_cuGraphAddDependencies_v10000 PFN_cuGraphAddDependencies;
typedef PFN_cuGraphAddNode_v12020 PFN_cuGraphAddNode;
typedef PFN_cuGraphGetEdges_v10000 PFN_cuGraphGetEdges;
typedef PFN_cuGraphNodeGetDependencies_v10000 PFN_cuGraphNodeGetDependencies;
typedef PFN_cuGraphNodeGetDependentNodes_v10000 PFN_cuGraphNodeGetDependentNodes;
typedef PFN_cuGraphRemoveDependencies_v10000 PFN_cuGraphRemoveDependencies;
typedef PFN_cuMemAdvise_v8000 PFN_cuMemAdvise;
typedef PFN_cuMemcpy3DBatchAsync_v12080 PFN_cuMemcpy3DBatchAsync;
typedef PFN_cuMemcpyBatchAsync_v12080 PFN_cuMemcpyBatchAsync;
typedef PFN_cuMemPrefetchAsync_v8000 PFN_cuMemPrefetchAsync;
typedef PFN_cuStreamGetCaptureInfo_v11030 PFN_cuStreamGetCaptureInfo;
typedef PFN_cuStreamUpdateCaptureDependencies_v11030 PFN_cuStreamUpdateCaptureDependencies;

#ifdef __cplusplus
}
#endif
