// Copies in all directions, by rows, to and from variables, fills, and memory of the host.
// EXPECT: PASS
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ float scale = 2.5f;

__global__ void twice(const int* from, int* to) {
    to[threadIdx.x] = static_cast<int>(from[threadIdx.x] * scale) + table[threadIdx.x % 8];
}

#define CHECK(condition)                                                                                               \
    if (!(condition))                                                                                                  \
    return std::printf("line %d: %s\n", __LINE__, #condition), 1
#define OK(call) CHECK((call) == cudaSuccess)

int main() {
    int* pinned = nullptr;
    OK(cudaMallocHost((void**)&pinned, 64 * sizeof(int)));
    for (int i = 0; i < 64; ++i)
        pinned[i] = 2 * i;
    int *a, *b;
    OK(cudaMalloc((void**)&a, 64 * sizeof(int)));
    OK(cudaMalloc((void**)&b, 64 * sizeof(int)));
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMemcpyAsync(a, pinned, 256, cudaMemcpyHostToDevice, stream));
    const int changed = 100;
    OK(cudaMemcpyToSymbol(table, &changed, sizeof changed, 3 * sizeof(int)));
    twice<<<1, 64, 0, stream>>>(a, b);
    OK(cudaStreamSynchronize(stream));
    int result[64];
    OK(cudaMemcpy(result, b, sizeof result, cudaMemcpyDefault));
    for (int i = 0; i < 64; ++i)
        CHECK(result[i] == 5 * i + (i % 8 == 3 ? 100 : i % 8 + 1));
    float read = 0;
    OK(cudaMemcpyFromSymbol(&read, scale, sizeof read));
    CHECK(read == 2.5f);
    void* address = nullptr;
    size_t bytes = 0;
    OK(cudaGetSymbolAddress(&address, scale));
    OK(cudaGetSymbolSize(&bytes, table));
    CHECK(bytes == 32);
    read = 0.5f;
    OK(cudaMemcpy(address, &read, sizeof read, cudaMemcpyHostToDevice));
    OK(cudaMemset(b, 0xff, 128));
    OK(cudaMemcpy(a, b, 256, cudaMemcpyDeviceToDevice));
    twice<<<1, 64>>>(a, a);
    OK(cudaMemcpy(result, a, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(result[0] == 1 && result[40] == 101);

    char* rows = nullptr;
    size_t pitch = 0;
    OK(cudaMallocPitch((void**)&rows, &pitch, 10, 3));
    CHECK(pitch >= 10);
    const char* text = "0123456789abcdefghijABCDEFGHIJ";
    OK(cudaMemcpy2D(rows, pitch, text, 10, 10, 3, cudaMemcpyHostToDevice));
    OK(cudaMemset2D(rows + pitch, pitch, '-', 4, 2));
    char back[31] = {};
    OK(cudaMemcpy2D(back, 10, rows, pitch, 10, 3, cudaMemcpyDeviceToHost));
    CHECK(std::strcmp(back, "0123456789----efghij----EFGHIJ") == 0);
    OK(cudaMemset2D(rows, 1, '+', 10, 1)); // one row has no pitch
    OK(cudaMemcpy2D(back, 10, rows, pitch, 10, 3, cudaMemcpyDeviceToHost));
    CHECK(std::strcmp(back, "++++++++++----efghij----EFGHIJ") == 0);
    CHECK(cudaMemset2D(rows, 9, '+', 10, 2) == cudaErrorInvalidValue);
    size_t free_bytes = 0, total = 0;
    OK(cudaMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes < total);
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, rows + 1));
    CHECK(attributes.type == cudaMemoryTypeDevice);
    OK(cudaFree(rows));
    OK(cudaFreeHost(pinned));
    OK(cudaStreamDestroy(stream));
    OK(cudaDeviceReset());
    std::puts("PASS");
}
