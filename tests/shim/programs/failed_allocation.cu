// Memory of the device that no one touches takes none of the host's; a null pointer is reported with what has failed.
// EXPECT: 12 GiB: cudaSuccess, last word 5, 8 GiB more: cudaErrorMemoryAllocation
// EXPECT: launch: cudaErrorIllegalAddress
// ERROR: out-of-bounds store of 4 bytes at 0x100000 in global memory
// ERROR: bytes from null; an allocation of 8589934592 bytes ('cudaMalloc #1') has failed before
// ERROR: the device has 17179869184 bytes (device.memory)
#include <cstdio>
#include <cuda_runtime.h>

__global__ void store(int* to, size_t at) {
    to[at] = 5;
}

int main() {
    constexpr size_t kGiB = size_t{1} << 30;
    int *large = nullptr, *more = nullptr, last = 0;
    const cudaError_t first = cudaMalloc(&large, 12 * kGiB);
    store<<<1, 1>>>(large, 3 * kGiB - 1);
    cudaMemcpy(&last, large + 3 * kGiB - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("12 GiB: %s, last word %d, 8 GiB more: %s\n", cudaGetErrorName(first), last,
                cudaGetErrorName(cudaMalloc(&more, 8 * kGiB)));
    cudaGetLastError();
    store<<<1, 1>>>(more, 1 << 18);
    std::printf("launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
