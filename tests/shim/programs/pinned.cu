// Memory of the host that kernels reach (zero copy), and that copies take either way.
// EXPECT: same pointer: 1
// EXPECT: doubled: 126
// EXPECT: host type 1, device pointer 1
// EXPECT: flags: 6
// EXPECT: copies: 5 5 5
// EXPECT: out of the way: 1
// EXPECT: bad flags: cudaErrorInvalidValue
// EXPECT: memory of the program's own: cudaErrorInvalidValue
// EXPECT: freed twice: cudaErrorInvalidValue
// EXPECT: freed: cudaErrorIllegalAddress
// ERROR: cudaHostRegister takes
// ERROR: cudaHostAlloc #
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(int* data) {
    data[threadIdx.x] *= 2;
}

int main() {
    int *first, *second;
    cudaMalloc(&first, 256);
    int *host, *device;
    cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    cudaMalloc(&second, 256);
    for (int i = 0; i < 64; ++i)
        host[i] = i;
    cudaHostGetDevicePointer(&device, host, 0);
    std::printf("same pointer: %d\n", device == host);
    twice<<<1, 64>>>(device);
    cudaDeviceSynchronize();
    std::printf("doubled: %d\n", host[63]);

    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, host + 1);
    std::printf("host type %d, device pointer %d\n", a.type == cudaMemoryTypeHost, a.devicePointer == host + 1);
    unsigned flags = 0;
    cudaHostGetFlags(&flags, host);
    std::printf("flags: %u\n", flags);

    host[0] = 5;
    cudaMemcpy(first, host, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(host + 1, first, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(host + 2, host, 4, cudaMemcpyHostToHost);
    cudaMemcpy(host + 3, first, 4, cudaMemcpyDefault);
    std::printf("copies: %d %d %d\n", host[1], host[2], host[3]);
    std::printf("out of the way: %d\n", reinterpret_cast<char*>(second) - reinterpret_cast<char*>(first) == 512);

    std::printf("bad flags: %s\n", cudaGetErrorName(cudaHostAlloc(&device, 4, 8)));
    std::printf("memory of the program's own: %s\n", cudaGetErrorName(cudaHostGetDevicePointer(&device, &flags, 0)));
    int* const before = host;
    cudaFreeHost(host);
    std::printf("freed twice: %s\n", cudaGetErrorName(cudaFreeHost(host)));
    twice<<<1, 64>>>(before);
    std::printf("freed: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
