// Arithmetic and comparisons of pairs, half by half.

#define HEDDLE_HALF_EACH_1(name, single)                                                                               \
    HEDDLE_HALF HEDDLE_T2 name(HEDDLE_T2 a) {                                                                          \
        return {single(a.x), single(a.y)};                                                                             \
    }
#define HEDDLE_HALF_EACH_2(name, single)                                                                               \
    HEDDLE_HALF HEDDLE_T2 name(HEDDLE_T2 a, HEDDLE_T2 b) {                                                             \
        return {single(a.x, b.x), single(a.y, b.y)};                                                                   \
    }
#define HEDDLE_HALF_EACH_3(name, single)                                                                               \
    HEDDLE_HALF HEDDLE_T2 name(HEDDLE_T2 a, HEDDLE_T2 b, HEDDLE_T2 c) {                                                \
        return {single(a.x, b.x, c.x), single(a.y, b.y, c.y)};                                                         \
    }
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_PAIR_2(name, single, instruction)                                                                  \
    HEDDLE_HALF HEDDLE_T2 name(HEDDLE_T2 a, HEDDLE_T2 b) {                                                             \
        unsigned bits;                                                                                                 \
        asm(instruction "." HEDDLE_T_PTX "x2 %0, %1, %2;"                                                              \
            : "=r"(bits)                                                                                               \
            : "r"(heddle_half::bits_of(a)), "r"(heddle_half::bits_of(b)));                                             \
        return heddle_half::pair_of<HEDDLE_RAW2>(bits);                                                                \
    }
#define HEDDLE_HALF_PAIR_3(name, single, instruction)                                                                  \
    HEDDLE_HALF HEDDLE_T2 name(HEDDLE_T2 a, HEDDLE_T2 b, HEDDLE_T2 c) {                                                \
        unsigned bits;                                                                                                 \
        asm(instruction "." HEDDLE_T_PTX "x2 %0, %1, %2, %3;"                                                          \
            : "=r"(bits)                                                                                               \
            : "r"(heddle_half::bits_of(a)), "r"(heddle_half::bits_of(b)), "r"(heddle_half::bits_of(c)));               \
        return heddle_half::pair_of<HEDDLE_RAW2>(bits);                                                                \
    }
#else
#define HEDDLE_HALF_PAIR_2(name, single, instruction) HEDDLE_HALF_EACH_2(name, single)
#define HEDDLE_HALF_PAIR_3(name, single, instruction) HEDDLE_HALF_EACH_3(name, single)
#endif
#if HEDDLE_T_HAS_SAT
#define HEDDLE_HALF_SATURATED(arity, name, single, instruction) HEDDLE_HALF_PAIR_##arity(name, single, instruction)
#else
#define HEDDLE_HALF_SATURATED(arity, name, single, instruction) HEDDLE_HALF_EACH_##arity(name, single)
#endif
HEDDLE_HALF_PAIR_2(__hadd2, __hadd, "add")
HEDDLE_HALF_PAIR_2(__hsub2, __hsub, "sub")
HEDDLE_HALF_PAIR_2(__hmul2, __hmul, "mul")
HEDDLE_HALF_PAIR_2(__hadd2_rn, __hadd, "add.rn")
HEDDLE_HALF_PAIR_2(__hsub2_rn, __hsub, "sub.rn")
HEDDLE_HALF_PAIR_2(__hmul2_rn, __hmul, "mul.rn")
HEDDLE_HALF_PAIR_3(__hfma2, __hfma, "fma.rn")
HEDDLE_HALF_SATURATED(2, __hadd2_sat, __hadd_sat, "add.sat")
HEDDLE_HALF_SATURATED(2, __hsub2_sat, __hsub_sat, "sub.sat")
HEDDLE_HALF_SATURATED(2, __hmul2_sat, __hmul_sat, "mul.sat")
HEDDLE_HALF_SATURATED(3, __hfma2_sat, __hfma_sat, "fma.rn.sat")
HEDDLE_HALF_EACH_3(__hfma2_relu, __hfma_relu)
HEDDLE_HALF_EACH_1(__hneg2, __hneg)
HEDDLE_HALF_EACH_1(__habs2, __habs)
HEDDLE_HALF_EACH_2(__h2div, __hdiv)
HEDDLE_HALF_EACH_2(__hmin2, __hmin)
HEDDLE_HALF_EACH_2(__hmax2, __hmax)
HEDDLE_HALF_EACH_2(__hmin2_nan, __hmin_nan)
HEDDLE_HALF_EACH_2(__hmax2_nan, __hmax_nan)
#undef HEDDLE_HALF_EACH_1
#undef HEDDLE_HALF_EACH_2
#undef HEDDLE_HALF_EACH_3
#undef HEDDLE_HALF_PAIR_2
#undef HEDDLE_HALF_PAIR_3
#undef HEDDLE_HALF_SATURATED

// __h..2 gives 1.0 or 0.0 for each half, __h..2_mask all ones or none, __hb..2 whether both hold.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_SET(name, type, relation, a, b, host)                                                              \
    asm("set." relation "." type "." HEDDLE_T_PTX "x2 %0, %1, %2;"                                                     \
        : "=r"(name)                                                                                                   \
        : "r"(heddle_half::bits_of(a)), "r"(heddle_half::bits_of(b)))
#else
#define HEDDLE_HALF_SET(name, type, relation, a, b, host) name = (host)
#endif
#define HEDDLE_HALF_COMPARE_2(relation)                                                                                \
    HEDDLE_HALF unsigned __h##relation##2_mask(HEDDLE_T2 a, HEDDLE_T2 b) {                                             \
        unsigned bits;                                                                                                 \
        HEDDLE_HALF_SET(bits, "u32", #relation, a, b,                                                                  \
                        (__h##relation(a.x, b.x) ? 0xffffu : 0u) | (__h##relation(a.y, b.y) ? 0xffff0000u : 0u));      \
        return bits;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_HALF HEDDLE_T2 __h##relation##2(HEDDLE_T2 a, HEDDLE_T2 b) {                                                 \
        unsigned bits;                                                                                                 \
        HEDDLE_HALF_SET(bits, HEDDLE_T_PTX "x2", #relation, a, b,                                                      \
                        __h##relation##2_mask(a, b) & HEDDLE_FORMAT::kOne * 0x10001u);                                 \
        return heddle_half::pair_of<HEDDLE_RAW2>(bits);                                                                \
    }                                                                                                                  \
    HEDDLE_HALF bool __hb##relation##2(HEDDLE_T2 a, HEDDLE_T2 b) {                                                     \
        return __h##relation##2_mask(a, b) == 0xffffffffu;                                                             \
    }
HEDDLE_HALF_COMPARE_2(eq)
HEDDLE_HALF_COMPARE_2(ne)
HEDDLE_HALF_COMPARE_2(lt)
HEDDLE_HALF_COMPARE_2(le)
HEDDLE_HALF_COMPARE_2(gt)
HEDDLE_HALF_COMPARE_2(ge)
HEDDLE_HALF_COMPARE_2(equ)
HEDDLE_HALF_COMPARE_2(neu)
HEDDLE_HALF_COMPARE_2(ltu)
HEDDLE_HALF_COMPARE_2(leu)
HEDDLE_HALF_COMPARE_2(gtu)
HEDDLE_HALF_COMPARE_2(geu)
#undef HEDDLE_HALF_COMPARE_2
#undef HEDDLE_HALF_SET

HEDDLE_HALF HEDDLE_T2 __hisnan2(HEDDLE_T2 a) {
    return __hneu2(a, a);
}

// a * b + c of complex numbers (real part, imaginary part), each part by two fma in the order of CUDA Math API.
HEDDLE_HALF HEDDLE_T2 __hcmadd(HEDDLE_T2 a, HEDDLE_T2 b, HEDDLE_T2 c) {
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// --- operators ---
HEDDLE_HALF HEDDLE_T2 operator+(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hadd2(a, b);
}
HEDDLE_HALF HEDDLE_T2 operator-(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hsub2(a, b);
}
HEDDLE_HALF HEDDLE_T2 operator*(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hmul2(a, b);
}
HEDDLE_HALF HEDDLE_T2 operator/(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __h2div(a, b);
}
HEDDLE_HALF HEDDLE_T2 operator+(const HEDDLE_T2& a) {
    return a;
}
HEDDLE_HALF HEDDLE_T2 operator-(const HEDDLE_T2& a) {
    return __hneg2(a);
}
HEDDLE_HALF HEDDLE_T2& operator+=(HEDDLE_T2& a, const HEDDLE_T2& b) {
    return a = a + b;
}
HEDDLE_HALF HEDDLE_T2& operator-=(HEDDLE_T2& a, const HEDDLE_T2& b) {
    return a = a - b;
}
HEDDLE_HALF HEDDLE_T2& operator*=(HEDDLE_T2& a, const HEDDLE_T2& b) {
    return a = a * b;
}
HEDDLE_HALF HEDDLE_T2& operator/=(HEDDLE_T2& a, const HEDDLE_T2& b) {
    return a = a / b;
}
HEDDLE_HALF HEDDLE_T2& operator++(HEDDLE_T2& a) {
    return a = a + HEDDLE_T2(heddle_half::pair_of<HEDDLE_RAW2>(HEDDLE_FORMAT::kOne * 0x10001u));
}
HEDDLE_HALF HEDDLE_T2& operator--(HEDDLE_T2& a) {
    return a = a - HEDDLE_T2(heddle_half::pair_of<HEDDLE_RAW2>(HEDDLE_FORMAT::kOne * 0x10001u));
}
HEDDLE_HALF HEDDLE_T2 operator++(HEDDLE_T2& a, int) {
    const HEDDLE_T2 before = a;
    ++a;
    return before;
}
HEDDLE_HALF HEDDLE_T2 operator--(HEDDLE_T2& a, int) {
    const HEDDLE_T2 before = a;
    --a;
    return before;
}
// Whether both halves compare so, also for !=.
HEDDLE_HALF bool operator==(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hbeq2(a, b);
}
HEDDLE_HALF bool operator!=(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hbneu2(a, b);
}
HEDDLE_HALF bool operator<(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hblt2(a, b);
}
HEDDLE_HALF bool operator<=(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hble2(a, b);
}
HEDDLE_HALF bool operator>(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hbgt2(a, b);
}
HEDDLE_HALF bool operator>=(const HEDDLE_T2& a, const HEDDLE_T2& b) {
    return __hbge2(a, b);
}
