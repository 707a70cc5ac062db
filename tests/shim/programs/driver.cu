// The driver API: a module from PTX, its functions and variables, memory, streams and events.
// OPTIONS: -lcuda
// EXPECT: before cuInit: CUDA_ERROR_NOT_INITIALIZED
// EXPECT: without a context: CUDA_ERROR_INVALID_CONTEXT
// EXPECT: device 0 of 1: 32 lanes, the same name
// EXPECT: contexts: the first, then the second, then the first
// EXPECT: module: CUDA_SUCCESS, no function: CUDA_ERROR_NOT_FOUND, of the runtime: cudaSuccess
// EXPECT: variable of 4 bytes
// EXPECT: launched: CUDA_SUCCESS, by a block of arguments: CUDA_SUCCESS
// EXPECT: sums 2107 2108 2109 2110
// EXPECT: short block: CUDA_ERROR_INVALID_VALUE, too many threads: CUDA_ERROR_INVALID_VALUE
// EXPECT: fills 0xabababab 0x12341234 0xdeadbeef
// EXPECT: pointer: of the device, with the runtime's memory too
// EXPECT: callback: CUDA_SUCCESS
// EXPECT: wrong PTX: CUDA_ERROR_INVALID_PTX, no such error: CUDA_ERROR_INVALID_VALUE
// EXPECT: unloaded: CUDA_SUCCESS, launch then: CUDA_ERROR_INVALID_HANDLE
// EXPECT: registered twice: CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, not: CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
// EXPECT: no capture: CUDA_ERROR_ILLEGAL_STATE
// ERROR: has no variable 'other'
// ERROR: is not declared
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>

static const char* const kText = R"(.version 7.0
.target sm_70
.address_size 64
.visible .global .u32 offset = 2000;
.visible .entry add(.param .u32 more, .param .u64 to) {
    .reg .b64 %d<3>;
    .reg .b32 %r<5>;
    ld.param.u64 %d1, [to];
    ld.param.u32 %r3, [more];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r2, [offset];
    add.u32 %r2, %r2, %r1;
    add.u32 %r2, %r2, %r3;
    ld.global.u32 %r4, [%d1];
    add.u32 %r2, %r2, %r4;
    st.global.u32 [%d1], %r2;
    ret;
}
)";

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

static void contexts() {
    int count = 0;
    std::printf("before cuInit: %s\n", name(cuDeviceGetCount(&count)));
    cuInit(0);
    CUdeviceptr memory;
    std::printf("without a context: %s\n", name(cuMemAlloc(&memory, 16)));
    CUdevice device;
    cuDeviceGetCount(&count);
    cuDeviceGet(&device, 0);
    int lanes = 0;
    char text[256];
    cudaDeviceProp properties;
    cuDeviceGetAttribute(&lanes, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
    cuDeviceGetName(text, sizeof text, device);
    cudaGetDeviceProperties(&properties, 0);
    std::printf("device %d of %d: %d lanes, %s name\n", device, count, lanes,
                std::strcmp(text, properties.name) == 0 ? "the same" : "another");
    CUcontext first, second, now[3];
    cuDevicePrimaryCtxRetain(&first, device);
    cuCtxSetCurrent(first);
    cuCtxGetCurrent(&now[0]);
#if CUDA_VERSION >= 13000
    cuCtxCreate(&second, nullptr, 0, device);
#else
    cuCtxCreate(&second, 0, device);
#endif
    cuCtxGetCurrent(&now[1]);
    cuCtxDestroy(second);
    cuCtxGetCurrent(&now[2]);
    const auto which = [&](CUcontext c) { return c == first ? "first" : c == second ? "second" : "other"; };
    std::printf("contexts: the %s, then the %s, then the %s\n", which(now[0]), which(now[1]), which(now[2]));
}

static CUresult run(CUfunction function, unsigned threads, void** arguments, void** extra) {
    return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, extra);
}

static void launches(CUfunction function) {
    CUdeviceptr to;
    cuMemAlloc(&to, 16);
    cuMemsetD32(to, 0, 4);
    unsigned more = 100;
    void* arguments[] = {&more, &to};
    const CUresult launched = run(function, 4, arguments, nullptr);
    struct {
        unsigned more;
        CUdeviceptr to;
    } block = {0, to};
    block.more = static_cast<unsigned>(-1993); // 2000 + t + 100, then - 1993 + 2000 + t: of 4 threads 2107 + 2 t
    size_t bytes = sizeof block;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    std::printf("launched: %s, by a block of arguments: %s\n", name(launched), name(run(function, 4, nullptr, extra)));
    unsigned out[4];
    cuMemcpyDtoH(out, to, sizeof out);
    std::printf("sums %u %u %u %u\n", out[0], out[1] - 1, out[2] - 2, out[3] - 3);
    bytes = 4;
    const CUresult shorter = run(function, 4, nullptr, extra);
    std::printf("short block: %s, too many threads: %s\n", name(shorter),
                name(run(function, 4096, arguments, nullptr)));
    cuMemsetD8(to, 0xab, 4);
    cuMemsetD16(to + 4, 0x1234, 2);
    cuMemsetD32Async(to + 8, 0xdeadbeef, 1, nullptr);
    cuMemcpyDtoH(out, to, sizeof out);
    std::printf("fills %#x %#x %#x\n", out[0], out[1], out[2]);
    int* of_runtime;
    cudaMalloc(&of_runtime, 4);
    unsigned kinds[2] = {};
    cuPointerGetAttribute(&kinds[0], CU_POINTER_ATTRIBUTE_MEMORY_TYPE, to);
    cuPointerGetAttribute(&kinds[1], CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(of_runtime));
    std::printf("pointer: %s, %s\n", kinds[0] == CU_MEMORYTYPE_DEVICE ? "of the device" : "?",
                kinds[1] == CU_MEMORYTYPE_DEVICE ? "with the runtime's memory too" : "?");
    cuMemFree(to);
}

int main() {
    contexts();
    CUmodule module, wrong;
    CUfunction function, none;
    const CUresult loaded = cuModuleLoadData(&module, kText);
    cuModuleGetFunction(&function, module, "add");
    const CUresult missing = cuModuleGetFunction(&none, module, "sub");
    std::printf("module: %s, no function: %s, of the runtime: %s\n", name(loaded), name(missing),
                cudaGetErrorName(cudaGetLastError()));
    CUdeviceptr offset;
    size_t bytes = 0;
    cuModuleGetGlobal(&offset, &bytes, module, "offset");
    cuModuleGetGlobal(&offset, nullptr, module, "other");
    std::printf("variable of %zu bytes\n", bytes);
    launches(function);
    CUstream stream;
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuStreamAddCallback(
        stream, [](CUstream, CUresult status, void*) { std::printf("callback: %s\n", name(status)); }, nullptr, 0);
    cuStreamSynchronize(stream);
    cuStreamDestroy(stream);
    std::string text = kText;
    text.replace(text.rfind("%r2"), 3, "%q2");
    const char* unknown = nullptr;
    const CUresult of_text = cuModuleLoadData(&wrong, text.c_str());
    std::printf("wrong PTX: %s, no such error: %s\n", name(of_text),
                name(cuGetErrorName(static_cast<CUresult>(12345), &unknown)));
    const CUresult unloaded = cuModuleUnload(module);
    unsigned more = 0;
    void* arguments[] = {&more, &offset};
    std::printf("unloaded: %s, launch then: %s\n", name(unloaded), name(run(function, 1, arguments, nullptr)));
    int mine[8];
    cuMemHostRegister(mine, sizeof mine, 0);
    const CUresult twice = cuMemHostRegister(mine, sizeof mine, 0);
    cuMemHostUnregister(mine);
    std::printf("registered twice: %s, not: %s\n", name(twice), name(cuMemHostUnregister(mine)));
    CUstream idle;
    cuStreamCreate(&idle, CU_STREAM_NON_BLOCKING);
    CUgraph graph;
    std::printf("no capture: %s\n", name(cuStreamEndCapture(idle, &graph)));
    return 0;
}
