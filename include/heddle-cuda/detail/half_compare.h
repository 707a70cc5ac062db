// Comparisons, minima and maxima of the format's numbers.

// `relation` is the instruction's; with the suffix u it holds for NaNs.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_COMPARE(name, relation, host)                                                                      \
    HEDDLE_HALF bool name(HEDDLE_T a, HEDDLE_T b) {                                                                    \
        unsigned holds;                                                                                                \
        asm("{ .reg .pred p; setp." relation "." HEDDLE_T_PTX " p, %1, %2; selp.u32 %0, 1, 0, p; }"                    \
            : "=r"(holds)                                                                                              \
            : "h"(heddle_half::bits_of(a)), "h"(heddle_half::bits_of(b)));                                             \
        return holds != 0;                                                                                             \
    }
#else
#define HEDDLE_HALF_COMPARE(name, relation, host)                                                                      \
    HEDDLE_HALF bool name(HEDDLE_T a, HEDDLE_T b) {                                                                    \
        const float x = a, y = b;                                                                                      \
        return host;                                                                                                   \
    }
#endif
HEDDLE_HALF_COMPARE(__heq, "eq", x == y)
HEDDLE_HALF_COMPARE(__hne, "ne", x<y || x> y)
HEDDLE_HALF_COMPARE(__hlt, "lt", x < y)
HEDDLE_HALF_COMPARE(__hle, "le", x <= y)
HEDDLE_HALF_COMPARE(__hgt, "gt", x > y)
HEDDLE_HALF_COMPARE(__hge, "ge", x >= y)
HEDDLE_HALF_COMPARE(__hequ, "equ", !(x < y || x > y))
HEDDLE_HALF_COMPARE(__hneu, "neu", x != y)
HEDDLE_HALF_COMPARE(__hltu, "ltu", !(x >= y))
HEDDLE_HALF_COMPARE(__hleu, "leu", !(x > y))
HEDDLE_HALF_COMPARE(__hgtu, "gtu", !(x <= y))
HEDDLE_HALF_COMPARE(__hgeu, "geu", !(x < y))
#undef HEDDLE_HALF_COMPARE

HEDDLE_HALF bool __hisnan(HEDDLE_T a) {
    return HEDDLE_FORMAT::is_nan(heddle_half::bits_of(a));
}
HEDDLE_HALF int __hisinf(HEDDLE_T a) { // -1, 0 or 1
    const int bits = heddle_half::bits_of(a);
    return bits == HEDDLE_FORMAT::kInfinite ? 1 : bits == (HEDDLE_FORMAT::kInfinite | 0x8000) ? -1 : 0;
}

// Operators as IEEE 754 has them: all but != are false with a NaN.
HEDDLE_HALF bool operator==(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __heq(a, b);
}
HEDDLE_HALF bool operator!=(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hneu(a, b);
}
HEDDLE_HALF bool operator<(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hlt(a, b);
}
HEDDLE_HALF bool operator<=(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hle(a, b);
}
HEDDLE_HALF bool operator>(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hgt(a, b);
}
HEDDLE_HALF bool operator>=(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hge(a, b);
}

// A NaN loses against a number, and -0 is below +0; in the forms _nan a NaN wins. In f32 on the device, since min.f16
// and min.bf16 are of newer ones.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_EXTREME(name, instruction, order)                                                                  \
    HEDDLE_HALF HEDDLE_T name(HEDDLE_T a, HEDDLE_T b) {                                                                \
        unsigned short bits;                                                                                           \
        asm("{ .reg .f32 x, y; cvt.f32." HEDDLE_T_PTX " x, %1; cvt.f32." HEDDLE_T_PTX " y, %2; " instruction           \
            " x, x, y; cvt.rn." HEDDLE_T_PTX ".f32 %0, x; }"                                                           \
            : "=h"(bits)                                                                                               \
            : "h"(heddle_half::bits_of(a)), "h"(heddle_half::bits_of(b)));                                             \
        return HEDDLE_RAW{bits};                                                                                       \
    }
#else
#define HEDDLE_HALF_EXTREME(name, instruction, order)                                                                  \
    HEDDLE_HALF HEDDLE_T name(HEDDLE_T a, HEDDLE_T b) {                                                                \
        if (__hisnan(a))                                                                                               \
            return __hisnan(b) ? HEDDLE_T(HEDDLE_RAW{HEDDLE_FORMAT::kNan}) : b;                                        \
        const bool first =                                                                                             \
            heddle_half::rank(heddle_half::bits_of(a)) order heddle_half::rank(heddle_half::bits_of(b));               \
        return __hisnan(b) || first ? a : b;                                                                           \
    }
#endif
HEDDLE_HALF_EXTREME(__hmin, "min.f32", <)
HEDDLE_HALF_EXTREME(__hmax, "max.f32", >)
#undef HEDDLE_HALF_EXTREME

HEDDLE_HALF HEDDLE_T __hmin_nan(HEDDLE_T a, HEDDLE_T b) {
    const bool nan = __hisnan(a) | __hisnan(b);
    return nan ? HEDDLE_T(HEDDLE_RAW{HEDDLE_FORMAT::kNan}) : __hmin(a, b);
}
HEDDLE_HALF HEDDLE_T __hmax_nan(HEDDLE_T a, HEDDLE_T b) {
    const bool nan = __hisnan(a) | __hisnan(b);
    return nan ? HEDDLE_T(HEDDLE_RAW{HEDDLE_FORMAT::kNan}) : __hmax(a, b);
}
