// Intrinsics on halves and bytes of a word: nvcc prints instructions of their own or sequences of others for them.
// EXPECT: ok
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <iterator>

// F(function, bits of a part, signed, the value of a part from x, y and the limits of such a part, low and high)
#define BOTH(F, name, is_signed, value) F(name##2, 16, is_signed, value) F(name##4, 8, is_signed, value)
#define COMPARISON(F, how, is_signed, value)                                                                           \
    BOTH(F, __vset##how, is_signed, (value) ? 1 : 0) BOTH(F, __vcmp##how, is_signed, (value) ? -1 : 0)
#define OF_TWO(F)                                                                                                      \
    BOTH(F, __vadd, false, x + y)                                                                                      \
    BOTH(F, __vaddus, false, std::min(x + y, high))                                                                    \
    BOTH(F, __vaddss, true, std::clamp(x + y, low, high))                                                              \
    BOTH(F, __vsub, false, x - y)                                                                                      \
    BOTH(F, __vsubus, false, std::max(x - y, low))                                                                     \
    BOTH(F, __vsubss, true, std::clamp(x - y, low, high))                                                              \
    BOTH(F, __vavgu, false, (x + y + 1) >> 1)                                                                          \
    BOTH(F, __vhaddu, false, (x + y) >> 1)                                                                             \
    BOTH(F, __vminu, false, std::min(x, y))                                                                            \
    BOTH(F, __vmins, true, std::min(x, y))                                                                             \
    BOTH(F, __vmaxu, false, std::max(x, y))                                                                            \
    BOTH(F, __vmaxs, true, std::max(x, y))                                                                             \
    BOTH(F, __vabsdiffu, false, std::abs(x - y))                                                                       \
    BOTH(F, __vabsdiffs, true, std::abs(x - y))                                                                        \
    COMPARISON(F, eq, false, x == y)                                                                                   \
    COMPARISON(F, ne, false, x != y)                                                                                   \
    COMPARISON(F, ltu, false, x < y)                                                                                   \
    COMPARISON(F, leu, false, x <= y)                                                                                  \
    COMPARISON(F, gtu, false, x > y)                                                                                   \
    COMPARISON(F, geu, false, x >= y)                                                                                  \
    COMPARISON(F, lts, true, x < y)                                                                                    \
    COMPARISON(F, les, true, x <= y)                                                                                   \
    COMPARISON(F, gts, true, x > y)                                                                                    \
    COMPARISON(F, ges, true, x >= y)
#define OF_ONE(F)                                                                                                      \
    BOTH(F, __vneg, true, -x)                                                                                          \
    BOTH(F, __vnegss, true, std::min(-x, high))                                                                        \
    BOTH(F, __vabs, true, std::abs(x))                                                                                 \
    BOTH(F, __vabsss, true, std::min(std::abs(x), high))
// A sum over the parts: its value is that of one of them.
#define SUMS(F) BOTH(F, __vsadu, false, std::abs(x - y)) BOTH(F, __vsads, true, std::abs(x - y))

#define COUNT(name, bits, is_signed, value) +1
constexpr int kFunctions = 0 OF_TWO(COUNT) OF_ONE(COUNT) SUMS(COUNT);

__global__ void compute(const unsigned* in, unsigned* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    const unsigned a = in[2 * i], b = in[2 * i + 1];
    unsigned* to = out + kFunctions * i;
#define CALL(name, bits, is_signed, value) *to++ = name(a, b);
    OF_TWO(CALL)
    SUMS(CALL)
#define CALL_ONE(name, bits, is_signed, value) *to++ = name(a);
    OF_ONE(CALL_ONE)
}

int part(unsigned word, int e, int bits, bool is_signed) {
    const int v = static_cast<int>(word >> (bits * e) & ((1U << bits) - 1));
    return is_signed && v >> (bits - 1) != 0 ? v - (1 << bits) : v;
}

template <class F>
unsigned each(unsigned a, unsigned b, int bits, bool is_signed, F f) {
    const int low = is_signed ? -(1 << (bits - 1)) : 0;
    const int high = low + (1 << bits) - 1;
    unsigned out = 0;
    for (int e = 0; e < 32 / bits; ++e) {
        const int value = f(part(a, e, bits, is_signed), part(b, e, bits, is_signed), low, high);
        out |= (static_cast<unsigned>(value) & ((1U << bits) - 1)) << (bits * e);
    }
    return out;
}

template <class F>
unsigned sum(unsigned a, unsigned b, int bits, bool is_signed, F f) {
    int out = 0;
    for (int e = 0; e < 32 / bits; ++e)
        out += f(part(a, e, bits, is_signed), part(b, e, bits, is_signed), 0, 0);
    return static_cast<unsigned>(out);
}

int wrong = 0;

void hold(const char* name, unsigned a, unsigned b, unsigned got, unsigned expected) {
    if (got == expected)
        return;
    if (++wrong < 20)
        std::printf("%s of %08x %08x: %08x, not %08x\n", name, a, b, got, expected);
}

int main() {
    const int n = 2000;
    const unsigned special[] = {0, ~0U, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x00ff7f80, 0x0001ffff};
    unsigned *in, *out;
    cudaMallocManaged(&in, 2 * n * sizeof *in);
    cudaMallocManaged(&out, kFunctions * n * sizeof *out);
    unsigned seed = 3;
    for (int i = 0; i < 2 * n; ++i) {
        seed = seed * 1664525 + 1013904223;
        in[i] = (seed >> 16) % 4 == 0 ? special[(seed >> 20) % std::size(special)] : seed;
    }
    compute<<<(n + 255) / 256, 256>>>(in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    for (int i = 0; i < n; ++i) {
        const unsigned a = in[2 * i], b = in[2 * i + 1];
        const unsigned* got = out + kFunctions * i;
#define HOLD(name, bits, is_signed, value)                                                                             \
    hold(#name, a, b, *got++,                                                                                          \
         each(a, b, bits, is_signed, [](int x, [[maybe_unused]] int y, [[maybe_unused]] int low, int high) {           \
             static_cast<void>(high);                                                                                  \
             return value;                                                                                             \
         }));
        OF_TWO(HOLD)
#define HOLD_SUM(name, bits, is_signed, value)                                                                         \
    hold(#name, a, b, *got++, sum(a, b, bits, is_signed, [](int x, int y, int, int) { return value; }));
        SUMS(HOLD_SUM)
        OF_ONE(HOLD)
    }
    if (wrong == 0)
        std::puts("ok");
    return wrong == 0 ? 0 : 1;
}
