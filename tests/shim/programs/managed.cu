// Managed memory: the same pointers on both sides, without copies.
// ENV: HEDDLE_OPTIONS={"strict":true}
// EXPECT: sum 1 to 1000 doubled: 1001000
// EXPECT: on the device again: 3003000
// EXPECT: attributes: managed 1, same pointers 1
// EXPECT: copies of any kind: 3 5 7 9
// EXPECT: freed, new one is zero: 1
// EXPECT: two sides: 42
// EXPECT: bad flags: cudaErrorInvalidValue
// EXPECT: no bytes: cudaErrorInvalidValue
// EXPECT: advice about other memory: cudaErrorInvalidValue
// EXPECT: beyond the end: cudaErrorIllegalAddress
// ERROR: cudaMallocManaged #
#include <cstdio>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000
const cudaMemLocation device0 = {cudaMemLocationTypeDevice, 0};
#define PREFETCH(pointer, bytes) cudaMemPrefetchAsync(pointer, bytes, device0, 0, 0)
#else
const int device0 = 0;
#define PREFETCH(pointer, bytes) cudaMemPrefetchAsync(pointer, bytes, device0)
#endif

__global__ void scale(int* data, int n, int factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= factor;
}

struct Node {
    Node* next;
    int value;
};
__global__ void follow(Node* node) {
    while (node->next != nullptr)
        node = node->next;
    node->value = 42;
}

long sum(const int* data, int n) {
    long all = 0;
    for (int i = 0; i < n; ++i)
        all += data[i];
    return all;
}

int main() {
    const int n = 1000;
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        data[i] = i + 1;
    scale<<<(n + 255) / 256, 256>>>(data, n, 2);
    cudaDeviceSynchronize();
    std::printf("sum 1 to 1000 doubled: %ld\n", sum(data, n));
    PREFETCH(data, n * sizeof(int));
    cudaMemAdvise(data, n * sizeof(int), cudaMemAdviseSetReadMostly, device0);
    scale<<<(n + 255) / 256, 256>>>(data, n, 3);
    cudaDeviceSynchronize();
    std::printf("on the device again: %ld\n", sum(data, n));

    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, data);
    std::printf("attributes: managed %d, same pointers %d\n", a.type == cudaMemoryTypeManaged,
                a.devicePointer == data && a.hostPointer == data);

    int host[] = {3, 5}, back[4];
    cudaMemcpy(data, host, 8, cudaMemcpyHostToDevice);
    const int more[] = {7, 9};
    cudaMemcpy(data + 2, more, 8, cudaMemcpyHostToHost);
    cudaMemcpy(back, data, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(back + 2, data + 2, 8, cudaMemcpyDefault);
    std::printf("copies of any kind: %d %d %d %d\n", back[0], back[1], back[2], back[3]);

    int* const before = data;
    cudaFree(data);
    cudaMallocManaged(&data, n * sizeof(int));
    std::printf("freed, new one is zero: %d\n", data == before && sum(data, n) == 0);

    Node *first, *second;
    cudaMallocManaged(&first, sizeof(Node));
    cudaMallocManaged(&second, sizeof(Node), cudaMemAttachHost);
    first->next = second;
    follow<<<1, 1>>>(first);
    cudaDeviceSynchronize();
    std::printf("two sides: %d\n", second->value);

    std::printf("bad flags: %s\n", cudaGetErrorName(cudaMallocManaged(&data, 4, 8)));
    std::printf("no bytes: %s\n", cudaGetErrorName(cudaMallocManaged(&data, 0)));
    std::printf("advice about other memory: %s\n", cudaGetErrorName(PREFETCH(host, 8)));
    scale<<<1, 32>>>(before + n - 16, 32, 1);
    std::printf("beyond the end: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
