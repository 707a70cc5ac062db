// What half.cu and bfloat16.cu check of their format, on the device and on the host, against a rounding by search among
// all its numbers. The including program has included the format's header and defines NUMBER and PAIR, the types,
// NAME(before, after) and CONSTANT(name), the names, DIGITS without the leading one, and EXPONENT_BITS.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <limits>
#include <vector>

// --- the reference ---
constexpr int kLeastExponent = 2 - (1 << (EXPONENT_BITS - 1)); // of the normal numbers
constexpr unsigned kInfinite = ((1 << EXPONENT_BITS) - 1) << DIGITS;
constexpr unsigned kOne = unsigned(1 - kLeastExponent) << DIGITS;

static double value_of(unsigned bits) {
    const int exponent = int(bits & 0x7fff) >> DIGITS, digits = bits & ((1 << DIGITS) - 1);
    const double magnitude = (bits & 0x7fff) >= kInfinite
                                 ? (digits ? NAN : INFINITY)
                                 : std::ldexp(digits + (exponent ? 1 << DIGITS : 0),
                                              (exponent ? exponent - 1 : 0) + kLeastExponent - DIGITS);
    return bits & 0x8000 ? -magnitude : magnitude;
}

enum Direction { Nearest, ToZero, Down, Up };

// The largest number that is not above the magnitude, or the next one: kInfinite stands for the power of two here.
// `rest` is what x lacks, too little for a digit of its own: it decides between two numbers that are equally near.
static unsigned rounded(long double x, Direction direction = Nearest, double rest = 0) {
    if (x != x)
        return 0x7fff;
    const bool negative = std::signbit(x);
    const long double magnitude = std::fabs(x);
    if (std::isinf(x))
        return negative ? 0x8000 | kInfinite : kInfinite;
    unsigned low = 0, high = kInfinite;
    while (low + 1 < high) {
        const unsigned middle = (low + high) / 2;
        (value_of(middle) <= magnitude ? low : high) = middle;
    }
    const double below = value_of(low),
                 above = high == kInfinite ? std::ldexp(1.0, 2 - kLeastExponent) : value_of(high);
    bool away = false;
    if (magnitude != below) {
        const double half_way = (below + above) / 2;
        const bool tie = rest != 0 ? (rest < 0) == negative : low % 2 == 1;
        away = direction == Nearest ? magnitude > half_way || (magnitude == half_way && tie)
               : direction == Down  ? negative
                                    : direction == Up && !negative;
    }
    return (away ? high : low) | (negative ? 0x8000 : 0);
}

// x * y + z: the product is exact, and so are the sum and its error together.
static unsigned rounded_fma(double x, double y, double z) {
    const double product = x * y, sum = product + z, part = sum - product;
    const double error = (product - (sum - part)) + (z - part);
    return rounded(sum, Nearest, std::isfinite(sum) ? error : 0);
}

// As conversions to integers have it: the nearest there is.
template <class T>
static T clamped(double x) {
    return x >= std::ldexp(1.0, std::numeric_limits<T>::digits) ? std::numeric_limits<T>::max()
           : x <= double(std::numeric_limits<T>::min())         ? std::numeric_limits<T>::min()
                                                                : T(x);
}

// --- what is computed ---
#if defined(__NVCC__) && EXPONENT_BITS == 8
// NVIDIA's header has no fma of bf16 for the target of the tests, and divides by a subnormal number as by zero.
#define NVIDIA_BF16 1
static __host__ __device__ NUMBER number_fma(float a, float b, float c) {
    return NAME(__double2, )(double(a) * b + c);
}
static __device__ PAIR pair_fma(PAIR a, PAIR b, PAIR c) {
    return {number_fma(a.x, b.x, c.x), number_fma(a.y, b.y, c.y)};
}
#elif defined(__NVCC__) && !defined(__CUDA_ARCH__) // and some functions for the device alone
#define NVIDIA_BF16 0
static NUMBER number_fma(float a, float b, float c) {
    return NAME(__double2, )(double(a) * b + c);
}
#define pair_fma __hfma2
#else
#define NVIDIA_BF16 0
#define number_fma __hfma
#define pair_fma __hfma2
#endif
#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
static int to_int_rd(NUMBER h) {
    return clamped<int>(std::floor(NAME(__, 2float)(h)));
}
static long long to_ll_rn(NUMBER h) {
    return clamped<long long>(std::nearbyint(NAME(__, 2float)(h)));
}
static NUMBER from_ll_ru(long long value) {
    return NAME(__ushort_as_, )((unsigned short)rounded(value, Up));
}
#else
#define to_int_rd NAME(__, 2int_rd)
#define to_ll_rn NAME(__, 2ll_rn)
#define from_ll_ru NAME(__ll2, _ru)
#endif
#ifdef __NVCC__ // of newer devices alone
#define relu(a, b, c) (__hgt(number_fma(a, b, c), NUMBER(0.0f)) ? number_fma(a, b, c) : NUMBER(0.0f))
#define pair_relu(a, b, c) PAIR(relu(a.x, b.x, c.x), relu(a.y, b.y, c.y))
#else
#define relu __hfma_relu
#define pair_relu __hfma2_relu
#endif

struct Results {
    unsigned short add, sub, mul, fma, div, sat, mul_sat, negated, absolute, least, most, least_nan, most_nan, positive;
    unsigned comparisons;
};

__host__ __device__ inline Results compute(NUMBER a, NUMBER b, NUMBER c) {
    Results r;
    r.add = NAME(__, _as_ushort)(a + b);
    r.sub = NAME(__, _as_ushort)(__hsub(a, b));
    r.mul = NAME(__, _as_ushort)(a * b);
    r.fma = NAME(__, _as_ushort)(number_fma(a, b, c));
    r.div = NAME(__, _as_ushort)(a / b);
    r.sat = NAME(__, _as_ushort)(__hadd_sat(a, b));
    r.mul_sat = NAME(__, _as_ushort)(__hmul_sat(a, b));
    r.negated = NAME(__, _as_ushort)(-a);
    r.absolute = NAME(__, _as_ushort)(__habs(a));
    r.least = NAME(__, _as_ushort)(__hmin(a, b));
    r.most = NAME(__, _as_ushort)(__hmax(a, b));
    r.least_nan = NAME(__, _as_ushort)(__hmin_nan(a, b));
    r.most_nan = NAME(__, _as_ushort)(__hmax_nan(a, b));
    r.positive = NAME(__, _as_ushort)(__hisnan(number_fma(a, b, c)) ? NUMBER(0.0f) : relu(a, b, c));
    r.comparisons = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | (a > b) << 4 |
                    (a >= b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hgeu(a, b) << 9 |
                    __hisnan(a) << 10 | unsigned(__hisinf(a) + 1) << 11;
    return r;
}

static bool same(unsigned got, unsigned wanted) {
    return got == wanted || ((got & 0x7fff) > kInfinite && (wanted & 0x7fff) > kInfinite);
}

static bool right(const Results& r, unsigned a, unsigned b, unsigned c) {
    const double x = value_of(a), y = value_of(b), z = value_of(c);
    const unsigned sum = rounded(x + y), fma = rounded_fma(x, y, z);
    const unsigned least = x != x ? b : y != y ? a : x < y || (x == y && (a & 0x8000)) ? a : b;
    const unsigned most = x != x ? b : y != y ? a : x > y || (x == y && !(a & 0x8000)) ? a : b;
    const bool nan = x != x || y != y;
    const unsigned comparisons = (x == y) | (x < y || x > y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 |
                                 (x >= y) << 5 | !(x < y || x > y) << 6 | (x != y) << 7 | !(x >= y) << 8 |
                                 !(x < y) << 9 | (x != x) << 10 | (std::isinf(x) ? x > 0 ? 2u : 0u : 1u) << 11;
    const auto saturated = [](double value) { return value > 0 ? rounded(std::fmin(value, 1)) : 0; };
    const bool same_fma = same(r.fma, fma) || (NVIDIA_BF16 && same(r.fma, rounded(x * y + z)));
    const bool same_div =
        same(r.div, rounded(x / y)) || (NVIDIA_BF16 && std::fabs(y) < std::ldexp(1.0, kLeastExponent));
    return same(r.add, sum) && same(r.sub, rounded(x - y)) && same(r.mul, rounded(x * y)) && same_fma && same_div &&
           r.sat == saturated(x + y) && r.mul_sat == saturated(x * y) && same(r.negated, a ^ 0x8000) &&
           same(r.absolute, a & 0x7fff) && same(r.least, least) && same(r.most, most) &&
           same(r.least_nan, nan ? 0x7fff : least) && same(r.most_nan, nan ? 0x7fff : most) &&
           r.positive == (r.fma < 0x8000 && !same(r.fma, 0x7fff) ? r.fma : 0) && r.comparisons == comparisons;
}

__global__ void singles(const NUMBER* a, const NUMBER* b, const NUMBER* c, Results* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = compute(__ldg(a + i), b[i], c[i]);
}

// The same for pairs of neighbours, put together from the halves of pairs.
__global__ void pairs(const PAIR* a, const PAIR* b, const PAIR* c, Results* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const PAIR x = __ldg(a + i), y = b[i], z = c[i];
    const PAIR add = x + y, sub = __hsub2(x, y), mul = __hmul2(x, y), fma = pair_fma(x, y, z), div = x / y,
               sat = __hadd2_sat(x, y), mul_sat = __hmul2_sat(x, y), negated = __hneg2(x), absolute = __habs2(x),
               least = __hmin2(x, y), most = __hmax2(x, y), least_nan = __hmin2_nan(x, y), most_nan = __hmax2_nan(x, y),
               positive = pair_relu(x, y, z), one = __heq2(x, y);
    const unsigned masks[] = {__heq2_mask(x, y),  __hne2_mask(x, y),  __hlt2_mask(x, y),  __hle2_mask(x, y),
                              __hgt2_mask(x, y),  __hge2_mask(x, y),  __hequ2_mask(x, y), __hneu2_mask(x, y),
                              __hltu2_mask(x, y), __hgeu2_mask(x, y), __hneu2_mask(x, x)};
    for (int h = 0; h < 2; ++h) {
        const auto of = [h](PAIR p) { return NAME(__, _as_ushort)(h ? NAME(__high2, )(p) : NAME(__low2, )(p)); };
        Results r = {
            of(add),   of(sub),  of(mul),       of(fma),      of(div), of(sat), of(mul_sat), of(negated), of(absolute),
            of(least), of(most), of(least_nan), of(most_nan), 0,       0};
        r.positive = __hisnan(h ? fma.y : fma.x) ? 0 : of(positive);
        r.comparisons = unsigned(__hisinf(h ? x.y : x.x) + 1) << 11;
        for (int bit = 0; bit < 11; ++bit)
            r.comparisons |= ((masks[bit] >> 16 * h) & 1) << bit;
        if (of(one) != ((masks[0] >> 16 * h) & 1 ? kOne : 0) || __hbeq2(x, y) != (masks[0] == 0xffffffffu))
            r.comparisons = ~0u;
        out[2 * i + h] = r;
    }
}

// --- conversions ---
struct Converted {
    unsigned short rn, rz, rd, ru, from_double, from_int, from_ll, from_ull;
    int to_int;
    long long to_ll;
    signed char to_schar;
    unsigned char to_uchar;
    char to_char;
    short to_short;
    unsigned short to_ushort;
    float back;
};

// Of 64 digits: with and without what lies beyond half-way between two numbers.
__host__ __device__ inline unsigned long long long_one(int n) {
    return 1ull << 63 | (unsigned long long)(n & 255) << 55 | (n & 256 ? 1 : 0);
}

__host__ __device__ inline Converted convert(float x, int n) {
    Converted c;
    c.rn = NAME(__, _as_ushort)(NAME(__float2, )(x));
    c.rz = NAME(__, _as_ushort)(NAME(__float2, _rz)(x));
    c.rd = NAME(__, _as_ushort)(NAME(__float2, _rd)(x));
    c.ru = NAME(__, _as_ushort)(NAME(__float2, _ru)(x));
    c.from_double = NAME(__, _as_ushort)(NAME(__double2, )(x * (1.0 + 1e-14)));
    c.from_int = NAME(__, _as_ushort)(NAME(__int2, _rn)(n));
    c.from_ll = NAME(__, _as_ushort)(from_ll_ru(n * 65537ll));
    c.from_ull = NAME(__, _as_ushort)(NAME(__ull2, _rn)(long_one(n)));
    c.to_int = to_int_rd(NAME(__float2, _rn)(x));
    c.to_ll = to_ll_rn(NAME(__float2, _rn)(x));
    const NUMBER h = NAME(__float2, _rn)(x);
    c.to_schar = (signed char)h;
    c.to_uchar = (unsigned char)h;
    c.to_char = (char)h;
    c.to_short = (short)h;
    c.to_ushort = (unsigned short)h;
    c.back = NAME(__, 2float)(h);
    return c;
}

static bool right_short_ones(const Converted& c, double value) {
    return c.to_schar == clamped<signed char>(value) && c.to_uchar == clamped<unsigned char>(value) &&
           c.to_char == clamped<char>(value) && c.to_short == clamped<short>(value) &&
           c.to_ushort == clamped<unsigned short>(value);
}

static bool right(const Converted& c, float x, int n) {
    const unsigned h = rounded(x);
    const double value = value_of(h);
    const bool number = value == value;
    return same(c.rn, h) && same(c.rz, std::isinf(x) ? h : rounded(x, ToZero)) && same(c.rd, rounded(x, Down)) &&
           same(c.ru, rounded(x, Up)) && same(c.from_double, rounded(x * (1.0 + 1e-14))) &&
           same(c.from_int, rounded(n)) && same(c.from_ll, rounded(n * 65537.0, Up)) &&
           same(c.from_ull, rounded(long_one(n))) &&
           (!number ||
            (c.to_int == clamped<int>(std::floor(value)) && c.to_ll == clamped<long long>(std::nearbyint(value)) &&
             c.back == value && right_short_ones(c, std::trunc(value))));
}

__global__ void converted(const float* x, Converted* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = convert(x[i], i * 7919 - 1000000);
}

// --- functions: within a last place and a half, which NVIDIA's keep as well ---
constexpr int kFunctions = 12;
__global__ void functions(const NUMBER* x, NUMBER* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const NUMBER a = x[i];
    const PAIR p = {a, a};
    const NUMBER all[kFunctions] = {hsqrt(a), hrsqrt(a), hrcp(a), hexp(a), hexp2(a),  hlog(a),
                                    hlog2(a), hlog10(a), hsin(a), hcos(a), hfloor(a), NAME(__high2, )(h2rint(p))};
    for (int f = 0; f < kFunctions; ++f)
        out[i * kFunctions + f] = all[f];
}

static int wrong_functions(double x, const NUMBER* got) {
    const double wanted[kFunctions] = {std::sqrt(x), 1 / std::sqrt(x), 1 / x,         std::exp(x),
                                       std::exp2(x), std::log(x),      std::log2(x),  std::log10(x),
                                       std::sin(x),  std::cos(x),      std::floor(x), std::nearbyint(x)};
    int wrong = 0;
    for (int f = 0; f < kFunctions; ++f) {
        const double value = NAME(__, 2float)(got[f]);
        const double place =
            std::ldexp(1.0, std::max(std::ilogb(std::fabs(wanted[f]) + 1e-300), kLeastExponent) - DIGITS);
        const bool near = rounded(wanted[f]) == kInfinite || rounded(wanted[f]) == kInfinite - 1
                              ? value >= value_of(kInfinite - 2)
                              : std::fabs(value - wanted[f]) <= 1.5 * place;
        if (!near)
            std::printf("function %d of %g is %g, not %g\n", f, x, value, wanted[f]), ++wrong;
    }
    return wrong;
}

// --- warps, atomics, operators ---
__global__ void sums(NUMBER* single, PAIR* pair, NUMBER* warp) {
    NUMBER mine = NAME(__float2, )(threadIdx.x % 32 == 0 ? 65.0f : 1.0f);
    PAIR both = NAME(__halves2, 2)(mine, __hneg(mine));
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_xor_sync(0xffffffffu, mine, distance);
        both = __hadd2(both, __shfl_down_sync(0xffffffffu, both, distance));
    }
    if (threadIdx.x % 32 == 0 && __low2float(both) == 96.0f && __high2float(both) == -96.0f)
        atomicAdd(single, mine);
    if (threadIdx.x < 32)
        atomicAdd(pair, NAME(__floats2, 2_rn)(1.0f, 3.0f)); // 32 times
    if (threadIdx.x == 0) {
        NUMBER counted = 190;
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
    std::vector<NUMBER> in[3];
    std::vector<unsigned> bits[3];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            // Any number, or one near 1, where operands meet.
            const unsigned b = random_bits() & 0xffff;
            bits[k].push_back(i % 2 ? b : kOne - (3 << DIGITS) + b % (6 << DIGITS) + (b & 0x8000));
            in[k].push_back(NAME(__ushort_as_, )((unsigned short)bits[k].back()));
        }
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += !right(compute(in[0][i], in[1][i], in[2][i]), bits[0][i], bits[1][i], bits[2][i]);
    std::printf("host: %d wrong of %d\n", wrong, n);
    NUMBER* d[3] = {device_copy(in[0]), device_copy(in[1]), device_copy(in[2])};
    Results* out;
    cudaMalloc((void**)&out, n * sizeof(Results));
    for (const bool packed : {false, true}) {
        if (packed)
            pairs<<<(n / 2 + 127) / 128, 128>>>((PAIR*)d[0], (PAIR*)d[1], (PAIR*)d[2], out, n / 2);
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
    const double most = value_of(kInfinite - 1), least = value_of(1);
    const float beyond = float(most + (most - value_of(kInfinite - 2)) / 2); // half-way to the next power of two
    std::vector<float> x = {0.0f,   -0.0f,    float(most),      std::nextafter(beyond, 0.0f), beyond, 1e30f,
                            -1e30f, INFINITY, float(least / 2), float(least * 0.75)};
    while (x.size() < 4000) {
        const uint32_t b = (random_bits() & 0xffff) << 16 | (random_bits() & 0xffff);
        float f;
        std::memcpy(&f, &b, 4);
        // Any number, one in the middle of the range, and one half-way between two.
        const double low = value_of((b & 0x7fff) % kInfinite), high = value_of((b & 0x7fff) % kInfinite + 1);
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
    std::vector<NUMBER> x;
    for (unsigned bits = rounded(0x1p-14); bits < rounded(12); bits += EXPONENT_BITS == 8 ? 5 : 37)
        x.push_back(NAME(__ushort_as_, )((unsigned short)bits));
    NUMBER* out;
    cudaMalloc((void**)&out, x.size() * kFunctions * sizeof(NUMBER));
    functions<<<(unsigned(x.size()) + 127) / 128, 128>>>(device_copy(x), out, int(x.size()));
    const std::vector<NUMBER> results = host_copy(out, x.size() * kFunctions);
    int wrong = 0;
    for (size_t i = 0; i < x.size(); ++i)
        wrong += wrong_functions(NAME(__, 2float)(x[i]), &results[i * kFunctions]);
    std::printf("functions: %d wrong\n", wrong);
}

static void check_constants() {
    const NUMBER all[] = {CONSTANT(ZERO), CONSTANT(NEG_ZERO),   CONSTANT(ONE),       CONSTANT(INF),
                          CONSTANT(NAN),  CONSTANT(MAX_NORMAL), CONSTANT(MIN_DENORM)};
    std::printf("constants:");
    for (const NUMBER& constant : all)
        std::printf(" %04x", NAME(__, _as_ushort)(constant));
    std::printf("\n");
}

// What the program's main returns.
static int check_all() {
    check_arithmetic();
    check_conversions();
    check_functions();
    check_constants();
    NUMBER* total = device_copy(std::vector<NUMBER>(8, NAME(__float2, )(0.0f)));
    sums<<<1, 64>>>(total, (PAIR*)(total + 2), total + 4);
    const std::vector<NUMBER> results = host_copy(total, 8);
    std::printf("sums: %g %g %g\n", NAME(__, 2float)(results[0]), NAME(__, 2float)(results[3]), (float)results[4]);
    return cudaGetLastError() != cudaSuccess || NAME(__, 2float)(results[2]) != 32.0f;
}
