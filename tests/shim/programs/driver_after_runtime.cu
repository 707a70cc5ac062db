// Driver calls after calls of the runtime, without cuInit: the device's primary context is there.
// OPTIONS: -lcuda
// EXPECT: before: CUDA_ERROR_NOT_INITIALIZED
// EXPECT: device: CUDA_SUCCESS 0, context: CUDA_SUCCESS, the primary one, active 1
// EXPECT: memory of the runtime 5, of the driver 6
// EXPECT: another thread: CUDA_ERROR_INVALID_CONTEXT, then CUDA_SUCCESS
// EXPECT: entry point: cudaSuccess, CUDA_SUCCESS 0
// EXPECT: no such entry point: cudaSuccess, status 1
// EXPECT: popped the primary one: CUDA_SUCCESS
// EXPECT: flags of a context: 4, then 2, foreign memory: CUDA_ERROR_NOT_FOUND
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <thread>

extern "C" CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

int main() {
    CUdevice device = 7;
    CUcontext current = nullptr, primary = nullptr, popped = nullptr;
    std::printf("before: %s\n", name(cuCtxGetDevice(&device)));
    int* memory;
    cudaMalloc(&memory, 8);
    const CUresult asked = cuCtxGetDevice(&device), got = cuCtxGetCurrent(&current);
    unsigned flags;
    int active = 0;
    cuDevicePrimaryCtxRetain(&primary, 0);
    cuDevicePrimaryCtxGetState(0, &flags, &active);
    std::printf("device: %s %d, context: %s, %s, active %d\n", name(asked), device, name(got),
                current == primary ? "the primary one" : "another", active);
    int values[] = {5, 6}, back[2] = {};
    cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(memory), values, 4);
    CUdeviceptr more;
    cuMemAlloc(&more, 4);
    cudaMemcpy(reinterpret_cast<void*>(more), values + 1, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(back, memory, 4, cudaMemcpyDeviceToHost);
    cuMemcpyDtoH(back + 1, more, 4);
    std::printf("memory of the runtime %d, of the driver %d\n", back[0], back[1]);
    std::thread([] {
        CUdevice there;
        const CUresult first = cuCtxGetDevice(&there);
        cudaFree(nullptr);
        std::printf("another thread: %s, then %s\n", name(first), name(cuCtxGetDevice(&there)));
    }).join();

    CUresult (*get)(CUdevice*) = nullptr;
    cudaDriverEntryPointQueryResult status{};
    const cudaError_t found =
        cudaGetDriverEntryPointByVersion("cuCtxGetDevice", reinterpret_cast<void**>(&get), 12000, 0, &status);
    device = 7;
    const CUresult called = get == nullptr ? CUDA_ERROR_UNKNOWN : get(&device);
    std::printf("entry point: %s, %s %d\n", cudaGetErrorName(found), name(called), device);
    void* none = nullptr;
    const cudaError_t missing = cudaGetDriverEntryPointByVersion("cuNothing", &none, 12000, 0, &status);
    std::printf("no such entry point: %s, status %d\n", cudaGetErrorName(missing), static_cast<int>(status));
    std::printf("popped %s: %s\n",
                cuCtxPopCurrent(&popped) == CUDA_SUCCESS && popped == primary ? "the primary one" : "another",
                name(CUDA_SUCCESS));
    CUcontext with_flags;
    cuCtxCreate_v2(&with_flags, 4, 0); // CU_CTX_SCHED_BLOCKING_SYNC
    cuCtxGetFlags(&flags);
    unsigned others = 0;
    cuCtxSetFlags(2); // CU_CTX_SCHED_YIELD
    cuCtxGetFlags(&others);
    CUdeviceptr begin;
    std::size_t bytes;
    std::printf("flags of a context: %u, then %u, foreign memory: %s\n", flags, others,
                name(cuMemGetAddressRange(&begin, &bytes, reinterpret_cast<CUdeviceptr>(&values))));
}
