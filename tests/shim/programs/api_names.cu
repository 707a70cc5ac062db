// Names of the runtime and of the driver that few programs use: flags, fields of structures, functions with two forms.
// OPTIONS: -lcuda
// EXPECT: attributes of a stream: priority -1, policy 1, map 0 1, the driver's -1
// EXPECT: launched with attributes: CUDA_SUCCESS 7, of a kernel's handle: cudaSuccess 8
// EXPECT: clusters: cudaSuccess cudaSuccess
// EXPECT: graph: CUDA_SUCCESS, 2 edges 2, instantiated 0, kernel node 9
// EXPECT: several copies: CUDA_SUCCESS 10
// EXPECT: capture: 1 node
// EXPECT: limit: CUDA_SUCCESS, peers: CUDA_ERROR_INVALID_CONTEXT CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
// EXPECT: disabled: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED
// EXPECT: peers by number: CUDA_ERROR_INVALID_DEVICE, exchanged: CUDA_SUCCESS
// EXPECT: not served: cudaErrorNotSupported cudaErrorNotSupported CUDA_ERROR_NOT_SUPPORTED CUDA_ERROR_NOT_SUPPORTED
// ERROR: cudaImportExternalMemory is not supported yet
// ERROR: cuIpcGetMemHandle is not supported yet
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void store(int* to, int value) {
    *to = value;
}

const char* name(CUresult result) {
    const char* text = nullptr;
    cuGetErrorName(result, &text);
    return text;
}

int* memory;

int found() {
    int value = 0;
    cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

void attributes_of_streams() {
    cudaStream_t stream;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1);
    cudaLaunchAttributeValue priority, policy, map;
    cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &priority);
    cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &policy);
    cudaStreamGetAttribute(stream, cudaStreamAttributeMemSyncDomainMap, &map);
    CUstreamAttrValue of_driver;
    cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, &of_driver);
    std::printf("attributes of a stream: priority %d, policy %d, map %d %d, the driver's %d\n", priority.priority,
                policy.syncPolicy, map.memSyncDomainMap.default_, map.memSyncDomainMap.remote, of_driver.priority);
    cudaStreamDestroy(stream);
}

void launches(CUfunction function) {
    int value = 7;
    void* arguments[] = {&memory, &value};
    CUlaunchAttribute attribute = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = CU_STREAM_LEGACY;
    config.attrs = &attribute;
    config.numAttrs = 1;
    std::printf("launched with attributes: %s", name(cuLaunchKernelEx(&config, function, arguments, nullptr)));
    std::printf(" %d", found());
    cudaLaunchConfig_t same = {};
    same.gridDim = same.blockDim = dim3(1, 1, 1);
    cudaKernel_t kernel;
    cudaGetKernel(&kernel, store);
    const cudaError_t error = cudaLaunchKernelEx(&same, kernel, memory, 8);
    std::printf(", of a kernel's handle: %s %d\n", cudaGetErrorName(error), found());
    int clusters = 0, blocks = 0;
    const cudaError_t first = cudaOccupancyMaxActiveClusters(&clusters, store, &same);
    std::printf("clusters: %s ", cudaGetErrorName(first));
    std::printf("%s\n", cudaGetErrorName(cudaOccupancyMaxPotentialClusterSize(&blocks, store, &same)));
}

void graphs(CUfunction function) {
    CUgraph graph;
    cuGraphCreate(&graph, 0);
    int value = 9;
    void* arguments[] = {&memory, &value};
    CUgraphNode nodes[3], from[2], to[2];
    CUgraphNodeParams what = {};
    what.type = CU_GRAPH_NODE_TYPE_EMPTY;
    cuGraphAddNode(&nodes[0], graph, nullptr, nullptr, 0, &what);
    what = {};
    what.type = CU_GRAPH_NODE_TYPE_KERNEL;
    what.kernel.func = function;
    what.kernel.gridDimX = what.kernel.gridDimY = what.kernel.gridDimZ = 1;
    what.kernel.blockDimX = what.kernel.blockDimY = what.kernel.blockDimZ = 1;
    what.kernel.kernelParams = arguments;
    const CUresult result = cuGraphAddNode(&nodes[1], graph, nodes, nullptr, 1, &what);
    cuGraphAddEmptyNode(&nodes[2], graph, nullptr, 0);
    cuGraphAddDependencies(graph, &nodes[1], &nodes[2], nullptr, 1);
    size_t edges = 2, dependencies = 2;
    CUgraphEdgeData data[2];
    cuGraphGetEdges(graph, from, to, data, &edges);
    cuGraphGetEdges_v2(graph, from, to, data, &dependencies);
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
    how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    how.hUploadStream = CU_STREAM_PER_THREAD;
    how.result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    CUgraphExec exec;
    cuGraphInstantiateWithParams(&exec, graph, &how);
    cuGraphLaunch(exec, CU_STREAM_PER_THREAD);
    cuStreamSynchronize(CU_STREAM_PER_THREAD);
    std::printf("graph: %s, %zu edges %zu, instantiated %d, kernel node %d\n", name(result), edges, dependencies,
                how.result_out, found());
}

void copies() {
    CUstream stream;
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    const int ten = 10;
    CUDA_MEMCPY3D_BATCH_OP copy = {};
    copy.src.type = copy.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    copy.src.op.ptr.ptr = reinterpret_cast<CUdeviceptr>(&ten);
    copy.dst.op.ptr.ptr = reinterpret_cast<CUdeviceptr>(memory);
    copy.extent.width = sizeof ten;
    copy.extent.height = copy.extent.depth = 1;
    copy.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    const CUresult result = cuMemcpy3DBatchAsync(1, &copy, 0, stream);
    cuStreamSynchronize(stream);
    std::printf("several copies: %s %d\n", name(result), found());

    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    store<<<1, 1, 0, stream>>>(memory, 1);
    CUstreamCaptureStatus status;
    cuuint64_t id = 0;
    CUgraph graph;
    const CUgraphNode* nodes = nullptr;
    const CUgraphEdgeData* edges = nullptr;
    size_t count = 0;
    cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count);
    cuStreamEndCapture(stream, &graph);
    std::printf("capture: %zu node\n", count);
}

void other_devices() {
    size_t heap = 0;
    const CUresult limit = cuCtxGetLimit(&heap, CU_LIMIT_MALLOC_HEAP_SIZE);
    CUcontext own, other;
    cuCtxGetCurrent(&own);
    cuDevicePrimaryCtxRetain(&other, 0);
    const CUresult self = cuCtxEnablePeerAccess(own, 0), peer = cuCtxEnablePeerAccess(other, 0);
    std::printf("limit: %s, peers: %s %s\n", name(limit), name(self), name(peer));
    std::printf("disabled: %s\n", name(cuCtxDisablePeerAccess(other)));
    int rank = 0;
    const CUresult attribute = cuDeviceGetP2PAttribute(&rank, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 0);
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    std::printf("peers by number: %s, exchanged: %s\n", name(attribute),
                name(cuThreadExchangeStreamCaptureMode(&mode)));
}

void not_served() {
    cudaExternalMemory_t memory_of_others;
    cudaExternalMemoryHandleDesc what = {};
    what.type = cudaExternalMemoryHandleTypeOpaqueFd;
    what.handle.fd = -1;
    what.flags = cudaExternalMemoryDedicated;
    std::printf("not served: %s", cudaGetErrorName(cudaImportExternalMemory(&memory_of_others, &what)));
    cudaGraphicsResource_t resource = nullptr;
    std::printf(" %s", cudaGetErrorName(cudaGraphicsMapResources(1, &resource)));
    CUipcMemHandle handle;
    std::printf(" %s", name(cuIpcGetMemHandle(&handle, reinterpret_cast<CUdeviceptr>(memory))));
    CUdevResource part = {};
    std::printf(" %s\n", name(cuDeviceGetDevResource(0, &part, CU_DEV_RESOURCE_TYPE_SM)));
}

int main() {
    cudaMalloc(&memory, sizeof *memory);
    cudaFunction_t function;
    cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(store));
    attributes_of_streams();
    launches(function);
    graphs(function);
    copies();
    CUcontext context;
#if CUDA_VERSION >= 13000
    cuCtxCreate(&context, nullptr, CU_CTX_SCHED_SPIN | CU_CTX_MAP_HOST, 0);
#else
    cuCtxCreate(&context, CU_CTX_SCHED_SPIN | CU_CTX_MAP_HOST, 0);
#endif
    other_devices();
    not_served();
}
