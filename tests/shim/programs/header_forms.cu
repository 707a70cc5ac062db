// Functions that programs for CUDA 12 call in another form than those for CUDA 13, and what launches and streams can be
// told.
// ARCH: 80
// EXPECT: attributes of the stream: cudaSuccess, copied: 4 bytes at the address
// EXPECT: captured: 1, comes after 1 node, graph there
// EXPECT: edges: 1, removed: cudaSuccess, then 0, added: cudaSuccess, before: 1, behind: 1
// EXPECT: launched: 2
// EXPECT: copy of nothing: cudaErrorInvalidValue, attribute of one device: cudaErrorInvalidDevice
// EXPECT: prefetched to 0, then to -1; advised: 1, preferred 0
// EXPECT: vectors: 16 32 16 32 16 32 16 32 16 32, sums 10 26 1000
// EXPECT: a kernel's handle: cudaSuccess cudaSuccess cudaSuccess, launched: 3
// EXPECT: block of 64 at most: 64, with flags 64, with memory by size 64; grids are equal: 1
#include <cstdio>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000
#define EDGES nullptr,
#else
#define EDGES
#endif

__global__ void increment(int* a) {
#if CUDART_VERSION < 13000 // nvcc has these for device code of sm_90
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    *a += 1;
}

__global__ void sums(const double4_16a* a, const longlong4_32a* b, double* out) {
    const double4_16a d = *a;
    const longlong4_32a l = *b;
    const ulong4_16a u = make_ulong4_16a(100, 200, 300, 400);
    out[0] = d.x + d.y + d.z + d.w;
    out[1] = static_cast<double>(l.x + l.y + l.z + l.w);
    out[2] = static_cast<double>(u.x + u.y + u.z + u.w);
}

struct NoMemory {
    __host__ __device__ int operator()(int) const {
        return 0;
    }
};

static const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}

int main() {
    int* a;
    cudaMallocManaged(&a, sizeof *a);
    *a = 0;
    cudaStream_t stream, second;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&second);

    cudaStreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = a;
    value.accessPolicyWindow.num_bytes = sizeof *a;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    const cudaError_t set = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    cudaStreamCopyAttributes(second, stream);
    cudaStreamAttrValue copied{};
    cudaStreamGetAttribute(second, cudaStreamAttributeAccessPolicyWindow, &copied);
    std::printf("attributes of the stream: %s, copied: %zu bytes at the %s\n", name(set),
                copied.accessPolicyWindow.num_bytes,
                copied.accessPolicyWindow.base_ptr == a ? "address" : "wrong address");
    cudaCtxResetPersistingL2Cache();

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    increment<<<1, 1, 0, stream>>>(a);
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph = nullptr, captured;
    const cudaGraphNode_t* last;
    size_t count;
    cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, EDGES & count);
    std::printf("captured: %d, comes after %zu node, graph %s\n", status, count,
                graph != nullptr ? "there" : "missing");
    increment<<<1, 1, 0, stream>>>(a);
    cudaStreamEndCapture(stream, &captured);

    size_t edges = 0, removed = 0, before = 0, behind = 0;
    cudaGraphGetEdges(captured, nullptr, nullptr, EDGES & edges);
    cudaGraphNode_t from, to;
    cudaGraphGetEdges(captured, &from, &to, EDGES & edges);
    const cudaError_t gone = cudaGraphRemoveDependencies(captured, &from, &to, EDGES 1);
    cudaGraphGetEdges(captured, nullptr, nullptr, EDGES & removed);
    const cudaError_t added = cudaGraphAddDependencies(captured, &from, &to, EDGES 1);
    cudaGraphNodeGetDependencies(to, nullptr, EDGES & before);
    cudaGraphNodeGetDependentNodes(from, nullptr, EDGES & behind);
    std::printf("edges: %zu, removed: %s, then %zu, added: %s, before: %zu, behind: %zu\n", edges, name(gone), removed,
                name(added), before, behind);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, captured, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::printf("launched: %d\n", *a);

    cudaMemcpy3DPeerParms nothing{};
    int peer;
    const cudaError_t copy = cudaMemcpy3DPeer(&nothing);
    std::printf("copy of nothing: %s, attribute of one device: %s\n", name(copy),
                name(cudaDeviceGetP2PAttribute(&peer, cudaDevP2PAttrAccessSupported, 0, 0)));

    // A place in CUDA 13's form; heddle's header has CUDA 12's form, too.
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    const auto told = [&](cudaMemRangeAttribute attribute) {
        int value = 7;
        cudaMemRangeGetAttribute(&value, sizeof value, attribute, a, sizeof *a);
        return value;
    };
    cudaMemPrefetchAsync(a, sizeof *a, device, 0, stream);
    const int first = told(cudaMemRangeAttributeLastPrefetchLocation);
#if CUDART_VERSION < 13000
    cudaMemPrefetchAsync(a, sizeof *a, cudaCpuDeviceId);
    cudaMemAdvise(a, sizeof *a, cudaMemAdviseSetReadMostly, 0);
#else
    cudaMemPrefetchAsync(a, sizeof *a, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0);
    cudaMemAdvise(a, sizeof *a, cudaMemAdviseSetReadMostly, device);
#endif
    cudaMemAdvise(a, sizeof *a, cudaMemAdviseSetPreferredLocation, device);
    std::printf("prefetched to %d, then to %d; advised: %d, preferred %d\n", first,
                told(cudaMemRangeAttributeLastPrefetchLocation), told(cudaMemRangeAttributeReadMostly),
                told(cudaMemRangeAttributePreferredLocation));

    struct Vectors {
        longlong4_32a integers;
        double4_16a reals;
        double sums[3];
    };
    Vectors* v;
    cudaMallocManaged(&v, sizeof *v);
    v->reals = make_double4_16a(1, 2, 3, 4);
    v->integers = make_longlong4_32a(5, 6, 7, 8);
    sums<<<1, 1>>>(&v->reals, &v->integers, v->sums);
    cudaDeviceSynchronize();
    std::printf("vectors: %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu, sums %g %g %g\n", alignof(long4_16a),
                alignof(long4_32a), alignof(ulong4_16a), alignof(ulong4_32a), alignof(longlong4_16a),
                alignof(longlong4_32a), alignof(ulonglong4_16a), alignof(ulonglong4_32a), alignof(double4_16a),
                alignof(double4_32a), v->sums[0], v->sums[1], v->sums[2]);

    cudaKernel_t kernel;
    cudaFunction_t function;
    const cudaError_t by_kernel = cudaGetKernel(&kernel, increment);
    const cudaError_t by_function = cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(increment));
    const cudaError_t attribute =
        cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50, 0);
    void* arguments[] = {&a};
    cudaLaunchKernel(static_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0, stream);
    cudaStreamSynchronize(stream);
    std::printf("a kernel's handle: %s %s %s, launched: %d\n", name(by_kernel), name(by_function), name(attribute), *a);

    int grids[3], blocks[3];
    cudaOccupancyMaxPotentialBlockSize(&grids[0], &blocks[0], increment, 0, 64);
    cudaOccupancyMaxPotentialBlockSizeWithFlags(&grids[1], &blocks[1], increment, 0, 64,
                                                cudaOccupancyDisableCachingOverride);
    cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grids[2], &blocks[2], increment, NoMemory{}, 64,
                                                            cudaOccupancyDefault);
    std::printf("block of 64 at most: %d, with flags %d, with memory by size %d; grids are equal: %d\n", blocks[0],
                blocks[1], blocks[2], grids[0] == grids[1] && grids[1] == grids[2]);
}
