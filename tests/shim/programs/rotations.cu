// Rotations by distances beyond the word, which the program cuts.
// OPTIONS: -O3
// EXPECT: ok
#include <cstdio>
#include <cuda_runtime.h>

template <class T>
__host__ __device__ T left(T x, unsigned n) {
    constexpr unsigned kBits = 8 * sizeof(T);
    n &= kBits - 1;
    return n == 0 ? x : static_cast<T>(x << n | x >> (kBits - n));
}
template <class T>
__host__ __device__ T right(T x, unsigned n) {
    constexpr unsigned kBits = 8 * sizeof(T);
    return static_cast<T>(x >> (n & (kBits - 1)) | x << (-n & (kBits - 1)));
}

__host__ __device__ void rotate(unsigned long long x, unsigned n, unsigned long long* to) {
    to[0] = left(x, n);
    to[1] = right(x, n);
    to[2] = left(static_cast<unsigned>(x), n);
    to[3] = right(static_cast<unsigned>(x), n);
    to[4] = left(static_cast<unsigned short>(x), n);
    to[5] = left(static_cast<unsigned char>(x), n);
}

__global__ void rotate_all(unsigned long long x, unsigned long long* to) {
    rotate(x, threadIdx.x, to + 6 * threadIdx.x);
}

int main() {
    constexpr unsigned kDistances = 256;
    const unsigned long long x = 0x123456789abcdef1;
    unsigned long long* out;
    cudaMallocManaged(&out, 6 * kDistances * sizeof *out);
    rotate_all<<<1, kDistances>>>(x, out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (unsigned n = 0; n < kDistances; ++n) {
        unsigned long long want[6];
        rotate(x, n, want);
        for (int k = 0; k < 6; ++k)
            if (out[6 * n + k] != want[k] && ++wrong < 10)
                std::printf("%d by %u: %llx, not %llx\n", k, n, out[6 * n + k], want[k]);
    }
    if (wrong == 0)
        std::puts("ok");
}
