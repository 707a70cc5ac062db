// CUDA's intrinsics for integers and rounded arithmetic, for the reference (emulator.h).
#pragma once
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace emulator {

// Computes with another rounding mode, out of the compiler's sight.
template <typename F>
__attribute__((noinline)) auto rounded(int mode, F compute) {
    std::fesetround(mode);
    volatile auto result = compute();
    std::fesetround(FE_TONEAREST);
    return result;
}

// A number as an integer: out of range is the nearest that there is.
template <typename T, typename F>
T saturated(int mode, F value) {
    const F whole = rounded(mode, [value] {
        volatile F v = value;
        return std::nearbyint(v);
    });
    const F limit = std::ldexp(F(1), std::numeric_limits<T>::digits);
    return whole >= limit                             ? std::numeric_limits<T>::max()
           : whole < F(std::numeric_limits<T>::min()) ? std::numeric_limits<T>::min()
                                                      : static_cast<T>(whole);
}

} // namespace emulator

inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(x);
}
inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(x);
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; ++i)
        reversed |= (x >> i & 1) << (63 - i);
    return reversed;
}
inline unsigned __brev(unsigned x) {
    return __brevll(x) >> 32;
}
inline int __mulhi(int a, int b) {
    return static_cast<long long>(a) * b >> 32;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned long long>(a) * b >> 32;
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<__int128>(a) * b >> 64;
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned __int128>(a) * b >> 64;
}
inline int __mul24(int a, int b) {
    const auto low = [](int x) { return static_cast<long long>(static_cast<int>(static_cast<unsigned>(x) << 8) >> 8); };
    return static_cast<int>(low(a) * low(b));
}
inline unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xFFFFFF) * (b & 0xFFFFFF);
}
inline unsigned __sad(int a, int b, unsigned c) {
    return static_cast<unsigned>(std::abs(static_cast<long long>(a) - b)) + c;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}
inline int __hadd(int a, int b) {
    return (static_cast<long long>(a) + b) >> 1;
}
inline int __rhadd(int a, int b) {
    return (static_cast<long long>(a) + b + 1) >> 1;
}
inline unsigned __uhadd(unsigned a, unsigned b) {
    return (static_cast<unsigned long long>(a) + b) >> 1;
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return (static_cast<unsigned long long>(a) + b + 1) >> 1;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return (static_cast<unsigned long long>(high) << 32 | low) >> (n & 31);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    return (static_cast<unsigned long long>(high) << 32 | low) << (n & 31) >> 32;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
    return (static_cast<unsigned long long>(high) << 32 | low) >> std::min(n, 32u);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
    return n >= 32 ? low : __funnelshift_l(low, high, n);
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<unsigned>(bytes >> (8 * (selector >> 4 * i & 7)) & 0xFF) << (8 * i);
    return result;
}
// Lanes of a word, each combined on its own: `part(a, b)` gets the bits of a lane.
template <typename F>
unsigned simd(int bits, unsigned a, unsigned b, F part) {
    const unsigned mask = (1u << bits) - 1;
    unsigned result = 0;
    for (int i = 0; i < 32; i += bits)
        result |= (static_cast<unsigned>(part(a >> i & mask, b >> i & mask)) & mask) << i;
    return result;
}
inline unsigned __vadd4(unsigned a, unsigned b) {
    return simd(8, a, b, [](unsigned x, unsigned y) { return x + y; });
}
inline unsigned __vsub2(unsigned a, unsigned b) {
    return simd(16, a, b, [](unsigned x, unsigned y) { return x - y; });
}
inline unsigned __vminu4(unsigned a, unsigned b) {
    return simd(8, a, b, [](unsigned x, unsigned y) { return std::min(x, y); });
}
inline unsigned __vmaxs2(unsigned a, unsigned b) {
    return simd(16, a, b, [](short x, short y) { return std::max(x, y); });
}
inline unsigned __vabsdiffu4(unsigned a, unsigned b) {
    return simd(8, a, b, [](unsigned x, unsigned y) { return x > y ? x - y : y - x; });
}
inline unsigned __vcmpgts2(unsigned a, unsigned b) {
    return simd(16, a, b, [](short x, short y) { return x > y ? 0xFFFFu : 0u; });
}
inline unsigned __vaddss4(unsigned a, unsigned b) {
    return simd(8, a, b, [](signed char x, signed char y) { return std::clamp(x + y, -128, 127); });
}

template <typename To, typename From>
To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline unsigned __float_as_uint(float x) {
    return bits_as<unsigned>(x);
}
inline float __uint_as_float(unsigned x) {
    return bits_as<float>(x);
}
inline long long __double_as_longlong(double x) {
    return bits_as<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return bits_as<double>(x);
}

#define ROUNDED_BINARY(name, type, mode, operation)                                                                    \
    inline type name(type a, type b) {                                                                                 \
        return emulator::rounded(mode, [=] { return volatile_of(a) operation b; });                                    \
    }
#define ROUNDED_UNARY(name, from, to, mode, function)                                                                  \
    inline to name(from a) {                                                                                           \
        return emulator::rounded(mode, [=] { return function(volatile_of(a)); });                                      \
    }
#define SATURATED(name, from, to, mode)                                                                                \
    inline to name(from a) {                                                                                           \
        return emulator::saturated<to>(mode, a);                                                                       \
    }
#define ROUNDED(suffix, mode)                                                                                          \
    ROUNDED_BINARY(__fadd_##suffix, float, mode, +)                                                                    \
    ROUNDED_BINARY(__fmul_##suffix, float, mode, *)                                                                    \
    ROUNDED_BINARY(__fdiv_##suffix, float, mode, /)                                                                    \
    ROUNDED_BINARY(__dadd_##suffix, double, mode, +)                                                                   \
    ROUNDED_BINARY(__dmul_##suffix, double, mode, *)                                                                   \
    ROUNDED_BINARY(__ddiv_##suffix, double, mode, /)                                                                   \
    ROUNDED_UNARY(__fsqrt_##suffix, float, float, mode, sqrtf)                                                         \
    ROUNDED_UNARY(__dsqrt_##suffix, double, double, mode, sqrt)                                                        \
    ROUNDED_UNARY(__double2float_##suffix, double, float, mode, static_cast<float>)                                    \
    ROUNDED_UNARY(__int2float_##suffix, int, float, mode, static_cast<float>)                                          \
    ROUNDED_UNARY(__ll2float_##suffix, long long, float, mode, static_cast<float>)                                     \
    ROUNDED_UNARY(__ll2double_##suffix, long long, double, mode, static_cast<double>)                                  \
    SATURATED(__float2int_##suffix, float, int, mode)                                                                  \
    SATURATED(__float2uint_##suffix, float, unsigned, mode)                                                            \
    SATURATED(__float2ll_##suffix, float, long long, mode)                                                             \
    SATURATED(__double2int_##suffix, double, int, mode)                                                                \
    SATURATED(__double2ull_##suffix, double, unsigned long long, mode)
template <typename T>
T volatile_of(T value) {
    volatile T hidden = value;
    return hidden;
}
ROUNDED(rn, FE_TONEAREST)
ROUNDED(rz, FE_TOWARDZERO)
ROUNDED(ru, FE_UPWARD)
ROUNDED(rd, FE_DOWNWARD)
