// Functions that clang calls for operations on integers of 128 bits that PTX does not have: division, and conversions from
// and to floating point. heddle-cc includes this file where a program has such operations. Dividing by 0 gives all bits.
#pragma once

namespace heddle_int128 {

using Unsigned = unsigned __int128;
using Signed = __int128;

struct Division {
    Unsigned quotient, remainder;
};

static __device__ __forceinline__ int leading_zeros(Unsigned x) {
    const unsigned long long high = static_cast<unsigned long long>(x >> 64);
    return high != 0 ? __clzll(static_cast<long long>(high)) : 64 + __clzll(static_cast<long long>(x));
}

static __device__ __forceinline__ Division divide(Unsigned a, Unsigned b) {
    if (b == 0)
        return {~Unsigned{0}, a};
    if (((a | b) >> 64) == 0) {
        const unsigned long long x = static_cast<unsigned long long>(a), y = static_cast<unsigned long long>(b);
        return {x / y, x % y};
    }
    Division out{0, a};
    int bit = leading_zeros(b) - leading_zeros(a);
    if (bit < 0)
        return out;
    b <<= bit;
#pragma unroll 1
    for (; bit >= 0; --bit, b >>= 1) {
        out.quotient <<= 1;
        if (out.remainder >= b) {
            out.remainder -= b;
            out.quotient |= 1;
        }
    }
    return out;
}

static __device__ __forceinline__ Unsigned magnitude(Signed x) {
    return x < 0 ? -static_cast<Unsigned>(x) : static_cast<Unsigned>(x);
}

// Rounded to the nearest once: bits that the 64 leading ones do not have count as one at their end.
template <class Real>
__device__ __forceinline__ Real to_real(Unsigned x) {
    const unsigned long long high = static_cast<unsigned long long>(x >> 64);
    if (high == 0)
        return static_cast<Real>(static_cast<unsigned long long>(x));
    const int shift = 64 - __clzll(static_cast<long long>(high));
    const bool rest = (x & ((Unsigned{1} << shift) - 1)) != 0;
    const Real leading = static_cast<Real>(static_cast<unsigned long long>(x >> shift) | (rest ? 1 : 0));
    return leading * static_cast<Real>(1ull << (shift / 2)) * static_cast<Real>(1ull << (shift - shift / 2));
}

template <class Real>
__device__ __forceinline__ Unsigned from_real(Real x) {
    constexpr Real kWord = static_cast<Real>(18446744073709551616.0); // 2^64
    if (!(x >= kWord))
        return static_cast<unsigned long long>(x);
    const unsigned long long high = static_cast<unsigned long long>(x / kWord);
    return Unsigned{high} << 64 | static_cast<unsigned long long>(x - static_cast<Real>(high) * kWord);
}

} // namespace heddle_int128

#define HEDDLE_INT128 extern "C" __device__ __attribute__((used, weak, noinline))
HEDDLE_INT128 unsigned __int128 __udivti3(unsigned __int128 a, unsigned __int128 b) {
    return heddle_int128::divide(a, b).quotient;
}
HEDDLE_INT128 unsigned __int128 __umodti3(unsigned __int128 a, unsigned __int128 b) {
    return heddle_int128::divide(a, b).remainder;
}
HEDDLE_INT128 __int128 __divti3(__int128 a, __int128 b) {
    const auto quotient = heddle_int128::divide(heddle_int128::magnitude(a), heddle_int128::magnitude(b)).quotient;
    return static_cast<__int128>((a < 0) != (b < 0) ? -quotient : quotient);
}
HEDDLE_INT128 __int128 __modti3(__int128 a, __int128 b) {
    const auto remainder = heddle_int128::divide(heddle_int128::magnitude(a), heddle_int128::magnitude(b)).remainder;
    return static_cast<__int128>(a < 0 ? -remainder : remainder);
}
#define HEDDLE_INT128_REAL(Real, letter)                                                                               \
    HEDDLE_INT128 Real __floatunti##letter##f(unsigned __int128 x) {                                                   \
        return heddle_int128::to_real<Real>(x);                                                                        \
    }                                                                                                                  \
    HEDDLE_INT128 Real __floatti##letter##f(__int128 x) {                                                              \
        const Real value = heddle_int128::to_real<Real>(heddle_int128::magnitude(x));                                  \
        return x < 0 ? -value : value;                                                                                 \
    }                                                                                                                  \
    HEDDLE_INT128 unsigned __int128 __fixuns##letter##fti(Real x) {                                                    \
        return heddle_int128::from_real(x);                                                                            \
    }                                                                                                                  \
    HEDDLE_INT128 __int128 __fix##letter##fti(Real x) {                                                                \
        const auto value = heddle_int128::from_real(x < 0 ? -x : x);                                                   \
        return static_cast<__int128>(x < 0 ? -value : value);                                                          \
    }
HEDDLE_INT128_REAL(double, d)
HEDDLE_INT128_REAL(float, s)
#undef HEDDLE_INT128_REAL
#undef HEDDLE_INT128
