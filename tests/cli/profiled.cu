// Lines that cost, each with a mark that the test of the profile looks up. A launch is one block of one warp.
#include <cstdio>
#include <vector>

__device__ __forceinline__ float scaled(float x) {
    return x * 3.0f + 1.0f; // mark: inlined
}

__global__ void costly(const int* order, const float* from, float* to, int n) {
    __shared__ float tile[32 * 32];
    volatile int local[16];
    const unsigned lane = threadIdx.x;
    const int at = order[lane];      // mark: coalesced
    const float gathered = from[at]; // mark: gather
    float x = scaled(gathered);      // mark: call
    if (lane < 12)                   // mark: divergent
        to[64 + lane] = x;           // mark: twelve
    tile[lane * 32] = x;             // mark: conflict
    __syncthreads();
    x += tile[lane];                // mark: straight
    x += tile[n];                   // mark: broadcast
    local[lane & 15] = at;          // mark: spill
    x += local[(lane + n) & 15];    // mark: reload
    to[4096 + lane * 32] = x;       // mark: strided
    atomicAdd(&to[lane / 8], 1.0f); // mark: atomic
}

int main() {
    constexpr int kFloats = 8192;
    std::vector<int> order(32);
    for (int i = 0; i < 32; ++i)
        order[i] = (31 - i) * 64; // 256 bytes from thread to thread
    int* places;
    float *from, *to;
    cudaMalloc(&places, 32 * sizeof(int));
    cudaMalloc(&from, kFloats * sizeof(float));
    cudaMalloc(&to, kFloats * sizeof(float));
    cudaMemset(from, 0, kFloats * sizeof(float));
    cudaMemset(to, 0, kFloats * sizeof(float));
    cudaMemcpy(places, order.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
    for (int launch = 0; launch < 2; ++launch)
        costly<<<1, 32>>>(places, from, to, 0);
    float last;
    cudaMemcpy(&last, to + 4096 + 31 * 32, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%s %g\n", cudaGetErrorString(cudaDeviceSynchronize()), last);
}
