// The heap of device code: malloc, free, new and delete, within a kernel and from one kernel to the next.
// EXPECT: limit: cudaSuccess 1048576
// EXPECT: filled: 0 wrong of 1024, 0 overlap
// EXPECT: limit once used: cudaErrorInvalidValue
// EXPECT: freed elsewhere: cudaSuccess
// EXPECT: objects: 32 of 32, sum 4356
// EXPECT: again and again: 0 failed
// EXPECT: large: given, too large: null, both freed: cudaSuccess
// EXPECT: all of it: 910 blocks
// EXPECT: given back: the same number
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}

__host__ __device__ int bytes_of(int i) {
    return 4 + (i * 37) % 600;
}

__global__ void fill(int** blocks) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int* const block = static_cast<int*>(malloc(bytes_of(i)));
    blocks[i] = block;
    if (block != nullptr)
        for (int k = 0; k < bytes_of(i) / 4; ++k)
            block[k] = i * 1000 + k;
}

__global__ void check(int* const* blocks, int* wrong) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int* const block = blocks[i];
    bool good = block != nullptr && reinterpret_cast<std::uintptr_t>(block) % 16 == 0;
    for (int k = 0; good && k < bytes_of(i) / 4; ++k)
        good = block[k] == i * 1000 + k;
    if (!good)
        atomicAdd(wrong, 1);
}

// Another thread than the one that has it.
__global__ void release(int** blocks) {
    free(blocks[gridDim.x * blockDim.x - 1 - (blockIdx.x * blockDim.x + threadIdx.x)]);
}

__device__ int animals_gone;
struct Animal {
    __device__ explicit Animal(int weight) : weight(weight) {}
    __device__ virtual ~Animal() {
        atomicAdd(&animals_gone, 1);
    }
    __device__ virtual int legs() const {
        return 2;
    }
    int weight;
};
struct Cat : Animal {
    __device__ explicit Cat(int weight) : Animal(weight) {}
    __device__ int legs() const override {
        return 4;
    }
};

__global__ void objects(int* sum, int* gone) {
    const int i = static_cast<int>(threadIdx.x);
    Animal* const animal = i % 2 == 0 ? new Animal(i) : new Cat(i);
    int* const many = new int[100 + i];
    for (int k = 0; k < 100 + i; ++k)
        many[k] = animal->legs();
    int mine = 0;
    for (int k = 0; k < 100 + i; k += 10)
        mine += many[k];
    atomicAdd(sum, mine + 100 * (animal->weight == i));
    delete[] many;
    delete animal;
    __syncthreads();
    if (i == 0)
        *gone = animals_gone;
}

// More in all than the heap holds.
__global__ void again(int* failed) {
    for (int round = 0; round < 40; ++round) {
        volatile int* const block = static_cast<int*>(malloc(512));
        if (block == nullptr) {
            atomicAdd(failed, 1);
            continue;
        }
        block[0] = static_cast<int>(threadIdx.x) + round;
        if (block[0] != static_cast<int>(threadIdx.x) + round)
            atomicAdd(failed, 1);
        free(const_cast<int*>(block));
    }
}

__global__ void large(void** blocks) {
    blocks[0] = malloc(500'000);
    blocks[1] = malloc(2'000'000);
}

// A block of 1024 bytes has 16 more, and the next size is 72 units of 16: 910 times in a mebibyte.
__global__ void take_all(void** blocks, int most, int* count) {
    int n = 0;
    while (n < most && (blocks[n] = malloc(1024)) != nullptr)
        ++n;
    *count = n;
}
__global__ void give_back(void** blocks, int n) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
        free(blocks[i]);
}

int main() {
    cudaError_t set = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    std::printf("limit: %s %zu\n", name(set), limit);

    constexpr int kThreads = 1024;
    int** blocks;
    int* counts;
    void** all;
    cudaMallocManaged(&all, 4096 * sizeof *all);
    cudaMallocManaged(&blocks, 2 * kThreads * sizeof *blocks);
    cudaMallocManaged(&counts, 16 * sizeof *counts);
    std::fill_n(counts, 16, 0);
    fill<<<8, kThreads / 8>>>(blocks);
    check<<<8, kThreads / 8>>>(blocks, counts);
    cudaDeviceSynchronize();
    std::vector<std::pair<char*, int>> sorted;
    for (int i = 0; i < kThreads; ++i)
        sorted.push_back({reinterpret_cast<char*>(blocks[i]), bytes_of(i)});
    std::sort(sorted.begin(), sorted.end());
    int overlap = 0;
    for (int i = 0; i + 1 < kThreads; ++i)
        overlap += sorted[i].first + sorted[i].second > sorted[i + 1].first;
    std::printf("filled: %d wrong of %d, %d overlap\n", counts[0], kThreads, overlap);
    std::printf("limit once used: %s\n", name(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 21)));
    cudaGetLastError();
    release<<<8, kThreads / 8>>>(blocks);
    std::printf("freed elsewhere: %s\n", name(cudaDeviceSynchronize()));

    objects<<<1, 32>>>(counts + 1, counts + 2);
    cudaDeviceSynchronize();
    std::printf("objects: %d of 32, sum %d\n", counts[2], counts[1]);
    again<<<2, 64>>>(counts + 3);
    cudaDeviceSynchronize();
    std::printf("again and again: %d failed\n", counts[3]);
    large<<<1, 1>>>(all);
    cudaDeviceSynchronize();
    std::printf("large: %s, too large: %s", all[0] != nullptr ? "given" : "null", all[1] != nullptr ? "given" : "null");
    give_back<<<1, 2>>>(all, 2);
    std::printf(", both freed: %s\n", name(cudaDeviceSynchronize()));

    cudaDeviceReset();
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    int* count;
    cudaMallocManaged(&all, 4096 * sizeof *all);
    cudaMallocManaged(&count, sizeof *count);
    take_all<<<1, 1>>>(all, 4096, count);
    cudaDeviceSynchronize();
    const int first = *count;
    std::printf("all of it: %d blocks\n", first);
    give_back<<<1, 96>>>(all, first);
    take_all<<<1, 1>>>(all, 4096, count);
    cudaDeviceSynchronize();
    std::printf("given back: %s\n", *count == first ? "the same number" : "another number");
    return 0;
}
