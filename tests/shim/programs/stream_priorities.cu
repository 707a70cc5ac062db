// Priorities of streams: the range of GPUs, and what a stream says of its own.
// OPTIONS: -lcuda
// EXPECT: range: 0 to -5, of the context: 0 to -5, supported: 1 and 1
// EXPECT: given 0 -3 -5 -9 4: 0 -3 -5 -5 0
// EXPECT: of the driver: -5, of a stream without one: 0, of the default stream: 0
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static int priority_of(cudaStream_t stream) {
    int out = 99;
    cudaStreamGetPriority(stream, &out);
    return out;
}

int main() {
    int least = 9, greatest = 9, least_of_context = 9, greatest_of_context = 9, supported = 9;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cuCtxGetStreamPriorityRange(&least_of_context, &greatest_of_context);
    cudaDeviceGetAttribute(&supported, cudaDevAttrStreamPrioritiesSupported, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::printf("range: %d to %d, of the context: %d to %d, supported: %d and %d\n", least, greatest, least_of_context,
                greatest_of_context, supported, properties.streamPrioritiesSupported);

    std::printf("given 0 -3 -5 -9 4:");
    for (const int given : {0, -3, -5, -9, 4}) {
        cudaStream_t stream;
        cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, given);
        std::printf(" %d", priority_of(stream));
        cudaStreamDestroy(stream);
    }

    CUstream of_driver;
    cuStreamCreateWithPriority(&of_driver, CU_STREAM_NON_BLOCKING, -100);
    int priority = 9;
    cuStreamGetPriority(of_driver, &priority);
    cudaStream_t plain;
    cudaStreamCreate(&plain);
    std::printf("\nof the driver: %d, of a stream without one: %d, of the default stream: %d\n", priority,
                priority_of(plain), priority_of(0));
}
