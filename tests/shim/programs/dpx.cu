// Maxima and minima of three numbers, of a sum and a number, and with the answer which it was; host and device.
// EXPECT: ok
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

using Wide = long long;
using Unsigned = unsigned;
using Half = short;
using UnsignedHalf = unsigned short;

// F(function, type of a part, its value from x, y and z): words, then halves of a word
#define WORDS(F, name, value)                                                                                          \
    F(name##_s32, int, value) F(name##_u32, Unsigned, value) F(name##_s32_relu, int, std::max<Wide>(value, 0))
#define HALVES(F, name, value)                                                                                         \
    F(name##_s16x2, Half, value)                                                                                       \
    F(name##_u16x2, UnsignedHalf, value) F(name##_s16x2_relu, Half, std::max<Wide>(value, 0))
#define FAMILIES(F, OF)                                                                                                \
    OF(F, __vimax3, std::max({x, y, z}))                                                                               \
    OF(F, __vimin3, std::min({x, y, z}))                                                                               \
    OF(F, __viaddmax, std::max<Wide>(wrapped<Part>(x + y), z))                                                         \
    OF(F, __viaddmin, std::min<Wide>(wrapped<Part>(x + y), z))
#define COUNT(name, Type, value) +1
constexpr int kThree = 0 FAMILIES(COUNT, WORDS) FAMILIES(COUNT, HALVES);
constexpr int kResults = kThree + 4 + 8 + 12; // with relu of two, with the answer which: values, and answers

__host__ __device__ void all(unsigned a, unsigned b, unsigned c, unsigned* to) {
#define CALL(name, Type, value) *to++ = name(a, b, c);
    FAMILIES(CALL, WORDS)
    FAMILIES(CALL, HALVES)
    *to++ = __vimax_s32_relu(a, b);
    *to++ = __vimin_s32_relu(a, b);
    *to++ = __vimax_s16x2_relu(a, b);
    *to++ = __vimin_s16x2_relu(a, b);
    bool first, high, low;
#define CHOOSE_WORD(name)                                                                                              \
    *to++ = name(a, b, &first);                                                                                        \
    *to++ = first;
#define CHOOSE_HALVES(name)                                                                                            \
    *to++ = name(a, b, &high, &low);                                                                                   \
    *to++ = high;                                                                                                      \
    *to++ = low;
    CHOOSE_WORD(__vibmax_s32)
    CHOOSE_WORD(__vibmax_u32)
    CHOOSE_WORD(__vibmin_s32)
    CHOOSE_WORD(__vibmin_u32)
    CHOOSE_HALVES(__vibmax_s16x2)
    CHOOSE_HALVES(__vibmax_u16x2)
    CHOOSE_HALVES(__vibmin_s16x2)
    CHOOSE_HALVES(__vibmin_u16x2)
}

__global__ void compute(const unsigned* in, unsigned* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        all(in[3 * i], in[3 * i + 1], in[3 * i + 2], out + kResults * i);
}

template <class Part>
Wide wrapped(Wide value) {
    return static_cast<Part>(value);
}

// f of each part of the words, in Wide.
template <class Part, class F>
unsigned each(unsigned a, unsigned b, unsigned c, F f) {
    unsigned out = 0;
    for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Part)) {
        const auto part = [&](unsigned word) { return Wide{static_cast<Part>(word >> shift)}; };
        const Wide value = f(part(a), part(b), part(c));
        out |= static_cast<unsigned>(static_cast<unsigned long long>(value) & ((1ULL << (8 * sizeof(Part))) - 1))
               << shift;
    }
    return out;
}

// The same by other means: what all() should have written.
void expected(unsigned a, unsigned b, unsigned c, unsigned* to) {
#define EXPECTED(name, Type, value)                                                                                    \
    {                                                                                                                  \
        using Part = Type;                                                                                             \
        *to++ = each<Part>(a, b, c, [](Wide x, Wide y, Wide z) -> Wide { return value; });                             \
    }
    FAMILIES(EXPECTED, WORDS)
    FAMILIES(EXPECTED, HALVES)
    const auto most = [](Wide x, Wide y, Wide) { return std::max(x, y); };
    const auto least = [](Wide x, Wide y, Wide) { return std::min(x, y); };
    const auto most_relu = [](Wide x, Wide y, Wide) { return std::max({x, y, Wide{0}}); };
    const auto least_relu = [](Wide x, Wide y, Wide) { return std::max(std::min(x, y), Wide{0}); };
    *to++ = each<int>(a, b, c, most_relu);
    *to++ = each<int>(a, b, c, least_relu);
    *to++ = each<Half>(a, b, c, most_relu);
    *to++ = each<Half>(a, b, c, least_relu);
    *to++ = each<int>(a, b, c, most);
    *to++ = static_cast<int>(a) >= static_cast<int>(b);
    *to++ = each<Unsigned>(a, b, c, most);
    *to++ = a >= b;
    *to++ = each<int>(a, b, c, least);
    *to++ = static_cast<int>(a) <= static_cast<int>(b);
    *to++ = each<Unsigned>(a, b, c, least);
    *to++ = a <= b;
    *to++ = each<Half>(a, b, c, most);
    *to++ = static_cast<Half>(a >> 16) >= static_cast<Half>(b >> 16);
    *to++ = static_cast<Half>(a) >= static_cast<Half>(b);
    *to++ = each<UnsignedHalf>(a, b, c, most);
    *to++ = (a >> 16) >= (b >> 16);
    *to++ = (a & 0xffff) >= (b & 0xffff);
    *to++ = each<Half>(a, b, c, least);
    *to++ = static_cast<Half>(a >> 16) <= static_cast<Half>(b >> 16);
    *to++ = static_cast<Half>(a) <= static_cast<Half>(b);
    *to++ = each<UnsignedHalf>(a, b, c, least);
    *to++ = (a >> 16) <= (b >> 16);
    *to++ = (a & 0xffff) <= (b & 0xffff);
}

int main() {
    const int n = 1000;
    unsigned *in, *out;
    cudaMallocManaged(&in, 3 * n * sizeof *in);
    cudaMallocManaged(&out, kResults * n * sizeof *out);
    unsigned seed = 7;
    for (int i = 0; i < 3 * n; ++i) {
        seed = seed * 1664525 + 1013904223;
        in[i] = i % 7 == 0 && i > 0 ? in[i - 1] : seed; // some are the same
    }
    compute<<<(n + 255) / 256, 256>>>(in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        unsigned want[kResults], host[kResults];
        expected(in[3 * i], in[3 * i + 1], in[3 * i + 2], want);
        all(in[3 * i], in[3 * i + 1], in[3 * i + 2], host);
        for (int k = 0; k < kResults; ++k)
            if ((out[kResults * i + k] != want[k] || host[k] != want[k]) && ++wrong < 20)
                std::printf("%d of %08x %08x %08x: %08x, on the host %08x, not %08x\n", k, in[3 * i], in[3 * i + 1],
                            in[3 * i + 2], out[kResults * i + k], host[k], want[k]);
    }
    if (wrong == 0)
        std::puts("ok");
    return wrong == 0 ? 0 : 1;
}
