// Intrinsics of device code that no other program here uses.
// EXPECT: loads and stores: 15 60
// EXPECT: dot products: -9 1011 10 20
#include <cstdio>
#include <cuda_runtime.h>

__global__ void hints(int* data) {
    data[0] = __ldca(data + 1) + __ldcg(data + 2) + __ldcs(data + 3) + __ldcv(data + 4) + __ldg(data + 5);
    __stwb(data + 6, 6);
    __stcg(data + 7, 12);
    __stcs(data + 8, 18);
    __stwt(data + 9, 24);
}

__global__ void dots(int* out) {
    const char4 a = make_char4(1, -2, 3, -4), b = make_char4(-1, 0, 0, 2); // -1 + 0 + 0 - 8
    out[0] = __dp4a(a, b, 0);
    out[1] = static_cast<int>(__dp4a(0x01020304U, 0x00010203U, 991U)); // 0*1 + 1*2 + 2*3 + 3*4 = 20
    out[2] = __dp2a_lo(make_short2(2, -3), make_char4(5, 0, 100, 100), 0);
    out[3] = __dp2a_hi(make_short2(-2, 5), make_char4(100, 100, -10, 0), 0);
}

int main() {
    int* data;
    cudaMallocManaged(&data, 10 * sizeof(int));
    for (int i = 0; i < 6; ++i)
        data[i] = i;
    hints<<<1, 1>>>(data);
    cudaDeviceSynchronize();
    std::printf("loads and stores: %d %d\n", data[0], data[6] + data[7] + data[8] + data[9]);
    dots<<<1, 1>>>(data);
    cudaDeviceSynchronize();
    std::printf("dot products: %d %d %d %d\n", data[0], data[1], data[2], data[3]);
}
