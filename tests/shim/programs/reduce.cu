// Reductions of a warp by one instruction (compute capability 8.0), over all lanes and over some.
// EXPECT: PASS
// ARCH: 80
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reduce(unsigned* wrong) {
    const unsigned lane = threadIdx.x % 32, all = 0xffffffffu;
    const int below = 3 - int(lane);
    unsigned bad = 0;
    auto expect = [&bad, bit = 0u](bool condition) mutable { bad |= (condition ? 0u : 1u) << bit++; };
    expect(__reduce_add_sync(all, lane) == 496);
    expect(__reduce_add_sync(all, below) == 3 * 32 - 496);
    expect(__reduce_min_sync(all, below) == -28);
    expect(__reduce_max_sync(all, below) == 3);
    expect(__reduce_min_sync(all, unsigned(below)) == 0);
    expect(__reduce_max_sync(all, unsigned(below)) == ~0u);
    expect(__reduce_and_sync(all, lane | 4) == 4);
    expect(__reduce_or_sync(all, lane & 6) == 6);
    expect(__reduce_xor_sync(all, lane + 1) == 32);
    if (lane >= 8 && lane < 12)
        expect(__reduce_add_sync(0xf00, lane) == 8 + 9 + 10 + 11);
    else
        expect(__reduce_add_sync(~0xf00u, lane) == 496 - 38);
    wrong[threadIdx.x] = bad;
}

int main() {
    unsigned *out, wrong[64];
    cudaMalloc((void**)&out, sizeof wrong);
    reduce<<<1, 64>>>(out);
    cudaMemcpy(wrong, out, sizeof wrong, cudaMemcpyDeviceToHost);
    int bad = cudaGetLastError() != cudaSuccess;
    for (int i = 0; i < 64; ++i)
        if (wrong[i] != 0)
            std::printf("thread %d: expectations %#x failed\n", i, wrong[i]), ++bad;
    if (bad == 0)
        std::puts("PASS");
    return bad != 0;
}
