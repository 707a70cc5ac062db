// Intrinsics on halves and bytes of a word, for which nvcc prints instructions of their own or sequences of others.
// NOT-WITH: clang
// EXPECT: ok
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void compute(const unsigned* in, unsigned* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    const unsigned a = in[2 * i], b = in[2 * i + 1];
    unsigned* const to = out + 12 * i;
    to[0] = __vabsdiffu4(a, b);
    to[1] = __vabsdiffs4(a, b);
    to[2] = __vsadu4(a, b);
    to[3] = __vsads4(a, b);
    to[4] = __vabsdiffu2(a, b);
    to[5] = __vabsdiffs2(a, b);
    to[6] = __vsadu2(a, b);
    to[7] = __vsads2(a, b);
    to[8] = __vadd4(a, b);
    to[9] = __vavgu4(a, b);
    to[10] = __vmaxs2(a, b);
    to[11] = __vcmpgtu4(a, b);
}

int part(unsigned word, int e, int bits, bool is_signed) {
    const int v = static_cast<int>(word >> (bits * e) & ((1U << bits) - 1));
    return is_signed && v >> (bits - 1) != 0 ? v - (1 << bits) : v;
}

template <class F>
unsigned each(unsigned a, unsigned b, int bits, bool is_signed, F f) {
    unsigned out = 0;
    for (int e = 0; e < 32 / bits; ++e)
        out |= (static_cast<unsigned>(f(part(a, e, bits, is_signed), part(b, e, bits, is_signed))) & ((1U << bits) - 1))
               << (bits * e);
    return out;
}

unsigned sum_of_differences(unsigned a, unsigned b, int bits, bool is_signed) {
    int sum = 0;
    for (int e = 0; e < 32 / bits; ++e)
        sum += std::abs(part(a, e, bits, is_signed) - part(b, e, bits, is_signed));
    return static_cast<unsigned>(sum);
}

int main() {
    const int n = 1000;
    unsigned *in, *out;
    cudaMallocManaged(&in, 2 * n * sizeof *in);
    cudaMallocManaged(&out, 12 * n * sizeof *out);
    unsigned seed = 3;
    for (int i = 0; i < 2 * n; ++i)
        in[i] = seed = seed * 1664525 + 1013904223;
    compute<<<4, 256>>>(in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    int wrong = 0;
    const auto difference = [](int a, int b) { return std::abs(a - b); };
    for (int i = 0; i < n; ++i) {
        const unsigned a = in[2 * i], b = in[2 * i + 1];
        const unsigned expected[12] = {
            each(a, b, 8, false, difference),
            each(a, b, 8, true, difference),
            sum_of_differences(a, b, 8, false),
            sum_of_differences(a, b, 8, true),
            each(a, b, 16, false, difference),
            each(a, b, 16, true, difference),
            sum_of_differences(a, b, 16, false),
            sum_of_differences(a, b, 16, true),
            each(a, b, 8, false, [](int x, int y) { return x + y; }),
            each(a, b, 8, false, [](int x, int y) { return (x + y + 1) / 2; }),
            each(a, b, 16, true, [](int x, int y) { return std::max(x, y); }),
            each(a, b, 8, false, [](int x, int y) { return x > y ? -1 : 0; }),
        };
        for (int k = 0; k < 12; ++k)
            if (out[12 * i + k] != expected[k]) {
                std::printf("%d of %08x %08x: %08x, not %08x\n", k, a, b, out[12 * i + k], expected[k]);
                ++wrong;
            }
    }
    if (wrong == 0)
        std::puts("ok");
    return wrong == 0 ? 0 : 1;
}
