// The checker and registers that native code spills. Values of a partial tile are loaded where they exist; those
// without a value are copied, but not used.
// ARCH: 80
// ENV: HEDDLE_MACHINE=a100
// ENV: HEDDLE_OPTIONS={"functional":true,"check":"uninitialised"}
// EXPECT: no error
// ERROR: checked for uninitialised: nothing found
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kThreads = 1024, kEach = 11, kLive = 52;

__global__ void __launch_bounds__(kThreads, 1) copy_tile(const int* in, int* out, int n) {
    __shared__ int tile[kEach * kThreads];
    int mine[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        if (threadIdx.x + i * kThreads < n)
            mine[i] = in[threadIdx.x + i * kThreads];
    float live[kLive];
#pragma unroll
    for (int i = 0; i < kLive; ++i)
        live[i] = in[i];
    for (int j = 0; j < n; j += 4096) {
#pragma unroll
        for (int i = 0; i < kLive; ++i)
            live[i] = live[i] * in[j + i] + live[(i + 1) % kLive];
#pragma unroll
        for (int i = 0; i < kLive; ++i)
            live[i] = live[i] * in[j + i] + live[(i + 7) % kLive];
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kLive; ++i)
        sum += live[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        tile[threadIdx.x + i * kThreads] = mine[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads)
        out[i] = tile[i] + (sum == 12345.F);
}

int main() {
    constexpr int kValues = 8192;
    int *in = nullptr, *out = nullptr;
    cudaMalloc(&in, sizeof(int) * kValues);
    cudaMalloc(&out, sizeof(int) * kValues);
    cudaMemset(in, 0, sizeof(int) * kValues);
    copy_tile<<<1, kThreads>>>(in, out, kValues);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
}
