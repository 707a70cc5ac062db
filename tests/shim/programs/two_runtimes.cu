// A library of the program may use another version of the runtime: memory, streams and graphs are those of one device.
// EXPECT: other runtime: 12000, memory: 42, stream: cudaSuccess, graph: cudaSuccess
// EXPECT: event: cudaSuccess, freed: cudaSuccess, again: cudaErrorInvalidValue
// EXPECT: names that CUDA 13 removed: cudaSuccess cudaSuccess
// OPTIONS: -ldl
#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>

__global__ void add(int* values) {
    values[threadIdx.x] += 2;
}

static void* other;
template <class F>
static F* of_other(F&, const char* name) {
    return reinterpret_cast<F*>(dlsym(other, name));
}
#define OTHER(function) of_other(function, #function)

static cudaError_t other_malloc(int** out, size_t bytes) {
    return reinterpret_cast<cudaError_t (*)(void**, size_t)>(dlsym(other, "cudaMalloc"))(reinterpret_cast<void**>(out),
                                                                                         bytes);
}

int main() {
    other = dlopen("libcudart.so.12", RTLD_NOW | RTLD_LOCAL);
    if (other == nullptr) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    int version = 0;
    OTHER(cudaRuntimeGetVersion)(&version);
    int *values, first = 40;
    other_malloc(&values, 32 * sizeof *values);
    OTHER(cudaMemcpy)(values, &first, sizeof first, cudaMemcpyHostToDevice);
    cudaStream_t stream;
    OTHER(cudaStreamCreate)(&stream);
    add<<<1, 32, 0, stream>>>(values);
    const cudaError_t synchronized = cudaStreamSynchronize(stream);
    OTHER(cudaMemcpy)(&first, values, sizeof first, cudaMemcpyDeviceToHost);
    cudaGraph_t graph;
    OTHER(cudaGraphCreate)(&graph, 0);
    std::printf("other runtime: %d, memory: %d, stream: %s, graph: %s\n", version, first,
                cudaGetErrorName(synchronized), cudaGetErrorName(cudaGraphDestroy(graph)));
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    const cudaError_t recorded = OTHER(cudaEventSynchronize)(event);
    const cudaError_t freed = cudaFree(values);
    std::printf("event: %s, freed: %s, again: %s\n", cudaGetErrorName(recorded), cudaGetErrorName(freed),
                cudaGetErrorName(OTHER(cudaFree)(values)));
    float milliseconds;
    std::printf(
        "names that CUDA 13 removed: %s %s\n",
        cudaGetErrorName(of_other(cudaDeviceSynchronize, "cudaThreadSynchronize")()),
        cudaGetErrorName(of_other(cudaEventElapsedTime, "cudaEventElapsedTime_v2")(&milliseconds, event, event)));
}
