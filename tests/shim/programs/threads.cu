// Host threads that use the device at the same time, each with a stream, memory and errors of its own.
// EXPECT: wrong: 0
// EXPECT: counted: 5760
#include <atomic>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__global__ void add(int* values, int n, int factor) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        values[i] += factor * i;
}
__device__ int counted;
__global__ void count(int what) {
    atomicAdd(&counted, what);
}

std::atomic<int> wrong{0};
void expect(bool good) {
    if (!good)
        ++wrong;
}

void round_of(int k, cudaStream_t stream, cudaEvent_t event) {
    constexpr int kValues = 5000;
    int* device;
    std::vector<int> values(kValues, k);
    expect(cudaMalloc(&device, kValues * sizeof(int)) == cudaSuccess);
    cudaMemcpyAsync(device, values.data(), kValues * sizeof(int), cudaMemcpyHostToDevice, stream);
    add<<<(kValues + 255) / 256, 256, 0, stream>>>(device, kValues, k);
    count<<<1, 32, 0, stream>>>(k);
    if (k == 3)
        cudaFree(&wrong); // an error of this thread alone
    cudaEventRecord(event, stream);
    cudaMemcpyAsync(values.data(), device, kValues * sizeof(int), cudaMemcpyDeviceToHost, stream);
    expect(cudaStreamSynchronize(stream) == cudaSuccess);
    for (int i = 0; i < kValues; ++i)
        expect(values[i] == k + k * i);
    expect((cudaGetLastError() != cudaSuccess) == (k == 3));
    cudaFree(device);
}

void work(int k) {
    cudaStream_t stream;
    cudaEvent_t event;
    expect(cudaSetDevice(0) == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess &&
           cudaEventCreate(&event) == cudaSuccess);
    for (int round = 0; round < 5; ++round)
        round_of(k, stream, event);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
}

int main() {
    std::vector<std::thread> threads;
    for (int k = 1; k <= 8; ++k)
        threads.emplace_back(work, k);
    for (std::thread& thread : threads)
        thread.join();
    int total = 0;
    cudaMemcpyFromSymbol(&total, counted, sizeof total); // 5 rounds of 32 threads that count 1 to 8
    std::printf("wrong: %d\ncounted: %d\n", wrong.load(), total);
    return 0;
}
