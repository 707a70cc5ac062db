// Arithmetic of the format's numbers: functions and operators.

// The device's instruction on bits, or the host's value, a double that is exact or rounds as the exact one does.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_RESULT_2(instruction, host)                                                                        \
    unsigned short bits;                                                                                               \
    asm(instruction "." HEDDLE_T_PTX " %0, %1, %2;"                                                                    \
        : "=h"(bits)                                                                                                   \
        : "h"(heddle_half::bits_of(a)), "h"(heddle_half::bits_of(b)));                                                 \
    return static_cast<HEDDLE_T>(HEDDLE_RAW{bits})
#define HEDDLE_HALF_RESULT_3(instruction, host)                                                                        \
    unsigned short bits;                                                                                               \
    asm(instruction "." HEDDLE_T_PTX " %0, %1, %2, %3;"                                                                \
        : "=h"(bits)                                                                                                   \
        : "h"(heddle_half::bits_of(a)), "h"(heddle_half::bits_of(b)), "h"(heddle_half::bits_of(c)));                   \
    return static_cast<HEDDLE_T>(HEDDLE_RAW{bits})
#else
#define HEDDLE_HALF_RESULT_2(instruction, host)                                                                        \
    const double x = static_cast<float>(a), y = static_cast<float>(b);                                                 \
    return HEDDLE_T(host)
#define HEDDLE_HALF_RESULT_3(instruction, host)                                                                        \
    const double x = static_cast<float>(a), y = static_cast<float>(b), z = static_cast<float>(c);                      \
    return HEDDLE_T(host)
#endif

HEDDLE_HALF HEDDLE_T __hadd(HEDDLE_T a, HEDDLE_T b) {
    HEDDLE_HALF_RESULT_2("add", x + y);
}
HEDDLE_HALF HEDDLE_T __hsub(HEDDLE_T a, HEDDLE_T b) {
    HEDDLE_HALF_RESULT_2("sub", x - y);
}
HEDDLE_HALF HEDDLE_T __hmul(HEDDLE_T a, HEDDLE_T b) {
    HEDDLE_HALF_RESULT_2("mul", x * y);
}
HEDDLE_HALF HEDDLE_T __hfma(HEDDLE_T a, HEDDLE_T b, HEDDLE_T c) {
    HEDDLE_HALF_RESULT_3("fma.rn", heddle_half::fused(x, y, z));
}

// In [0, 1], NaNs as 0. Where there is an instruction the device uses it.
#if defined(__CUDA_ARCH__) && HEDDLE_T_HAS_SAT
#define HEDDLE_HALF_SATURATED(arity, instruction, unbounded) HEDDLE_HALF_RESULT_##arity(instruction, )
#else
#define HEDDLE_HALF_SATURATED(arity, instruction, unbounded)                                                           \
    return static_cast<HEDDLE_T>(HEDDLE_RAW{HEDDLE_FORMAT::saturated(heddle_half::bits_of(unbounded))})
#endif
HEDDLE_HALF HEDDLE_T __hadd_sat(HEDDLE_T a, HEDDLE_T b) {
    HEDDLE_HALF_SATURATED(2, "add.sat", __hadd(a, b));
}
HEDDLE_HALF HEDDLE_T __hsub_sat(HEDDLE_T a, HEDDLE_T b) {
    HEDDLE_HALF_SATURATED(2, "sub.sat", __hsub(a, b));
}
HEDDLE_HALF HEDDLE_T __hmul_sat(HEDDLE_T a, HEDDLE_T b) {
    HEDDLE_HALF_SATURATED(2, "mul.sat", __hmul(a, b));
}
HEDDLE_HALF HEDDLE_T __hfma_sat(HEDDLE_T a, HEDDLE_T b, HEDDLE_T c) {
    HEDDLE_HALF_SATURATED(3, "fma.rn.sat", __hfma(a, b, c));
}
#undef HEDDLE_HALF_SATURATED

HEDDLE_HALF HEDDLE_T __hfma_relu(HEDDLE_T a, HEDDLE_T b, HEDDLE_T c) { // 0 where it is negative
    return HEDDLE_RAW{HEDDLE_FORMAT::without_negative(heddle_half::bits_of(__hfma(a, b, c)))};
}
HEDDLE_HALF HEDDLE_T __hneg(HEDDLE_T a) {
    return HEDDLE_RAW{static_cast<unsigned short>(heddle_half::bits_of(a) ^ 0x8000)};
}
HEDDLE_HALF HEDDLE_T __habs(HEDDLE_T a) {
    return HEDDLE_RAW{static_cast<unsigned short>(heddle_half::bits_of(a) & 0x7fff)};
}
// f32 has enough digits for the quotient to be rounded twice; of bf16 also where it is subnormal in f32.
HEDDLE_HALF HEDDLE_T __hdiv(HEDDLE_T a, HEDDLE_T b) {
    return HEDDLE_T(static_cast<float>(a) / static_cast<float>(b));
}

// Sums and products that stay apart: the device's compiler makes no fma of an instruction of its own.
HEDDLE_HALF HEDDLE_T __hadd_rn(HEDDLE_T a, HEDDLE_T b) {
    return __hadd(a, b);
}
HEDDLE_HALF HEDDLE_T __hsub_rn(HEDDLE_T a, HEDDLE_T b) {
    return __hsub(a, b);
}
HEDDLE_HALF HEDDLE_T __hmul_rn(HEDDLE_T a, HEDDLE_T b) {
    return __hmul(a, b);
}

#undef HEDDLE_HALF_RESULT_2
#undef HEDDLE_HALF_RESULT_3

// --- operators ---
HEDDLE_HALF HEDDLE_T operator+(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hadd(a, b);
}
HEDDLE_HALF HEDDLE_T operator-(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hsub(a, b);
}
HEDDLE_HALF HEDDLE_T operator*(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hmul(a, b);
}
HEDDLE_HALF HEDDLE_T operator/(const HEDDLE_T& a, const HEDDLE_T& b) {
    return __hdiv(a, b);
}
HEDDLE_HALF HEDDLE_T operator+(const HEDDLE_T& a) {
    return a;
}
HEDDLE_HALF HEDDLE_T operator-(const HEDDLE_T& a) {
    return __hneg(a);
}
HEDDLE_HALF HEDDLE_T& operator+=(HEDDLE_T& a, const HEDDLE_T& b) {
    return a = a + b;
}
HEDDLE_HALF HEDDLE_T& operator-=(HEDDLE_T& a, const HEDDLE_T& b) {
    return a = a - b;
}
HEDDLE_HALF HEDDLE_T& operator*=(HEDDLE_T& a, const HEDDLE_T& b) {
    return a = a * b;
}
HEDDLE_HALF HEDDLE_T& operator/=(HEDDLE_T& a, const HEDDLE_T& b) {
    return a = a / b;
}
HEDDLE_HALF HEDDLE_T& operator++(HEDDLE_T& a) {
    return a = a + HEDDLE_T(HEDDLE_RAW{HEDDLE_FORMAT::kOne});
}
HEDDLE_HALF HEDDLE_T& operator--(HEDDLE_T& a) {
    return a = a - HEDDLE_T(HEDDLE_RAW{HEDDLE_FORMAT::kOne});
}
HEDDLE_HALF HEDDLE_T operator++(HEDDLE_T& a, int) {
    const HEDDLE_T before = a;
    ++a;
    return before;
}
HEDDLE_HALF HEDDLE_T operator--(HEDDLE_T& a, int) {
    const HEDDLE_T before = a;
    --a;
    return before;
}
