// memcmp on the device, which the atomics of libcu++ call.
// NOT-WITH: nvcc
// EXPECT: equal 0, less -1, greater 1, as unsigned bytes 1, the first decides 1, nothing 0
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ int sign(int x) {
    return (x > 0) - (x < 0);
}
__global__ void compare(int* out, const unsigned char* a, const unsigned char* b, size_t n) {
    out[0] = sign(memcmp(a, b, n));             // 1 2 3 and 1 2 3
    out[1] = sign(memcmp(a, b, n + 1));         // then 4 and 5
    out[2] = sign(memcmp(b + 3, a + 3, n - 2)); // 5 and 4
    out[3] = sign(memcmp(a + 4, b + 4, 1));     // 200 and 100
    out[4] = sign(memcmp(a + 4, b + 4, 2));     // 200 0 and 100 1
    out[5] = sign(memcmp(a + 4, b + 4, n - 3)); // no bytes
}

int main() {
    const unsigned char bytes[] = {1, 2, 3, 4, 200, 0, 0, 0, 1, 2, 3, 5, 100, 1, 0, 0};
    unsigned char* data;
    int* out;
    cudaMallocManaged(reinterpret_cast<void**>(&data), sizeof bytes);
    cudaMallocManaged(reinterpret_cast<void**>(&out), 6 * sizeof *out);
    std::memcpy(data, bytes, sizeof bytes);
    compare<<<1, 1>>>(out, data, data + 8, 3);
    cudaDeviceSynchronize();
    std::printf("equal %d, less %d, greater %d, as unsigned bytes %d, the first decides %d, nothing %d\n", out[0],
                out[1], out[2], out[3], out[4], out[5]);
}
