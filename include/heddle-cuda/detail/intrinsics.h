// Device functions that stand for one instruction (or a few): bit casts, conversions, bit operations, rounded and
// approximate arithmetic.
#pragma once

#include "../host_defines.h"

// Without lines of their own: their instructions belong to the line that calls them. (clang 14 to 19 do not write into
// PTX where a function was inlined.)
#define HEDDLE_CUDA_DEVICE static __device__ __forceinline__ __attribute__((nodebug))

// --- bit casts ---
HEDDLE_CUDA_DEVICE int __float_as_int(float x) {
    return __builtin_bit_cast(int, x);
}
HEDDLE_CUDA_DEVICE unsigned __float_as_uint(float x) {
    return __builtin_bit_cast(unsigned, x);
}
HEDDLE_CUDA_DEVICE float __int_as_float(int x) {
    return __builtin_bit_cast(float, x);
}
HEDDLE_CUDA_DEVICE float __uint_as_float(unsigned x) {
    return __builtin_bit_cast(float, x);
}
HEDDLE_CUDA_DEVICE long long __double_as_longlong(double x) {
    return __builtin_bit_cast(long long, x);
}
HEDDLE_CUDA_DEVICE double __longlong_as_double(long long x) {
    return __builtin_bit_cast(double, x);
}
HEDDLE_CUDA_DEVICE int __double2hiint(double x) {
    return static_cast<int>(__double_as_longlong(x) >> 32);
}
HEDDLE_CUDA_DEVICE int __double2loint(double x) {
    return static_cast<int>(__double_as_longlong(x));
}
HEDDLE_CUDA_DEVICE double __hiloint2double(int high, int low) {
    return __longlong_as_double((static_cast<long long>(high) << 32) | static_cast<unsigned>(low));
}

// --- integers ---
HEDDLE_CUDA_DEVICE int __popc(unsigned x) {
    return __builtin_popcount(x);
}
HEDDLE_CUDA_DEVICE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
HEDDLE_CUDA_DEVICE int __clz(int x) {
    int n;
    asm("clz.b32 %0, %1;" : "=r"(n) : "r"(x));
    return n;
}
HEDDLE_CUDA_DEVICE int __clzll(long long x) {
    int n;
    asm("clz.b64 %0, %1;" : "=r"(n) : "l"(x));
    return n;
}
// The place of a set bit, counted from `base` on: upward for offset > 0, downward for offset < 0 (PTX ISA, fns).
HEDDLE_CUDA_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
    unsigned n;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(n) : "r"(mask), "r"(base), "r"(offset));
    return n;
}
HEDDLE_CUDA_DEVICE unsigned __brev(unsigned x) {
    return __builtin_bitreverse32(x);
}
HEDDLE_CUDA_DEVICE unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}
#define HEDDLE_CUDA_BYTES(bits, type)                                                                                  \
    static __host__ __device__ __forceinline__ __attribute__((nodebug)) type __nv_bswap##bits(type x) {                \
        return __builtin_bswap##bits(x);                                                                               \
    }
HEDDLE_CUDA_BYTES(16, unsigned short)
HEDDLE_CUDA_BYTES(32, unsigned)
HEDDLE_CUDA_BYTES(64, unsigned long long)
#undef HEDDLE_CUDA_BYTES
HEDDLE_CUDA_DEVICE int __ffs(int x) {
    return 32 - __clz(x & -x);
}
HEDDLE_CUDA_DEVICE int __ffsll(long long x) {
    return 64 - __clzll(x & -x);
}
HEDDLE_CUDA_DEVICE int __mul24(int a, int b) {
    int r;
    asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
HEDDLE_CUDA_DEVICE unsigned __umul24(unsigned a, unsigned b) {
    unsigned r;
    asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
HEDDLE_CUDA_DEVICE int __mulhi(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
HEDDLE_CUDA_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
HEDDLE_CUDA_DEVICE long long __mul64hi(long long a, long long b) {
    long long r;
    asm("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    return r;
}
HEDDLE_CUDA_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    unsigned long long r;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    return r;
}
HEDDLE_CUDA_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned r; // the fourth bit of a selector, with which prmt copies a sign, has no effect in CUDA
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector & 0x7777));
    return r;
}
HEDDLE_CUDA_DEVICE unsigned __sad(int a, int b, unsigned c) {
    unsigned r;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
HEDDLE_CUDA_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
    unsigned r;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
// c and the products of bytes of a and b, or of halves of a with two bytes of b.
#define HEDDLE_CUDA_DOT(name, instruction, A, B, C)                                                                    \
    HEDDLE_CUDA_DEVICE C name(A a, B b, C c) {                                                                         \
        C r;                                                                                                           \
        asm(instruction " %0, %1, %2, %3;"                                                                             \
            : "=r"(r)                                                                                                  \
            : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)), "r"(c));                     \
        return r;                                                                                                      \
    }
HEDDLE_CUDA_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
HEDDLE_CUDA_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
HEDDLE_CUDA_DOT(__dp4a, "dp4a.s32.s32", char4, char4, int)
HEDDLE_CUDA_DOT(__dp4a, "dp4a.u32.u32", uchar4, uchar4, unsigned)
HEDDLE_CUDA_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
HEDDLE_CUDA_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
HEDDLE_CUDA_DOT(__dp2a_lo, "dp2a.lo.s32.s32", short2, char4, int)
HEDDLE_CUDA_DOT(__dp2a_lo, "dp2a.lo.u32.u32", ushort2, uchar4, unsigned)
HEDDLE_CUDA_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
HEDDLE_CUDA_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
HEDDLE_CUDA_DOT(__dp2a_hi, "dp2a.hi.s32.s32", short2, char4, int)
HEDDLE_CUDA_DOT(__dp2a_hi, "dp2a.hi.u32.u32", ushort2, uchar4, unsigned)
#undef HEDDLE_CUDA_DOT
#define HEDDLE_CUDA_FUNNEL(name, instruction)                                                                          \
    HEDDLE_CUDA_DEVICE unsigned name(unsigned low, unsigned high, unsigned shift) {                                    \
        unsigned r;                                                                                                    \
        asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));                               \
        return r;                                                                                                      \
    }
HEDDLE_CUDA_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
HEDDLE_CUDA_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
HEDDLE_CUDA_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
HEDDLE_CUDA_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef HEDDLE_CUDA_FUNNEL
HEDDLE_CUDA_DEVICE int __hadd(int a, int b) {
    return (a & b) + ((a ^ b) >> 1);
}
HEDDLE_CUDA_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
    return (a & b) + ((a ^ b) >> 1);
}
HEDDLE_CUDA_DEVICE int __rhadd(int a, int b) {
    return (a | b) - ((a ^ b) >> 1);
}
HEDDLE_CUDA_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
    return (a | b) - ((a ^ b) >> 1);
}

// --- arithmetic in a given rounding mode, by the names of CUDA and of PTX ---
#define HEDDLE_CUDA_ROUNDED(mode, ptx)                                                                                 \
    HEDDLE_CUDA_DEVICE float __fadd_##mode(float a, float b) {                                                         \
        return __nvvm_add_##ptx##_f(a, b);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __fsub_##mode(float a, float b) {                                                         \
        return __nvvm_add_##ptx##_f(a, -b);                                                                            \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __fmul_##mode(float a, float b) {                                                         \
        return __nvvm_mul_##ptx##_f(a, b);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __fdiv_##mode(float a, float b) {                                                         \
        return __nvvm_div_##ptx##_f(a, b);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __fmaf_##mode(float a, float b, float c) {                                                \
        return __nvvm_fma_##ptx##_f(a, b, c);                                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __fmaf_ieee_##mode(float a, float b, float c) {                                           \
        float r;                                                                                                       \
        asm("fma." #ptx ".f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));                                    \
        return r;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __fsqrt_##mode(float a) {                                                                 \
        return __nvvm_sqrt_##ptx##_f(a);                                                                               \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE float __frcp_##mode(float a) {                                                                  \
        return __nvvm_rcp_##ptx##_f(a);                                                                                \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __dadd_##mode(double a, double b) {                                                      \
        return __nvvm_add_##ptx##_d(a, b);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __dsub_##mode(double a, double b) {                                                      \
        return __nvvm_add_##ptx##_d(a, -b);                                                                            \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __dmul_##mode(double a, double b) {                                                      \
        return __nvvm_mul_##ptx##_d(a, b);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __ddiv_##mode(double a, double b) {                                                      \
        return __nvvm_div_##ptx##_d(a, b);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __fma_##mode(double a, double b, double c) {                                             \
        return __nvvm_fma_##ptx##_d(a, b, c);                                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __dsqrt_##mode(double a) {                                                               \
        return __nvvm_sqrt_##ptx##_d(a);                                                                               \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE double __drcp_##mode(double a) {                                                                \
        return __nvvm_rcp_##ptx##_d(a);                                                                                \
    }
HEDDLE_CUDA_ROUNDED(rn, rn)
HEDDLE_CUDA_ROUNDED(rz, rz)
HEDDLE_CUDA_ROUNDED(ru, rp)
HEDDLE_CUDA_ROUNDED(rd, rm)
#undef HEDDLE_CUDA_ROUNDED
// Two roundings to f64 and one to f32: that is the nearest number for every significand, at even and odd exponents
// (tests/shim/programs/reciprocal_root.cu).
HEDDLE_CUDA_DEVICE float __frsqrt_rn(float x) {
    return static_cast<float>(__drcp_rn(__dsqrt_rn(x)));
}

// --- conversions: mode as CUDA names it (rn, rz, ru, rd) and as PTX does for integers (rni, rzi, rpi, rmi) ---
#define HEDDLE_CUDA_TO_INTEGER(name, type, constraint, suffix, from, from_constraint, from_suffix, mode)               \
    HEDDLE_CUDA_DEVICE type name(from x) {                                                                             \
        type r;                                                                                                        \
        asm("cvt." mode "." suffix "." from_suffix " %0, %1;" : "=" constraint(r) : from_constraint(x));               \
        return r;                                                                                                      \
    }
#define HEDDLE_CUDA_TO_INTEGERS(cuda, ptx)                                                                             \
    HEDDLE_CUDA_TO_INTEGER(__float2int_##cuda, int, "r", "s32", float, "f", "f32", ptx)                                \
    HEDDLE_CUDA_TO_INTEGER(__float2uint_##cuda, unsigned, "r", "u32", float, "f", "f32", ptx)                          \
    HEDDLE_CUDA_TO_INTEGER(__float2ll_##cuda, long long, "l", "s64", float, "f", "f32", ptx)                           \
    HEDDLE_CUDA_TO_INTEGER(__float2ull_##cuda, unsigned long long, "l", "u64", float, "f", "f32", ptx)                 \
    HEDDLE_CUDA_TO_INTEGER(__double2int_##cuda, int, "r", "s32", double, "d", "f64", ptx)                              \
    HEDDLE_CUDA_TO_INTEGER(__double2uint_##cuda, unsigned, "r", "u32", double, "d", "f64", ptx)                        \
    HEDDLE_CUDA_TO_INTEGER(__double2ll_##cuda, long long, "l", "s64", double, "d", "f64", ptx)                         \
    HEDDLE_CUDA_TO_INTEGER(__double2ull_##cuda, unsigned long long, "l", "u64", double, "d", "f64", ptx)
HEDDLE_CUDA_TO_INTEGERS(rn, "rni")
HEDDLE_CUDA_TO_INTEGERS(rz, "rzi")
HEDDLE_CUDA_TO_INTEGERS(ru, "rpi")
HEDDLE_CUDA_TO_INTEGERS(rd, "rmi")
#undef HEDDLE_CUDA_TO_INTEGERS
#undef HEDDLE_CUDA_TO_INTEGER

#define HEDDLE_CUDA_TO_REAL(name, type, constraint, suffix, from, from_constraint, from_suffix, mode)                  \
    HEDDLE_CUDA_DEVICE type name(from x) {                                                                             \
        type r;                                                                                                        \
        asm("cvt." mode "." suffix "." from_suffix " %0, %1;" : "=" constraint(r) : from_constraint(x));               \
        return r;                                                                                                      \
    }
#define HEDDLE_CUDA_TO_REALS(cuda, ptx)                                                                                \
    HEDDLE_CUDA_TO_REAL(__int2float_##cuda, float, "f", "f32", int, "r", "s32", ptx)                                   \
    HEDDLE_CUDA_TO_REAL(__uint2float_##cuda, float, "f", "f32", unsigned, "r", "u32", ptx)                             \
    HEDDLE_CUDA_TO_REAL(__ll2float_##cuda, float, "f", "f32", long long, "l", "s64", ptx)                              \
    HEDDLE_CUDA_TO_REAL(__ull2float_##cuda, float, "f", "f32", unsigned long long, "l", "u64", ptx)                    \
    HEDDLE_CUDA_TO_REAL(__ll2double_##cuda, double, "d", "f64", long long, "l", "s64", ptx)                            \
    HEDDLE_CUDA_TO_REAL(__ull2double_##cuda, double, "d", "f64", unsigned long long, "l", "u64", ptx)                  \
    HEDDLE_CUDA_TO_REAL(__double2float_##cuda, float, "f", "f32", double, "d", "f64", ptx)
HEDDLE_CUDA_TO_REALS(rn, "rn")
HEDDLE_CUDA_TO_REALS(rz, "rz")
HEDDLE_CUDA_TO_REALS(ru, "rp")
HEDDLE_CUDA_TO_REALS(rd, "rm")
#undef HEDDLE_CUDA_TO_REALS
#undef HEDDLE_CUDA_TO_REAL
HEDDLE_CUDA_DEVICE double __int2double_rn(int x) {
    return x;
}
HEDDLE_CUDA_DEVICE double __uint2double_rn(unsigned x) {
    return x;
}

// --- approximate arithmetic: the special function instructions, less exact than the functions without underscores ---
HEDDLE_CUDA_DEVICE float heddle_ex2(float x) {
    float r;
    asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
HEDDLE_CUDA_DEVICE float heddle_lg2(float x) {
    float r;
    asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
HEDDLE_CUDA_DEVICE float __sinf(float x) {
    float r;
    asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
HEDDLE_CUDA_DEVICE float __cosf(float x) {
    float r;
    asm("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
HEDDLE_CUDA_DEVICE void __sincosf(float x, float* sine, float* cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
HEDDLE_CUDA_DEVICE float __fdividef(float a, float b) {
    float r;
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
// Less exact than a division only where the program is compiled for that.
HEDDLE_CUDA_DEVICE float fdividef(float a, float b) {
#ifdef __USE_FAST_MATH__
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
HEDDLE_CUDA_DEVICE double fdivide(double a, double b) {
    return a / b;
}
HEDDLE_CUDA_DEVICE float __tanf(float x) {
    return __fdividef(__sinf(x), __cosf(x));
}
HEDDLE_CUDA_DEVICE float __tanhf(float x) {
    float r;
    asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
HEDDLE_CUDA_DEVICE float __expf(float x) {
    return heddle_ex2(x * 1.4426950408889634f);
}
HEDDLE_CUDA_DEVICE float __exp10f(float x) {
    return heddle_ex2(x * 3.3219280948873623f);
}
HEDDLE_CUDA_DEVICE float __log2f(float x) {
    return heddle_lg2(x);
}
HEDDLE_CUDA_DEVICE float __logf(float x) {
    return heddle_lg2(x) * 0.69314718055994531f;
}
HEDDLE_CUDA_DEVICE float __log10f(float x) {
    return heddle_lg2(x) * 0.30102999566398120f;
}
HEDDLE_CUDA_DEVICE float __powf(float x, float y) {
    return heddle_ex2(y * heddle_lg2(x));
}
HEDDLE_CUDA_DEVICE float heddle_rsqrt(float x) {
    float r;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
HEDDLE_CUDA_DEVICE float __saturatef(float x) {
    float r;
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

// --- loads through the read-only path, and with cache hints (which the simulated machines do not distinguish) ---
#define HEDDLE_CUDA_LDG(type, ptx, constraint)                                                                         \
    HEDDLE_CUDA_DEVICE type __ldg(const type* p) {                                                                     \
        type r;                                                                                                        \
        asm("ld.global.nc." ptx " %0, [%1];" : "=" constraint(r) : "l"(p));                                            \
        return r;                                                                                                      \
    }
HEDDLE_CUDA_LDG(int, "s32", "r")
HEDDLE_CUDA_LDG(unsigned, "u32", "r")
HEDDLE_CUDA_LDG(long, "s64", "l")
HEDDLE_CUDA_LDG(unsigned long, "u64", "l")
HEDDLE_CUDA_LDG(long long, "s64", "l")
HEDDLE_CUDA_LDG(unsigned long long, "u64", "l")
HEDDLE_CUDA_LDG(short, "s16", "h")
HEDDLE_CUDA_LDG(unsigned short, "u16", "h")
HEDDLE_CUDA_LDG(float, "f32", "f")
HEDDLE_CUDA_LDG(double, "f64", "d")
#undef HEDDLE_CUDA_LDG
template <class T>
HEDDLE_CUDA_DEVICE T __ldg(const T* p) {
    return *p;
}
#define HEDDLE_CUDA_HINTED_LOAD(name)                                                                                  \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_DEVICE T name(const T* p) {                                                                            \
        return *p;                                                                                                     \
    }
HEDDLE_CUDA_HINTED_LOAD(__ldca)
HEDDLE_CUDA_HINTED_LOAD(__ldcg)
HEDDLE_CUDA_HINTED_LOAD(__ldcs)
HEDDLE_CUDA_HINTED_LOAD(__ldlu)
HEDDLE_CUDA_HINTED_LOAD(__ldcv)
#undef HEDDLE_CUDA_HINTED_LOAD
#define HEDDLE_CUDA_HINTED_STORE(name)                                                                                 \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_DEVICE void name(T* p, T value) {                                                                      \
        *p = value;                                                                                                    \
    }
HEDDLE_CUDA_HINTED_STORE(__stwb)
HEDDLE_CUDA_HINTED_STORE(__stcg)
HEDDLE_CUDA_HINTED_STORE(__stcs)
HEDDLE_CUDA_HINTED_STORE(__stwt)
#undef HEDDLE_CUDA_HINTED_STORE
