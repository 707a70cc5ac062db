// The sum of an array, block by block, in two forms: with threads that are active here and there in each warp, and with
// warps that are active as a whole. docs/reading-a-profile.md reads its profile.
#include <cstdio>
#include <vector>

constexpr int kBlock = 256;

__global__ void sum_interleaved(unsigned* sums, const unsigned* in) {
    __shared__ unsigned partial[kBlock];
    const unsigned t = threadIdx.x;
    partial[t] = in[blockIdx.x * kBlock + t];
    __syncthreads();
    for (unsigned step = 1; step < kBlock; step *= 2) {
        if (t % (2 * step) == 0) // every second thread, every fourth, ...: the lanes between them idle
            partial[t] += partial[t + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}

__global__ void sum_contiguous(unsigned* sums, const unsigned* in) {
    __shared__ unsigned partial[kBlock];
    const unsigned t = threadIdx.x;
    partial[t] = in[blockIdx.x * kBlock + t];
    __syncthreads();
    for (unsigned step = kBlock / 2; step > 0; step /= 2) {
        if (t < step) // the first half of the threads, then a quarter, ...: whole warps, until one is left
            partial[t] += partial[t + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}

int main() {
    const int blocks = 512, n = blocks * kBlock;
    std::vector<unsigned> in(n), sums(blocks);
    unsigned expected = 0;
    for (int i = 0; i < n; ++i)
        expected += in[i] = static_cast<unsigned>(i) * 2654435761u;
    unsigned *device_in = nullptr, *device_sums = nullptr;
    cudaMalloc(&device_in, n * sizeof(unsigned));
    cudaMalloc(&device_sums, blocks * sizeof(unsigned));
    cudaMemcpy(device_in, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);

    void (*const kernels[])(unsigned*, const unsigned*) = {sum_interleaved, sum_contiguous};
    const char* const names[] = {"interleaved", "contiguous"};
    int failed = 0;
    for (int k = 0; k < 2; ++k) {
        kernels[k]<<<blocks, kBlock>>>(device_sums, device_in);
        if (cudaMemcpy(sums.data(), device_sums, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost) != cudaSuccess) {
            std::printf("%s: %s\n", names[k], cudaGetErrorString(cudaGetLastError()));
            return 1;
        }
        unsigned sum = 0;
        for (const unsigned s : sums)
            sum += s;
        std::printf("%s: %s\n", names[k], sum == expected ? "right" : "wrong");
        failed += sum != expected;
    }
    cudaFree(device_in);
    cudaFree(device_sums);
    return failed;
}
