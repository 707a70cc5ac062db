// Functions that CUDA 13 removed: programs that were built with an older toolkit still call them.
#include "state.h"

// The header gives programs that are built today the present names.
#undef cudaThreadExit
#undef cudaThreadGetCacheConfig
#undef cudaThreadGetLimit
#undef cudaThreadSetCacheConfig
#undef cudaThreadSetLimit
#undef cudaThreadSynchronize
#undef cudaEventElapsedTime_v2

HEDDLE_CUDA_API cudaError_t cudaThreadExit() {
    return cudaDeviceReset();
}
HEDDLE_CUDA_API cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
    return cudaDeviceGetCacheConfig(config);
}
HEDDLE_CUDA_API cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
HEDDLE_CUDA_API cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
    return cudaDeviceSetCacheConfig(config);
}
HEDDLE_CUDA_API cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
HEDDLE_CUDA_API cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}
// Of CUDA 12.8, whose headers give the plain function this name.
HEDDLE_CUDA_API cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return cudaEventElapsedTime(milliseconds, start, end);
}
