// Half precision: cuda_fp16.h on the device and on the host, against a rounding by search among all halves.
// EXPECT: host: 0 wrong of 20000
// EXPECT: device: 0 wrong of 20000
// EXPECT: pairs: 0 wrong of 20000
// EXPECT: conversions: 0 wrong
// EXPECT: functions: 0 wrong
// EXPECT: sums: 192 96 192
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <limits>
#include <vector>

// --- the reference ---
static double value_of(unsigned bits) {
    const int exponent = bits >> 10 & 31, digits = bits & 1023;
    const double magnitude = exponent == 31  ? (digits ? NAN : INFINITY)
                             : exponent == 0 ? std::ldexp(digits, -24)
                                             : std::ldexp(1024 + digits, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

enum Direction { Nearest, ToZero, Down, Up };

// The largest half that is not above the magnitude, or the next one: 0x7c00 stands for 2^16 here.
static unsigned rounded(double x, Direction direction = Nearest) {
    if (x != x)
        return 0x7fff;
    const bool negative = std::signbit(x);
    const double magnitude = std::fabs(x);
    if (std::isinf(x))
        return negative ? 0xfc00 : 0x7c00;
    unsigned low = 0, high = 0x7c00;
    while (low + 1 < high) {
        const unsigned middle = (low + high) / 2;
        (value_of(middle) <= magnitude ? low : high) = middle;
    }
    const double below = value_of(low), above = high == 0x7c00 ? 65536.0 : value_of(high);
    bool away = false;
    if (magnitude != below) {
        const double half_way = (below + above) / 2;
        away = direction == Nearest ? magnitude > half_way || (magnitude == half_way && low % 2 == 1)
               : direction == Down  ? negative
                                    : direction == Up && !negative;
    }
    return (away ? high : low) | (negative ? 0x8000 : 0);
}

// --- what is computed ---
#if defined(__NVCC__) && !defined(__CUDA_ARCH__) // NVIDIA's header has these for the device alone
static __half half_fma(float a, float b, float c) {
    return __double2half(double(a) * b + c);
}
static int half2int_rd(__half h) {
    return int(std::floor(__half2float(h)));
}
static long long half2ll_rn(__half h) {
    return (long long)std::nearbyint(__half2float(h));
}
#else
#define half_fma __hfma
#define half2int_rd __half2int_rd
#define half2ll_rn __half2ll_rn
#endif

struct Results {
    unsigned short add, sub, mul, fma, div, sat, negated, absolute, least, most;
    unsigned comparisons;
};

__host__ __device__ inline Results compute(__half a, __half b, __half c) {
    Results r;
    r.add = __half_as_ushort(a + b);
    r.sub = __half_as_ushort(__hsub(a, b));
    r.mul = __half_as_ushort(a * b);
    r.fma = __half_as_ushort(half_fma(a, b, c));
    r.div = __half_as_ushort(a / b);
    r.sat = __half_as_ushort(__hadd_sat(a, b));
    r.negated = __half_as_ushort(-a);
    r.absolute = __half_as_ushort(__habs(a));
    r.least = __half_as_ushort(__hmin(a, b));
    r.most = __half_as_ushort(__hmax(a, b));
    r.comparisons = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | (a > b) << 4 |
                    (a >= b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hgeu(a, b) << 9 |
                    __hisnan(a) << 10;
    return r;
}

static bool same(unsigned got, unsigned wanted) {
    return got == wanted || ((got & 0x7fff) > 0x7c00 && (wanted & 0x7fff) > 0x7c00);
}

static bool right(const Results& r, unsigned a, unsigned b, unsigned c) {
    const double x = value_of(a), y = value_of(b), z = value_of(c);
    const unsigned sum = rounded(x + y);
    const bool below_one = (sum & 0x8000) == 0 && sum <= 0x3c00;
    const unsigned least = x != x ? b : y != y ? a : x < y || (x == y && (a & 0x8000)) ? a : b;
    const unsigned most = x != x ? b : y != y ? a : x > y || (x == y && !(a & 0x8000)) ? a : b;
    const unsigned comparisons = (x == y) | (x < y || x > y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 |
                                 (x >= y) << 5 | !(x < y || x > y) << 6 | (x != y) << 7 | !(x >= y) << 8 |
                                 !(x < y) << 9 | (x != x) << 10;
    return same(r.add, sum) && same(r.sub, rounded(x - y)) && same(r.mul, rounded(x * y)) &&
           same(r.fma, rounded(x * y + z)) && same(r.div, rounded(x / y)) &&
           r.sat == (below_one   ? sum
                     : x + y > 0 ? 0x3c00
                                 : 0) &&
           same(r.negated, a ^ 0x8000) && same(r.absolute, a & 0x7fff) && same(r.least, least) && same(r.most, most) &&
           r.comparisons == comparisons;
}

__global__ void singles(const __half* a, const __half* b, const __half* c, Results* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = compute(__ldg(a + i), b[i], c[i]);
}

// The same for pairs of neighbours, put together from the halves of pairs.
__global__ void pairs(const __half2* a, const __half2* b, const __half2* c, Results* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const __half2 x = __ldg(a + i), y = b[i], z = c[i];
    const __half2 add = x + y, sub = __hsub2(x, y), mul = __hmul2(x, y), fma = __hfma2(x, y, z), div = x / y,
                  sat = __hadd2_sat(x, y), negated = __hneg2(x), absolute = __habs2(x), least = __hmin2(x, y),
                  most = __hmax2(x, y), one = __heq2(x, y);
    const unsigned masks[] = {__heq2_mask(x, y),  __hne2_mask(x, y),  __hlt2_mask(x, y),  __hle2_mask(x, y),
                              __hgt2_mask(x, y),  __hge2_mask(x, y),  __hequ2_mask(x, y), __hneu2_mask(x, y),
                              __hltu2_mask(x, y), __hgeu2_mask(x, y), __hneu2_mask(x, x)};
    for (int h = 0; h < 2; ++h) {
        const auto of = [h](__half2 p) { return __half_as_ushort(h ? __high2half(p) : __low2half(p)); };
        Results r = {of(add),     of(sub),      of(mul),   of(fma),  of(div), of(sat),
                     of(negated), of(absolute), of(least), of(most), 0};
        for (int bit = 0; bit < 11; ++bit)
            r.comparisons |= ((masks[bit] >> 16 * h) & 1) << bit;
        if (of(one) != ((masks[0] >> 16 * h) & 1 ? 0x3c00 : 0) || __hbeq2(x, y) != (masks[0] == 0xffffffffu))
            r.comparisons = ~0u;
        out[2 * i + h] = r;
    }
}

// --- conversions ---
struct Converted {
    unsigned short rn, rz, rd, ru, from_double, from_int, from_ll;
    int to_int;
    long long to_ll;
    float back;
};

__host__ __device__ inline Converted convert(float x, int n) {
    Converted c;
    c.rn = __half_as_ushort(__float2half(x));
    c.rz = __half_as_ushort(__float2half_rz(x));
    c.rd = __half_as_ushort(__float2half_rd(x));
    c.ru = __half_as_ushort(__float2half_ru(x));
    c.from_double = __half_as_ushort(__double2half(x * (1.0 + 1e-14)));
    c.from_int = __half_as_ushort(__int2half_rn(n));
    c.from_ll = __half_as_ushort(__ll2half_ru(n * 65537ll));
    c.to_int = half2int_rd(__float2half_rn(x));
    c.to_ll = half2ll_rn(__float2half_rn(x));
    c.back = __half2float(__float2half_rn(x));
    return c;
}

static bool right(const Converted& c, float x, int n) {
    const unsigned h = rounded(x);
    const double value = value_of(h);
    const bool number = std::isfinite(value);
    return same(c.rn, h) && same(c.rz, std::isinf(x) ? h : rounded(x, ToZero)) && same(c.rd, rounded(x, Down)) &&
           same(c.ru, rounded(x, Up)) && same(c.from_double, rounded(x * (1.0 + 1e-14))) &&
           same(c.from_int, rounded(n)) && same(c.from_ll, rounded(n * 65537.0, Up)) &&
           (!number || (c.to_int == int(std::floor(value)) && c.to_ll == (long long)std::nearbyint(value))) &&
           (c.back == value || value != value);
}

__global__ void converted(const float* x, Converted* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = convert(x[i], i * 7919 - 1000000);
}

// --- functions: within a last place and a half, which NVIDIA's keep as well ---
constexpr int kFunctions = 12;
__global__ void functions(const __half* x, __half* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const __half a = x[i];
    const __half2 p = {a, a};
    const __half all[kFunctions] = {hsqrt(a), hrsqrt(a), hrcp(a), hexp(a), hexp2(a),  hlog(a),
                                    hlog2(a), hlog10(a), hsin(a), hcos(a), hfloor(a), __high2half(h2rint(p))};
    for (int f = 0; f < kFunctions; ++f)
        out[i * kFunctions + f] = all[f];
}

static int wrong_functions(double x, const __half* got) {
    const double wanted[kFunctions] = {std::sqrt(x), 1 / std::sqrt(x), 1 / x,         std::exp(x),
                                       std::exp2(x), std::log(x),      std::log2(x),  std::log10(x),
                                       std::sin(x),  std::cos(x),      std::floor(x), std::nearbyint(x)};
    int wrong = 0;
    for (int f = 0; f < kFunctions; ++f) {
        const double value = __half2float(got[f]);
        const double place = std::ldexp(1.0, std::max(std::ilogb(std::fabs(wanted[f]) + 1e-30), -14) - 10);
        const bool near = rounded(wanted[f]) == 0x7c00 || rounded(wanted[f]) == 0x7bff
                              ? value >= 65472
                              : std::fabs(value - wanted[f]) <= 1.5 * place;
        if (!near)
            std::printf("function %d of %g is %g, not %g\n", f, x, value, wanted[f]), ++wrong;
    }
    return wrong;
}

// --- warps, atomics, operators ---
__global__ void sums(__half* single, __half2* pair, __half* warp) {
    __half mine = __float2half(threadIdx.x % 32 == 0 ? 65.0f : 1.0f);
    __half2 both = __halves2half2(mine, __hneg(mine));
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_xor_sync(0xffffffffu, mine, distance);
        both = __hadd2(both, __shfl_down_sync(0xffffffffu, both, distance));
    }
    if (threadIdx.x % 32 == 0 && __low2float(both) == 96.0f && __high2float(both) == -96.0f)
        atomicAdd(single, mine);
    if (threadIdx.x < 32)
        atomicAdd(pair, __floats2half2_rn(1.0f, 3.0f)); // 32 times
    if (threadIdx.x == 0) {
        __half counted = 190;
        ++counted;
        counted++;
        *warp = counted;
    }
}

static uint32_t random_bits() {
    static uint32_t state = 12345;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

template <class T>
static T* device_copy(const std::vector<T>& host) {
    T* p;
    cudaMalloc((void**)&p, host.size() * sizeof(T));
    cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

template <class T>
static std::vector<T> host_copy(const T* device, size_t n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}

static void check_arithmetic() {
    const int n = 20000;
    std::vector<__half> in[3];
    std::vector<unsigned> bits[3];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            // Any number, or one near 1, where operands meet.
            const unsigned b = random_bits() & 0xffff;
            bits[k].push_back(i % 2 ? b : 0x3000 + b % 0x1800 + (b & 0x8000));
            in[k].push_back(__ushort_as_half((unsigned short)bits[k].back()));
        }
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += !right(compute(in[0][i], in[1][i], in[2][i]), bits[0][i], bits[1][i], bits[2][i]);
    std::printf("host: %d wrong of %d\n", wrong, n);
    __half* d[3] = {device_copy(in[0]), device_copy(in[1]), device_copy(in[2])};
    Results* out;
    cudaMalloc((void**)&out, n * sizeof(Results));
    for (const bool packed : {false, true}) {
        if (packed)
            pairs<<<(n / 2 + 127) / 128, 128>>>((__half2*)d[0], (__half2*)d[1], (__half2*)d[2], out, n / 2);
        else
            singles<<<(n + 127) / 128, 128>>>(d[0], d[1], d[2], out, n);
        const std::vector<Results> results = host_copy(out, n);
        wrong = 0;
        for (int i = 0; i < n; ++i)
            wrong += !right(results[i], bits[0][i], bits[1][i], bits[2][i]);
        std::printf("%s: %d wrong of %d\n", packed ? "pairs" : "device", wrong, n);
    }
}

static void check_conversions() {
    std::vector<float> x = {0.0f, -0.0f, 65504.0f, 65519.996f, 65520.0f, 1e30f, -1e30f, INFINITY, 0x1p-25f, 0x1.8p-25f};
    while (x.size() < 4000) {
        const uint32_t b = (random_bits() & 0xffff) << 16 | (random_bits() & 0xffff);
        float f;
        std::memcpy(&f, &b, 4);
        // Any number, one in the range of halves, and one half-way between two.
        const double low = value_of(b & 0x7bff), high = value_of((b & 0x7bff) + 1);
        x.push_back(f);
        x.push_back(float(std::ldexp(1.0 + (b & 0xffffff) * 0x1p-24, int(b >> 24 & 63) - 32)));
        x.push_back(std::isinf(high) ? 1.0f : float((low + high) / 2));
    }
    Converted* out;
    cudaMalloc((void**)&out, x.size() * sizeof(Converted));
    converted<<<(unsigned(x.size()) + 127) / 128, 128>>>(device_copy(x), out, int(x.size()));
    const std::vector<Converted> results = host_copy(out, x.size());
    int wrong = 0;
    for (int i = 0; i < int(x.size()); ++i) {
        const int n = i * 7919 - 1000000;
        wrong += !right(results[i], x[i], n) + !right(convert(x[i], n), x[i], n);
    }
    std::printf("conversions: %d wrong\n", wrong);
}

static void check_functions() {
    std::vector<__half> x;
    for (unsigned bits = 0x0400; bits < 0x4a00; bits += 37) // 2^-14 to 12
        x.push_back(__ushort_as_half((unsigned short)bits));
    __half* out;
    cudaMalloc((void**)&out, x.size() * kFunctions * sizeof(__half));
    functions<<<(unsigned(x.size()) + 127) / 128, 128>>>(device_copy(x), out, int(x.size()));
    const std::vector<__half> results = host_copy(out, x.size() * kFunctions);
    int wrong = 0;
    for (size_t i = 0; i < x.size(); ++i)
        wrong += wrong_functions(__half2float(x[i]), &results[i * kFunctions]);
    std::printf("functions: %d wrong\n", wrong);
}

int main() {
    check_arithmetic();
    check_conversions();
    check_functions();
    __half* total = device_copy(std::vector<__half>(8, __float2half(0.0f)));
    sums<<<1, 64>>>(total, (__half2*)(total + 2), total + 4);
    const std::vector<__half> results = host_copy(total, 8);
    std::printf("sums: %g %g %g\n", __half2float(results[0]), __half2float(results[3]), (float)results[4]);
    return cudaGetLastError() != cudaSuccess || __half2float(results[2]) != 32.0f;
}
