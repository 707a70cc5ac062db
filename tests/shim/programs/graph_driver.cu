// Graphs of the driver API: nodes of all kinds and their parameters, conditions, memory, memory operations of streams.
// OPTIONS: -lcuda
// EXPECT: any kind: kernel 5, copy 5, fill 9 9, host function 1
// EXPECT: arguments as a block: 8
// EXPECT: parameters: kernel 1 x 1, copy 4 bytes of device memory, fill 2 x 1 of 4 bytes, host function same
// EXPECT: changed: 6, in the executable graph: 7
// EXPECT: memory: 64 bytes, 3, used 0, freed twice: CUDA_ERROR_INVALID_VALUE
// EXPECT: conditional: 2 bodies, first 51
// EXPECT: event: same, waits: same
// EXPECT: write and wait: CUDA_SUCCESS CUDA_SUCCESS, 17 18
// EXPECT: greater or equal CUDA_SUCCESS, and CUDA_SUCCESS, not equal: CUDA_ERROR_NOT_SUPPORTED
// EXPECT: batch: CUDA_SUCCESS, 1 2, of a node: type 12, 2 operations, 3 4, changed 5 4, captured 6
// EXPECT: misaligned: CUDA_ERROR_INVALID_VALUE
// EXPECT: memory of the program: CUDA_ERROR_INVALID_VALUE 5, registered: CUDA_SUCCESS 6
// EXPECT: enabled 0, flags 1, clone: found, object 1 then 0
// EXPECT: kernel of before CUDA 12: 1 x 1, node of CUDA 12.2: CUDA_SUCCESS
// ERROR: heddle: a stream waits until the value at
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>

// *to = value
static const char* const kPut = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                ".visible .entry put(.param .u64 to, .param .u32 value)\n"
                                "{\n"
                                "    .reg .b32 %number;\n"
                                "    .reg .b64 %address;\n"
                                "    ld.param.u64 %address, [to];\n"
                                "    ld.param.u32 %number, [value];\n"
                                "    st.global.u32 [%address], %number;\n"
                                "    ret;\n"
                                "}\n";

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}
template <class F>
static F form(const char* what, int version) {
    void* found = nullptr;
    CUdriverProcAddressQueryResult status;
    cuGetProcAddress(what, &found, version, 0, &status);
    return reinterpret_cast<F>(found);
}

static CUcontext context;
static CUstream stream;
static CUdeviceptr memory; // four numbers
static CUfunction put_function;
static int called;

static void call(void*) {
    ++called;
}
static void destroyed(void* alive) {
    --*static_cast<int*>(alive);
}
static int value_at(CUdeviceptr address) {
    int value = 0;
    cuMemcpyDtoH(&value, address, sizeof value);
    return value;
}
static CUgraph new_graph() {
    CUgraph graph;
    cuGraphCreate(&graph, 0);
    return graph;
}
static CUgraphExec executable(CUgraph graph, unsigned long long flags = 0) {
    CUgraphExec exec = nullptr;
    cuGraphInstantiateWithFlags(&exec, graph, flags);
    return exec;
}
static CUgraphNodeParams of_type(CUgraphNodeType type) {
    CUgraphNodeParams what;
    std::memset(static_cast<void*>(&what), 0, sizeof what);
    what.type = type;
    return what;
}
static CUgraphNode add(CUgraph graph, const CUgraphNode* after, CUgraphNodeParams& what) {
    CUgraphNode node = nullptr;
    cuGraphAddNode(&node, graph, after, nullptr, after == nullptr ? 0 : 1, &what);
    return node;
}

struct Put {
    CUdeviceptr to;
    int value;
    void* pointers[2];

    Put(CUdeviceptr to, int value) : to(to), value(value), pointers{&this->to, &this->value} {}
    CUgraphNodeParams what() {
        CUgraphNodeParams out = of_type(CU_GRAPH_NODE_TYPE_KERNEL);
        out.kernel.func = put_function;
        out.kernel.gridDimX = out.kernel.gridDimY = out.kernel.gridDimZ = 1;
        out.kernel.blockDimX = out.kernel.blockDimY = out.kernel.blockDimZ = 1;
        out.kernel.kernelParams = pointers;
        return out;
    }
};
static CUgraphNode add_put(CUgraph graph, const CUgraphNode* after, CUdeviceptr to, int value) {
    Put arguments(to, value);
    CUgraphNodeParams what = arguments.what();
    return add(graph, after, what);
}

static void nodes() {
    const CUgraph graph = new_graph();
    const CUgraphNode kernel = add_put(graph, nullptr, memory, 5);
    CUgraphNodeParams what = of_type(CU_GRAPH_NODE_TYPE_MEMCPY);
    what.memcpy.copyParams.srcMemoryType = what.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    what.memcpy.copyParams.srcDevice = memory;
    what.memcpy.copyParams.dstDevice = memory + 4;
    what.memcpy.copyParams.WidthInBytes = 4;
    what.memcpy.copyParams.Height = what.memcpy.copyParams.Depth = 1;
    const CUgraphNode copy = add(graph, &kernel, what);
    what = of_type(CU_GRAPH_NODE_TYPE_MEMSET);
    what.memset.dst = memory + 8;
    what.memset.value = 9;
    what.memset.elementSize = 4;
    what.memset.width = 2;
    what.memset.height = 1;
    const CUgraphNode fill = add(graph, &copy, what);
    what = of_type(CU_GRAPH_NODE_TYPE_HOST);
    what.host.fn = call;
    const CUgraphNode host = add(graph, &fill, what);
    CUgraphExec exec = executable(graph);
    cuGraphLaunch(exec, stream);
    std::printf("any kind: kernel %d, copy %d, fill %d %d, host function %d\n", value_at(memory), value_at(memory + 4),
                value_at(memory + 8), value_at(memory + 12), called);

    struct {
        CUdeviceptr to;
        int value;
    } block = {memory, 8};
    std::size_t bytes = sizeof block;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CUDA_KERNEL_NODE_PARAMS of_kernel = {};
    cuGraphKernelNodeGetParams(kernel, &of_kernel);
    of_kernel.kernelParams = nullptr;
    of_kernel.extra = extra;
    cuGraphExecKernelNodeSetParams(exec, kernel, &of_kernel);
    cuGraphLaunch(exec, stream);
    std::printf("arguments as a block: %d\n", value_at(memory));
    CUDA_MEMCPY3D of_copy = {};
    CUDA_MEMSET_NODE_PARAMS of_fill = {};
    CUDA_HOST_NODE_PARAMS of_host = {};
    cuGraphKernelNodeGetParams(kernel, &of_kernel);
    cuGraphMemcpyNodeGetParams(copy, &of_copy);
    cuGraphMemsetNodeGetParams(fill, &of_fill);
    cuGraphHostNodeGetParams(host, &of_host);
    std::printf(
        "parameters: kernel %u x %u, copy %zu bytes of %s memory, fill %zu x %zu of %u bytes, host function %s\n",
        of_kernel.gridDimX, of_kernel.blockDimX, of_copy.WidthInBytes,
        of_copy.srcMemoryType == CU_MEMORYTYPE_DEVICE ? "device" : "other", of_fill.width, of_fill.height,
        of_fill.elementSize, of_host.fn == call ? "same" : "another");
    Put six(memory, 6), seven(memory, 7);
    what = six.what();
    cuGraphNodeSetParams(kernel, &what);
    exec = executable(graph);
    cuGraphLaunch(exec, stream);
    std::printf("changed: %d, ", value_at(memory + 4));
    what = seven.what();
    cuGraphExecNodeSetParams(exec, kernel, &what);
    cuGraphLaunch(exec, stream);
    std::printf("in the executable graph: %d\n", value_at(memory + 4));
}

static void graph_memory() {
    const CUgraph graph = new_graph();
    CUgraphNodeParams what = of_type(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    what.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    what.alloc.bytesize = 64;
    const CUgraphNode allocated = add(graph, nullptr, what);
    const CUdeviceptr address = what.alloc.dptr;
    const CUgraphNode filled = add_put(graph, &allocated, address, 3);
    CUgraphNode copied, freed;
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = address;
    copy.dstDevice = memory;
    copy.WidthInBytes = 4;
    copy.Height = copy.Depth = 1;
    cuGraphAddMemcpyNode(&copied, graph, &filled, 1, &copy, context);
    cuGraphAddMemFreeNode(&freed, graph, &copied, 1, address);
    cuGraphLaunch(executable(graph), stream);
    CUDA_MEM_ALLOC_NODE_PARAMS found = {};
    unsigned long long used = 99;
    cuGraphMemAllocNodeGetParams(allocated, &found);
    cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used);
    std::printf("memory: %zu bytes, %d, used %llu, freed twice: %s\n", found.bytesize, value_at(memory), used,
                name(cuGraphAddMemFreeNode(&freed, graph, &freed, 1, address)));
}

static void conditions() {
    const CUgraph graph = new_graph();
    CUgraphConditionalHandle handle;
    cuGraphConditionalHandleCreate(&handle, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT);
    CUgraphNodeParams what = of_type(CU_GRAPH_NODE_TYPE_CONDITIONAL);
    what.conditional.handle = handle;
    what.conditional.type = CU_GRAPH_COND_TYPE_IF;
    what.conditional.size = 2;
    what.conditional.ctx = context;
    add(graph, nullptr, what);
    for (int i = 0; i < 2; ++i)
        add_put(what.conditional.phGraph_out[i], nullptr, memory, 51 + i);
    cuGraphLaunch(executable(graph), stream);
    std::printf("conditional: %u bodies, first %d\n", what.conditional.size, value_at(memory));
}

static void events() {
    const CUgraph graph = new_graph();
    CUevent event, recorded, awaited;
    CUgraphNode record, wait;
    cuEventCreate(&event, 0);
    cuGraphAddEventRecordNode(&record, graph, nullptr, 0, event);
    cuGraphAddEventWaitNode(&wait, graph, &record, 1, event);
    cuGraphEventRecordNodeGetEvent(record, &recorded);
    cuGraphEventWaitNodeGetEvent(wait, &awaited);
    std::printf("event: %s, waits: %s\n", recorded == event ? "same" : "another",
                awaited == event ? "same" : "another");
}

static CUstreamBatchMemOpParams write_of(CUdeviceptr to, unsigned value) {
    CUstreamBatchMemOpParams out;
    std::memset(&out, 0, sizeof out);
    out.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    out.writeValue.address = to;
    out.writeValue.value = value;
    return out;
}

static void operations() {
    const CUresult written = cuStreamWriteValue32(stream, memory, 17, CU_STREAM_WRITE_VALUE_DEFAULT);
    cuStreamWriteValue64(stream, memory + 8, 18, CU_STREAM_WRITE_VALUE_DEFAULT);
    const CUresult waited = cuStreamWaitValue32(stream, memory, 17, CU_STREAM_WAIT_VALUE_EQ);
    std::printf("write and wait: %s %s, %d %d\n", name(written), name(waited), value_at(memory), value_at(memory + 8));
    const CUresult more = cuStreamWaitValue64(stream, memory + 8, 10, CU_STREAM_WAIT_VALUE_GEQ);
    const CUresult bits = cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_AND);
    std::printf("greater or equal %s, and %s, ", name(more), name(bits));
    std::printf("not equal: %s\n", name(cuStreamWaitValue32(stream, memory, 4, CU_STREAM_WAIT_VALUE_EQ)));

    CUstreamBatchMemOpParams two[] = {write_of(memory, 1), write_of(memory + 4, 2)};
    std::printf("batch: %s, ", name(cuStreamBatchMemOp(stream, 2, two, 0)));
    std::printf("%d %d, ", value_at(memory), value_at(memory + 4));
    const CUgraph graph = new_graph();
    CUgraphNode node;
    CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {}, found = {};
    batch.ctx = context;
    batch.count = 2;
    batch.paramArray = two;
    two[0].writeValue.value = 3;
    two[1].writeValue.value = 4;
    cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &batch);
    CUgraphNodeType type;
    cuGraphNodeGetType(node, &type);
    cuGraphBatchMemOpNodeGetParams(node, &found);
    const CUgraphExec exec = executable(graph);
    cuGraphLaunch(exec, stream);
    std::printf("of a node: type %d, %u operations, %d %d, ", type, found.count, value_at(memory),
                value_at(memory + 4));
    two[0].writeValue.value = 5;
    batch.count = 1;
    cuGraphExecBatchMemOpNodeSetParams(exec, node, &batch);
    cuGraphLaunch(exec, stream);
    std::printf("changed %d %d, ", value_at(memory), value_at(memory + 4));
    CUgraph captured;
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    cuStreamWriteValue32(stream, memory, 6, 0);
    cuStreamEndCapture(stream, &captured);
    cuGraphLaunch(executable(captured), stream);
    std::printf("captured %d\n", value_at(memory));
    std::printf("misaligned: %s\n", name(cuStreamWriteValue32(stream, memory + 2, 6, 0)));
    alignas(4096) static unsigned own[1024] = {5};
    const auto write_own = [] { return name(cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(own), 6, 0)); };
    std::printf("memory of the program: %s %u, ", write_own(), own[0]);
    cuMemHostRegister(own, sizeof own, 0);
    const char* const registered = write_own();
    std::printf("registered: %s %u\n", registered, own[0]);
    cuMemHostUnregister(own);
}

static void objects() {
    const CUgraph graph = new_graph();
    const CUgraphNode node = add_put(graph, nullptr, memory, 1);
    const CUgraphExec exec = executable(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    unsigned enabled = 9;
    cuuint64_t flags = 0;
    cuGraphNodeSetEnabled(exec, node, 0);
    cuGraphNodeGetEnabled(exec, node, &enabled);
    cuGraphExecGetFlags(exec, &flags);
    CUgraph clone;
    CUgraphNode twin = nullptr;
    cuGraphClone(&clone, graph);
    cuGraphNodeFindInClone(&twin, node, clone);
    std::printf("enabled %u, flags %llu, clone: %s, ", enabled, static_cast<unsigned long long>(flags),
                twin != nullptr ? "found" : "not there");
    int alive = 1;
    CUuserObject object;
    cuUserObjectCreate(&object, &alive, destroyed, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    cuGraphRetainUserObject(clone, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
    std::printf("object %d then ", alive);
    cuGraphDestroy(clone);
    std::printf("%d\n", alive);

    CUDA_KERNEL_NODE_PARAMS old = {};
    using GetOld = CUresult (*)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS*);
    form<GetOld>("cuGraphKernelNodeGetParams", 11000)(node, &old);
    using AddOld = CUresult (*)(CUgraphNode*, CUgraph, const CUgraphNode*, std::size_t, CUgraphNodeParams*);
    CUgraphNodeParams empty = of_type(CU_GRAPH_NODE_TYPE_EMPTY);
    const CUresult added = form<AddOld>("cuGraphAddNode", 12020)(&twin, graph, &node, 1, &empty);
    std::printf("kernel of before CUDA 12: %u x %u, node of CUDA 12.2: %s\n", old.gridDimX, old.blockDimX, name(added));
}

int main() {
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuMemAlloc(&memory, 16);
    CUmodule module;
    cuModuleLoadData(&module, kPut);
    cuModuleGetFunction(&put_function, module, "put");
    nodes();
    graph_memory();
    conditions();
    events();
    operations();
    objects();
    return 0;
}
