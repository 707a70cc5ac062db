// wgmma as programs for Hopper use it: two warpgroups, tiles in the 128-byte swizzle, steps along k within its lines.
// EXPECT: 0 of 8192 elements differ
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

namespace {

constexpr int kRows = 128, kColumns = 64, kDepth = 64; // of A x B: 64 rows for each warpgroup
constexpr int kLine = kDepth * 2;                      // bytes along k: a line of the swizzle
constexpr int kRegisters = kColumns / 2;               // of a thread

// The start of a tile of 8 lines each 1024 bytes, in the swizzle of 128 bytes.
__device__ uint64_t descriptor(const unsigned char* tile) {
    const uint64_t start = static_cast<uint64_t>(__cvta_generic_to_shared(tile));
    return (start & 0x3ffff) >> 4 | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

__device__ void fill(unsigned char* tile, const __half* from, int lines) {
    for (int i = threadIdx.x; i < lines * 8; i += blockDim.x) {
        const int line = i / 8, chunk = i % 8;
        *reinterpret_cast<uint4*>(tile + line * kLine + (chunk ^ line % 8) * 16) =
            *reinterpret_cast<const uint4*>(from + line * kDepth + chunk * 8);
    }
}

__device__ void multiply(float (&d)[kRegisters], uint64_t a, uint64_t b, int adds) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %34, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, p, 1, 1, 0, 0;\n"
                 "}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
                   "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                   "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b), "r"(adds));
}

__global__ void product(const __half* a, const __half* b, float* c) {
    __shared__ __align__(1024) unsigned char tile_a[kRows * kLine], tile_b[kColumns * kLine];
    fill(tile_a, a, kRows);
    fill(tile_b, b, kColumns);
    __syncthreads();
    const int warpgroup = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    float d[kRegisters];
    for (float& sum : d)
        sum = -1; // has no effect: the first product does not add
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int step = 0; step < kDepth / 16; ++step) // 32 bytes along k
        multiply(d, descriptor(tile_a + warpgroup * 64 * kLine) + step * 2, descriptor(tile_b) + step * 2, step > 0);
    asm volatile("wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
    for (int i = 0; i < kRegisters; ++i) {
        const int row = 64 * warpgroup + 16 * warp + lane / 4 + 8 * (i / 2 % 2);
        c[row * kColumns + 8 * (i / 4) + 2 * (lane % 4) + i % 2] = d[i];
    }
}

template <class T>
T* to_device(const std::vector<T>& from) {
    T* to = nullptr;
    cudaMalloc(&to, from.size() * sizeof(T));
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

} // namespace

int main() {
    std::vector<__half> a(kRows * kDepth), b(kColumns * kDepth); // b column by column
    for (int i = 0; i < kRows * kDepth; ++i)
        a[i] = __float2half(static_cast<float>((i * 7 + i / kDepth) % 9 - 4));
    for (int i = 0; i < kColumns * kDepth; ++i)
        b[i] = __float2half(static_cast<float>((i * 5 + i / kDepth * 3) % 7 - 3));
    std::vector<float> c(kRows * kColumns);
    float* out = to_device(c);
    product<<<1, 256>>>(to_device(a), to_device(b), out);
    cudaMemcpy(c.data(), out, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int different = 0;
    for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kColumns; ++j) {
            float sum = 0; // exact
            for (int k = 0; k < kDepth; ++k)
                sum += __half2float(a[i * kDepth + k]) * __half2float(b[j * kDepth + k]);
            different += sum != c[i * kColumns + j];
        }
    std::printf("%d of %d elements differ\n", different, kRows * kColumns);
}
