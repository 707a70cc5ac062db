// Memory of three dimensions.
// EXPECT: pitch 512 of 20 bytes, 3 rows
// EXPECT: filled: 1
// EXPECT: a part of a part: 1
// EXPECT: back: 1
// EXPECT: a row too wide: cudaErrorInvalidPitchValue
// EXPECT: nothing: cudaErrorInvalidValue
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

constexpr int kWidth = 5, kHeight = 3, kDepth = 4;

__global__ void number(cudaPitchedPtr memory) {
    char* const slice = static_cast<char*>(memory.ptr) + threadIdx.z * memory.pitch * kHeight;
    reinterpret_cast<int*>(slice + threadIdx.y * memory.pitch)[threadIdx.x] =
        threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x;
}

int main() {
    const cudaExtent all = make_cudaExtent(kWidth * sizeof(int), kHeight, kDepth);
    cudaPitchedPtr memory;
    cudaMalloc3D(&memory, all);
    std::printf("pitch %zu of %zu bytes, %zu rows\n", memory.pitch, memory.xsize, memory.ysize);

    int host[kDepth][kHeight][kWidth];
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = memory;
    copy.dstPtr = make_cudaPitchedPtr(host, sizeof host[0][0], kWidth, kHeight);
    copy.extent = all;
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemset3D(memory, 0x11, all);
    cudaMemcpy3D(&copy);
    bool good = true;
    for (int i = 0; i < kDepth * kHeight * kWidth; ++i)
        good = good && (&host[0][0][0])[i] == 0x11111111;
    std::printf("filled: %d\n", good);

    number<<<1, dim3(kWidth, kHeight, kDepth)>>>(memory);
    cudaMemcpy3DParms part = copy; // two numbers from (2, 1, 1) on of two rows of two slices, to (1, 0, 2)
    part.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    part.dstPos = make_cudaPos(1 * sizeof(int), 0, 2);
    part.extent = make_cudaExtent(2 * sizeof(int), 2, 2);
    cudaMemcpy3D(&part);
    good = host[1][2][4] == 0x11111111 && host[2][0][0] == 0x11111111 && host[2][0][3] == 0x11111111;
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x)
                good = good && host[2 + z][y][1 + x] == (1 + z) * 100 + (1 + y) * 10 + 2 + x;
    std::printf("a part of a part: %d\n", good);

    cudaMemcpy3DAsync(&copy);
    good = true;
    for (int z = 0; z < kDepth; ++z)
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                good = good && host[z][y][x] == z * 100 + y * 10 + x;
    std::printf("back: %d\n", good);

    copy.extent.width = sizeof host[0][0] + 1;
    std::printf("a row too wide: %s\n", cudaGetErrorName(cudaMemcpy3D(&copy)));
    copy.extent = all;
    copy.dstPtr.ptr = nullptr;
    std::printf("nothing: %s\n", cudaGetErrorName(cudaMemcpy3D(&copy)));
}
