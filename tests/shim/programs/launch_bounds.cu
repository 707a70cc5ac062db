// Registers and resident blocks: bounds of a kernel, before and after its first launch, and units of an SM. Expected
// values: NVIDIA's cuda_occupancy.h, and the limits that ptxas keeps to.
// ENV: HEDDLE_MACHINE=a100
// EXPECT: bounds: 1 1 1
// EXPECT: no more than 255: 1
// EXPECT: the same before and after a launch: 1 1
// EXPECT: a block of 1024: cudaSuccess, cudaSuccess
// EXPECT: shared memory: 32 21 20
// EXPECT: dimensions: 1024 1024 64
#include <cstdio>
#include <cuda_runtime.h>

template <int kValues>
__device__ void mix(float* p) {
    float a[kValues];
#pragma unroll
    for (int i = 0; i < kValues; ++i)
        a[i] = p[i * 1024 + threadIdx.x];
#pragma unroll 1
    for (int round = 0; round < 3; ++round) {
#pragma unroll
        for (int i = 0; i < kValues; ++i)
            a[i] = a[i] * a[(i + 7) % kValues] + a[(i * 3 + 1) % kValues];
    }
#pragma unroll
    for (int i = 0; i < kValues; ++i)
        p[i * 1024 + threadIdx.x] = a[i];
}

__global__ void __launch_bounds__(256, 3) three_blocks(float* p) {
    mix<120>(p);
}
__global__ void __launch_bounds__(1024) one_block(float* p) {
    mix<120>(p);
}
__global__ void plain(float* p) {
    mix<120>(p);
}
__global__ void many(float* p) {
    mix<300>(p);
}
__global__ void sharing() {}

template <class F>
int blocks_of(F* kernel, int threads, int shared = 0) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared);
    return blocks;
}
template <class F>
int registers_of(F* kernel) {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    return attributes.numRegs;
}

int main() {
    float* data;
    cudaMalloc(&data, 300 * 1024 * sizeof(float));
    cudaMemset(data, 0, 300 * 1024 * sizeof(float));
    // 65536 registers, 16384 for the 24 warps' sixth part on each sub-core: 80.
    std::printf("bounds: %d %d %d\n", registers_of(three_blocks) <= 80, blocks_of(three_blocks, 256) >= 3,
                registers_of(one_block) <= 64);
    std::printf("no more than 255: %d\n", registers_of(many) <= 255);
    const int before = registers_of(plain), blocks_before = blocks_of(plain, 128);
    plain<<<1, 32>>>(data);
    std::printf("the same before and after a launch: %d %d\n", before == registers_of(plain),
                blocks_before == blocks_of(plain, 128));
    plain<<<1, 1024>>>(data);
    const cudaError_t first = cudaDeviceSynchronize();
    many<<<1, 256>>>(data);
    std::printf("a block of 1024: %s, %s\n", cudaGetErrorName(first), cudaGetErrorName(cudaDeviceSynchronize()));
    // 167,936 bytes an SM, 1,024 of each block for the system, in units of 128: 4,096, 7,936 and 8,064 bytes a block.
    std::printf("shared memory: %d %d %d\n", blocks_of(sharing, 32, 3072), blocks_of(sharing, 32, 6912),
                blocks_of(sharing, 32, 6913));
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    std::printf("dimensions: %d %d %d\n", device.maxThreadsDim[0], device.maxThreadsDim[1], device.maxThreadsDim[2]);
}
