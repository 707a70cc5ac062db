// The driver API: arrays and textures, libraries and the linker, graphs, memory apart from its addresses.
// OPTIONS: -lcuda
// EXPECT: array 8 x 4, 1 channel of format 32, 3-D array 4 x 2 x 3
// EXPECT: a part of it: 21 22 31 32, rows of a pitch: 20 21 30 31
// EXPECT: half an element: CUDA_ERROR_INVALID_VALUE
// EXPECT: texels 10 11.5 13, integers as fractions 1 0.2
// EXPECT: library: 2 kernels, twice of it, of 2 parameters at 0 8, library back: same
// EXPECT: damaged fat binary: CUDA_ERROR_INVALID_IMAGE
// EXPECT: linked: 3 * 7 + 1 = 22
// EXPECT: capture: none, then active with 1 node to come after, attribute of the stream 5, of another 1
// EXPECT: launched with attributes: 42, captured: 84 168
// EXPECT: the launch of before CUDA 4: CUDA_SUCCESS 336, without its parameters: CUDA_ERROR_INVALID_VALUE
// EXPECT: shared memory for one block: all, for two: half
// EXPECT: granularity divides 64 MiB, maps: CUDA_SUCCESS, access before it is given: CUDA_ERROR_INVALID_VALUE
// EXPECT: both addresses hold 77, kernels write 78 there
// EXPECT: a copy over two maps: 5 6, overlapping map: CUDA_ERROR_INVALID_VALUE
// EXPECT: used memory comes and goes, range still mapped: CUDA_ERROR_INVALID_VALUE, then CUDA_SUCCESS
// EXPECT: range of a pointer: 4096 bytes from 0, attributes: 2 4096 0
// EXPECT: forms: cuMemAlloc is one, per thread another, cuCtxCreate of 3.2 and 12.5 differ, cuNothing is not found
// EXPECT: plane of an array: CUDA_ERROR_NOT_SUPPORTED
// ERROR: heddle: cuLinkAddData: the embedded fat binary is cut short
// ERROR: heddle: cuArrayGetPlane is not supported yet
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

__global__ void fetch(cudaTextureObject_t linear, cudaTextureObject_t bytes, float* out) {
    out[0] = tex2D<float>(linear, 0.5f, 1.5f);
    out[1] = tex2D<float>(linear, 2.0f, 1.5f);
    out[2] = tex2D<float>(linear, 3.5f, 1.5f);
    out[3] = tex1Dfetch<float>(bytes, 0);
    out[4] = tex1Dfetch<float>(bytes, 1);
}

__global__ void store(int* a, int value) {
    *a = value;
}

static CUarray make_array() {
    CUDA_ARRAY_DESCRIPTOR what = {};
    what.Width = 8;
    what.Height = 4;
    what.Format = CU_AD_FORMAT_FLOAT;
    what.NumChannels = 1;
    CUarray array;
    cuArrayCreate(&array, &what);
    return array;
}

static void arrays() {
    const CUarray array = make_array();
    CUarray volume;
    CUDA_ARRAY3D_DESCRIPTOR three = {};
    three.Width = 4;
    three.Height = 2;
    three.Depth = 3;
    three.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    three.NumChannels = 2;
    cuArray3DCreate(&volume, &three);
    CUDA_ARRAY_DESCRIPTOR known;
    CUDA_ARRAY3D_DESCRIPTOR known3;
    cuArrayGetDescriptor(&known, array);
    cuArray3DGetDescriptor(&known3, volume);
    std::printf("array %zu x %zu, %u channel of format %d, 3-D array %zu x %zu x %zu\n", known.Width, known.Height,
                known.NumChannels, static_cast<int>(known.Format), known3.Width, known3.Height, known3.Depth);

    float texels[4][8], part[4] = {}, rows[2][4] = {};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x)
            texels[y][x] = static_cast<float>(10 * y + x);
    CUDA_MEMCPY2D in = {};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = texels;
    in.srcPitch = sizeof texels[0];
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.WidthInBytes = sizeof texels[0];
    in.Height = 4;
    cuMemcpy2D(&in);
    CUDA_MEMCPY2D out = {};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = 4;
    out.srcY = 2;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = part;
    out.dstPitch = 8;
    out.WidthInBytes = 8;
    out.Height = 2;
    cuMemcpy2D(&out);
    CUdeviceptr pitched;
    std::size_t pitch;
    cuMemAllocPitch(&pitched, &pitch, 16, 4, 4);
    CUDA_MEMCPY3D deep = {};
    deep.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    deep.srcArray = array;
    deep.srcY = 2;
    deep.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    deep.dstDevice = pitched;
    deep.dstXInBytes = 4;
    deep.dstY = 1;
    deep.dstPitch = pitch;
    deep.WidthInBytes = 8;
    deep.Height = 2;
    deep.Depth = 1;
    cuMemcpy3D(&deep);
    cudaMemcpy2D(rows, 16, reinterpret_cast<void*>(pitched + pitch), pitch, 16, 2, cudaMemcpyDeviceToHost);
    std::printf("a part of it: %g %g %g %g, rows of a pitch: %g %g %g %g\n", part[0], part[1], part[2], part[3],
                rows[0][1], rows[0][2], rows[1][1], rows[1][2]);
    out.WidthInBytes = 6;
    std::printf("half an element: %s\n", name(cuMemcpy2D(&out)));

    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC sampler = {};
    sampler.filterMode = CU_TR_FILTER_MODE_LINEAR;
    for (CUaddress_mode& mode : sampler.addressMode)
        mode = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject linear, bytes;
    cuTexObjectCreate(&linear, &resource, &sampler, nullptr);
    CUdeviceptr memory, results;
    cuMemAlloc(&memory, 512);
    cuMemAlloc(&results, 64);
    cuMemsetD8(memory, 255, 1);
    cuMemsetD8(memory + 1, 51, 1);
    resource = {};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory;
    resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = 512;
    sampler = {};
    cuTexObjectCreate(&bytes, &resource, &sampler, nullptr);
    fetch<<<1, 1>>>(linear, bytes, reinterpret_cast<float*>(results));
    float got[5] = {};
    cuMemcpyDtoH(got, results, sizeof got);
    std::printf("texels %g %g %g, integers as fractions %g %g\n", got[0], got[1], got[2], got[3], got[4]);
    cuTexObjectDestroy(linear);
    cuTexObjectDestroy(bytes);
    cuArrayDestroy(array);
    cuArrayDestroy(volume);
}

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
static const char kTwice[] = HEAD R"(
.visible .entry twice(.param .u64 to, .param .u32 n) {
    .reg .b64 %d<2>; .reg .b32 %r<2>;
    ld.param.u64 %d1, [to];
    ld.global.u32 %r1, [%d1];
    add.u32 %r1, %r1, %r1;
    st.global.u32 [%d1], %r1;
    ret;
}
.visible .entry nothing() { ret; }
)";
static const char kCaller[] = HEAD R"(
.extern .func (.param .b32 out) more(.param .b32 in);
.visible .entry call(.param .u64 to) {
    .reg .b64 %d<2>; .reg .b32 %r<2>;
    ld.param.u64 %d1, [to];
    ld.global.u32 %r1, [%d1];
    { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), more, (a); ld.param.b32 %r1, [b]; }
    st.global.u32 [%d1], %r1;
    ret;
}
)";
static const char kCalled[] = HEAD R"(
.visible .func (.param .b32 out) more(.param .b32 in) {
    .reg .b32 %r<2>;
    ld.param.b32 %r1, [in];
    mad.lo.u32 %r1, %r1, 3, 1;
    st.param.b32 [out], %r1;
    ret;
}
)";

static int read(CUdeviceptr from) {
    int value = 0;
    cuMemcpyDtoH(&value, from, sizeof value);
    return value;
}

static void libraries() {
    CUlibrary library, back = nullptr;
    CUkernel kernel;
    CUfunction twice;
    const char* text = "?";
    unsigned count = 0;
    std::size_t first = 9, second = 9, bytes = 0;
    cuLibraryLoadData(&library, kTwice, nullptr, nullptr, 0, nullptr, nullptr, 0);
    cuLibraryGetKernelCount(&count, library);
    cuLibraryGetKernel(&kernel, library, "twice");
    cuKernelGetName(&text, kernel);
    cuKernelGetParamInfo(kernel, 0, &first, &bytes);
    cuKernelGetParamInfo(kernel, 1, &second, &bytes);
    cuKernelGetLibrary(&back, kernel);
    cuKernelGetFunction(&twice, kernel);
    std::printf("library: %u kernels, %s of it, of 2 parameters at %zu %zu, library back: %s\n", count, text, first,
                second, back == library ? "same" : "another");

    CUlinkState state;
    void* image = nullptr;
    std::size_t size = 0;
    CUmodule module;
    CUfunction call;
    cuLinkCreate(0, nullptr, nullptr, &state);
    cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(kCaller), sizeof kCaller, "caller", 0, nullptr, nullptr);
    cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(kCalled), sizeof kCalled, "called", 0, nullptr, nullptr);
    char damaged[] = "\x50\xed\x55\xba and no more"; // begins as a fat binary does
    const CUresult added =
        cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, damaged, sizeof damaged, "damaged", 0, nullptr, nullptr);
    std::printf("damaged fat binary: %s\n", name(added));
    cuLinkComplete(state, &image, &size);
    cuModuleLoadData(&module, image);
    cuLinkDestroy(state);
    cuModuleGetFunction(&call, module, "call");
    CUdeviceptr number;
    cuMemAlloc(&number, 4);
    cuMemsetD32(number, 7, 1);
    void* arguments[] = {&number, &count};
    cuLaunchKernel(call, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    std::printf("linked: 3 * 7 + 1 = %d\n", read(number));

    cuMemsetD32(number, 21, 1);
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    cuLaunchKernelEx(&config, twice, arguments, nullptr);
    const int once = read(number);
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    void *info = nullptr, *set = nullptr, *get = nullptr;
    CUdriverProcAddressQueryResult status;
    cuGetProcAddress("cuStreamGetCaptureInfo", &info, 11030, 0, &status);
    cuGetProcAddress("cuStreamSetAttribute", &set, 11000, 0, &status);
    cuGetProcAddress("cuStreamGetAttribute", &get, 11000, 0, &status);
    CUstreamCaptureStatus before{}, during{};
    unsigned long long id = 0;
    CUgraph captured = nullptr;
    const CUgraphNode* last = nullptr;
    std::size_t comes_after = 0;
    const auto ask = reinterpret_cast<CUresult (*)(CUstream, CUstreamCaptureStatus*, unsigned long long*, CUgraph*,
                                                   const CUgraphNode**, std::size_t*)>(info);
    ask(stream, &before, &id, nullptr, nullptr, nullptr);
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    cuLaunchKernel(twice, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
    ask(stream, &during, &id, &captured, &last, &comes_after);
    char value[64] = {5}, own[64] = {}, other[64] = {9};
    reinterpret_cast<CUresult (*)(CUstream, int, const void*)>(set)(stream, 3, value);
    reinterpret_cast<CUresult (*)(CUstream, int, void*)>(get)(stream, 3, own);
    reinterpret_cast<CUresult (*)(CUstream, int, void*)>(get)(nullptr, 3, other);
    std::printf("capture: %s, then %s with %zu node to come after, attribute of the stream %d, of another %d\n",
                before == CU_STREAM_CAPTURE_STATUS_NONE ? "none" : "some",
                during == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && captured != nullptr && last[0] != nullptr
                    ? "active"
                    : "wrong",
                comes_after, own[0], other[0]);
    cuStreamEndCapture(stream, &graph);
    cuGraphInstantiate(&exec, graph, 0);
    cuGraphLaunch(exec, stream);
    const int again = read(number);
    cuGraphLaunch(exec, stream);
    std::printf("launched with attributes: %d, captured: %d %d\n", once, again, read(number));
    cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);

    CUfunction fresh;
    cuModuleGetFunction(&fresh, reinterpret_cast<CUmodule>(library), "nothing");
    cuFuncSetBlockShape(twice, 1, 1, 1);
    cuParamSetv(twice, 0, &number, sizeof number);
    cuParamSeti(twice, 8, 1);
    cuParamSetSize(twice, 12);
    const CUresult old = cuLaunch(twice);
    const int doubled = read(number);
    cuParamSetSize(twice, 8);
    std::printf("the launch of before CUDA 4: %s %d, without its parameters: %s\n", name(old), doubled,
                name(cuLaunchGrid(twice, 1, 1)));
    std::size_t one = 0, two = 0;
    int most = 0;
    cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 0);
    cuOccupancyAvailableDynamicSMemPerBlock(&one, fresh, 1, 32);
    cuOccupancyAvailableDynamicSMemPerBlock(&two, fresh, 2, 32);
    std::printf("shared memory for one block: %s, for two: %s\n",
                one == static_cast<std::size_t>(most) ? "all" : "less", two * 2 == one ? "half" : "another part");
}

static void virtual_memory() {
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    CUmemAllocationProp what = {};
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    std::size_t granule = 0, before = 0, during = 0, after = 0, total = 0;
    cuMemGetAllocationGranularity(&granule, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuMemGetInfo(&before, &total);
    CUdeviceptr range = 0;
    CUmemGenericAllocationHandle memory = 0;
    cuMemAddressReserve(&range, 3 * kBytes, 0, 0, 0);
    cuMemCreate(&memory, kBytes, &what, 0);
    cuMemGetInfo(&during, &total);
    CUresult mapped = cuMemMap(range, kBytes, 0, memory, 0);
    if (mapped == CUDA_SUCCESS)
        mapped = cuMemMap(range + kBytes, kBytes, 0, memory, 0);
    unsigned value = 77;
    std::printf("granularity divides 64 MiB%s, maps: %s, access before it is given: %s\n",
                granule != 0 && kBytes % granule == 0 ? "" : ": no", name(mapped),
                name(cuMemcpyHtoD(range + 64, &value, 4)));
    CUmemAccessDesc rights = {};
    rights.location = what.location;
    rights.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemSetAccess(range, 2 * kBytes, &rights, 1);
    cuMemcpyHtoD(range + 64, &value, 4);
    const int first = read(range + kBytes + 64);
    store<<<1, 1>>>(reinterpret_cast<int*>(range + kBytes + 64), 78);
    std::printf("both addresses hold %d, kernels write %d there\n", first, read(range + 64));
    const int pair[] = {5, 6};
    int both[2] = {};
    cuMemcpyHtoD(range + kBytes - 4, pair, sizeof pair);
    cuMemcpyDtoH(both, range + kBytes - 4, sizeof both);
    std::printf("a copy over two maps: %d %d, overlapping map: %s\n", both[0], both[1],
                name(cuMemMap(range + kBytes / 2, kBytes, 0, memory, 0)));
    cuMemRelease(memory); // it stays while it is mapped
    cuMemUnmap(range, kBytes);
    const CUresult held = cuMemAddressFree(range, 3 * kBytes);
    cuMemUnmap(range + kBytes, kBytes);
    cuMemGetInfo(&after, &total);
    std::printf("used memory %s, range still mapped: %s, then %s\n",
                before - during == kBytes && after == before ? "comes and goes" : "is wrong", name(held),
                name(cuMemAddressFree(range, 3 * kBytes)));
}

static void pointers() {
    CUdeviceptr memory, begin = 0;
    std::size_t bytes = 0;
    cuMemAlloc(&memory, 4096);
    cuMemGetAddressRange(&begin, &bytes, memory + 100);
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED};
    unsigned type = 9, managed = 9;
    std::size_t size = 0;
    void* values[] = {&type, &size, &managed};
    cuPointerGetAttributes(3, asked, values, memory + 100);
    std::printf("range of a pointer: %zu bytes from %lld, attributes: %u %zu %u\n", bytes,
                static_cast<long long>(begin - memory), type, size, managed & 1);
}

static void forms() {
    void *plain = nullptr, *thread = nullptr, *old = nullptr, *newer = nullptr, *none = nullptr, *direct = nullptr;
    CUdriverProcAddressQueryResult status;
    cuGetProcAddress("cuMemAlloc", &plain, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status);
    cuGetProcAddress("cuMemAllocAsync", &direct, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status);
    cuGetProcAddress("cuMemAllocAsync", &thread, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status);
    cuGetProcAddress("cuCtxCreate", &old, 3020, 0, &status);
    cuGetProcAddress("cuCtxCreate", &newer, 12050, 0, &status);
    const CUresult missing = cuGetProcAddress("cuNothing", &none, 12000, 0, &status);
    std::printf("forms: cuMemAlloc is %s, per thread %s, cuCtxCreate of 3.2 and 12.5 %s, cuNothing is %s\n",
                plain == reinterpret_cast<void*>(&cuMemAlloc) ? "one" : "another",
                thread != nullptr && thread != direct ? "another" : "the same", old != newer ? "differ" : "are equal",
                missing == CUDA_ERROR_NOT_FOUND && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND ? "not found"
                                                                                                  : "found");
    int (*plane)(CUarray*, CUarray, unsigned) = nullptr;
    cuGetProcAddress("cuArrayGetPlane", reinterpret_cast<void**>(&plane), 12000, 0, &status);
    CUarray array = nullptr;
    std::printf("plane of an array: %s\n", name(static_cast<CUresult>(plane(&array, nullptr, 0))));
}

int main() {
    CUcontext context;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    arrays();
    libraries();
    virtual_memory();
    pointers();
    forms();
    return 0;
}
