// API misuse gives CUDA's codes, and the last error is kept until it is read.
// EXPECT: empty grid: cudaErrorInvalidConfiguration
// EXPECT: block too large: cudaErrorInvalidConfiguration
// EXPECT: launch bounds: cudaErrorLaunchOutOfResources
// EXPECT: too much shared memory: cudaErrorInvalidValue
// EXPECT: peek keeps: cudaErrorInvalidValue
// EXPECT: get clears: cudaErrorInvalidValue
// EXPECT: now: cudaSuccess
// EXPECT: copy kind: cudaErrorInvalidValue
// EXPECT: copy direction: cudaErrorInvalidMemcpyDirection
// EXPECT: copy beyond the end: cudaErrorInvalidValue
// EXPECT: null destination: cudaErrorInvalidValue
// EXPECT: free twice: cudaErrorInvalidValue
// EXPECT: free inside: cudaErrorInvalidValue
// EXPECT: free null: cudaSuccess
// EXPECT: free host pointer: cudaErrorInvalidValue
// EXPECT: no such device: cudaErrorInvalidDevice
// EXPECT: not a kernel: cudaErrorInvalidDeviceFunction
// EXPECT: symbol overrun: cudaErrorInvalidValue
// EXPECT: not a symbol: cudaErrorInvalidSymbol
// EXPECT: unrecorded event: cudaErrorInvalidResourceHandle
// EXPECT: out of memory: cudaErrorMemoryAllocation
// EXPECT: flags of a callback: cudaErrorInvalidValue
// EXPECT: event between processes with times: cudaErrorInvalidValue
// EXPECT: unknown limit: cudaErrorUnsupportedLimit
// EXPECT: stack of 5000 bytes
// EXPECT: planes: cudaErrorNotSupported
// EXPECT: text: operation not supported
// EXPECT: done: cudaSuccess
// ERROR: heddle: launch of 'empty': an empty grid or block
// ERROR: cudaArrayGetPlane is not supported yet
#include <cstdio>
#include <cuda_runtime.h>

__device__ int variable[4];
__global__ void empty() {
    variable[0] = 1;
}
__global__ void __launch_bounds__(64) bounded() {}

void called(cudaStream_t, cudaError_t, void*) {}

void say(const char* what, cudaError_t error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
    empty<<<0, 32>>>();
    say("empty grid", cudaGetLastError());
    empty<<<1, 4096>>>();
    say("block too large", cudaGetLastError());
    bounded<<<1, 128>>>();
    say("launch bounds", cudaGetLastError());
    empty<<<1, 32, 1 << 24>>>();
    say("too much shared memory", cudaPeekAtLastError());
    say("peek keeps", cudaPeekAtLastError());
    say("get clears", cudaGetLastError());
    say("now", cudaGetLastError());

    char* device = nullptr;
    char host[64] = {};
    cudaMalloc(&device, 64);
    say("copy kind", cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost));
    say("copy direction", cudaMemcpy(device, host, 64, static_cast<cudaMemcpyKind>(17)));
    say("copy beyond the end", cudaMemcpy(device + 1, host, 64, cudaMemcpyHostToDevice));
    say("null destination", cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice));
    char* freed = device;
    cudaFree(device);
    say("free twice", cudaFree(freed));
    cudaMalloc(&device, 64);
    say("free inside", cudaFree(device + 4));
    say("free null", cudaFree(nullptr));
    say("free host pointer", cudaFreeHost(host));
    say("no such device", cudaSetDevice(1));
    cudaFuncAttributes attributes;
    say("not a kernel", cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&say)));
    say("symbol overrun", cudaMemcpyToSymbol(variable, host, 16, 4));
    int no_symbol;
    say("not a symbol", cudaMemcpyToSymbol(no_symbol, host, 4));
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    float ms;
    say("unrecorded event", cudaEventElapsedTime(&ms, a, b));
    void* huge;
    say("out of memory", cudaMalloc(&huge, size_t{1} << 50));
    say("flags of a callback", cudaStreamAddCallback(nullptr, called, nullptr, 1));
    cudaEvent_t between;
    say("event between processes with times", cudaEventCreateWithFlags(&between, cudaEventInterprocess));
    say("unknown limit", cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
    size_t stack = 0;
    cudaDeviceSetLimit(cudaLimitStackSize, 5000);
    cudaDeviceGetLimit(&stack, cudaLimitStackSize);
    std::printf("stack of %zu bytes\n", stack);
    say("planes", cudaArrayGetPlane(nullptr, nullptr, 0));
    std::printf("text: %s\n", cudaGetErrorString(cudaGetLastError()));
    empty<<<1, 32>>>();
    say("done", cudaDeviceSynchronize());
}
