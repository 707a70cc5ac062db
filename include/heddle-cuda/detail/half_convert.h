// Conversions of the format's numbers from and to other types.

// --- from and to floating point ---
#define HEDDLE_HALF_FROM_FLOAT(suffix, modifiers, direction)                                                           \
    HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__float2, suffix)(float value) {                                                \
        unsigned short bits;                                                                                           \
        HEDDLE_HALF_CVT("h", HEDDLE_T_PTX, "f", "f32", modifiers, bits, value,                                         \
                        HEDDLE_FORMAT::from_double(value, heddle_half::direction));                                    \
        return HEDDLE_RAW{bits};                                                                                       \
    }
HEDDLE_HALF_FROM_FLOAT(_rn, ".rn", kNearest)
HEDDLE_HALF_FROM_FLOAT(_rz, ".rz", kToZero)
HEDDLE_HALF_FROM_FLOAT(_rd, ".rm", kDown)
HEDDLE_HALF_FROM_FLOAT(_ru, ".rp", kUp)
#undef HEDDLE_HALF_FROM_FLOAT

HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__float2, )(float value) {
    return HEDDLE_T_NAME(__float2, _rn)(value);
}
HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__double2, )(double value) {
    unsigned short bits;
    HEDDLE_HALF_CVT("h", HEDDLE_T_PTX, "d", "f64", ".rn", bits, value,
                    HEDDLE_FORMAT::from_double(value, heddle_half::kNearest));
    return HEDDLE_RAW{bits};
}
HEDDLE_HALF float HEDDLE_T_NAME(__, 2float)(HEDDLE_T a) {
    float value;
    HEDDLE_HALF_CVT("f", "f32", "h", HEDDLE_T_PTX, "", value, heddle_half::bits_of(a),
                    HEDDLE_FORMAT::to_float(heddle_half::bits_of(a)));
    return value;
}

// --- from and to integers ---
#define HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, suffix, to_half, to_integer_, direction)              \
    HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__##word##2, _##suffix)(Type value) {                                           \
        unsigned short bits;                                                                                           \
        HEDDLE_HALF_CVT("h", HEDDLE_T_PTX, constraint, ptx, to_half, bits, value,                                      \
                        HEDDLE_FORMAT::from_double(heddle_half::from_integer(value), heddle_half::direction));         \
        return HEDDLE_RAW{bits};                                                                                       \
    }                                                                                                                  \
    HEDDLE_HALF Type HEDDLE_T_NAME(__, 2##word##_##suffix)(HEDDLE_T a) {                                               \
        Type value;                                                                                                    \
        HEDDLE_HALF_CVT(constraint, ptx, "h", HEDDLE_T_PTX, to_integer_, value, heddle_half::bits_of(a),               \
                        heddle_half::to_integer<Type>(a, heddle_half::direction));                                     \
        return value;                                                                                                  \
    }
#define HEDDLE_HALF_INTEGER(Type, word, constraint, ptx)                                                               \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, rn, ".rn", ".rni", kNearest)                              \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, rz, ".rz", ".rzi", kToZero)                               \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, rd, ".rm", ".rmi", kDown)                                 \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, ru, ".rp", ".rpi", kUp)
HEDDLE_HALF_INTEGER(short, short, "h", "s16")
HEDDLE_HALF_INTEGER(unsigned short, ushort, "h", "u16")
HEDDLE_HALF_INTEGER(int, int, "r", "s32")
HEDDLE_HALF_INTEGER(unsigned, uint, "r", "u32")
HEDDLE_HALF_INTEGER(long long, ll, "l", "s64")
HEDDLE_HALF_INTEGER(unsigned long long, ull, "l", "u64")
#undef HEDDLE_HALF_INTEGER
#undef HEDDLE_HALF_INTEGER_ONE_WAY

HEDDLE_HALF signed char HEDDLE_T_NAME(__, 2char_rz)(HEDDLE_T a) {
    const int value = HEDDLE_T_NAME(__, 2int_rz)(a);
    return static_cast<signed char>(value < SCHAR_MIN ? SCHAR_MIN : value > SCHAR_MAX ? SCHAR_MAX : value);
}
HEDDLE_HALF unsigned char HEDDLE_T_NAME(__, 2uchar_rz)(HEDDLE_T a) {
    const unsigned value = HEDDLE_T_NAME(__, 2uint_rz)(a);
    return static_cast<unsigned char>(value > UCHAR_MAX ? UCHAR_MAX : value);
}

// --- the type's own ---
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(float value) : HEDDLE_T(HEDDLE_T_NAME(__float2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(double value) : HEDDLE_T(HEDDLE_T_NAME(__double2, )(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(short value) : HEDDLE_T(HEDDLE_T_NAME(__short2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(unsigned short value) : HEDDLE_T(HEDDLE_T_NAME(__ushort2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(int value) : HEDDLE_T(HEDDLE_T_NAME(__int2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(unsigned value) : HEDDLE_T(HEDDLE_T_NAME(__uint2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(long value) : HEDDLE_T(HEDDLE_T_NAME(__ll2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(unsigned long value) : HEDDLE_T(HEDDLE_T_NAME(__ull2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(long long value) : HEDDLE_T(HEDDLE_T_NAME(__ll2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::HEDDLE_T(unsigned long long value) : HEDDLE_T(HEDDLE_T_NAME(__ull2, _rn)(value)) {}
HEDDLE_CUDA_BOTH inline HEDDLE_T::operator float() const {
    return HEDDLE_T_NAME(__, 2float)(*this);
}
HEDDLE_CUDA_BOTH inline HEDDLE_T::operator signed char() const {
    return HEDDLE_T_NAME(__, 2char_rz)(*this);
}
HEDDLE_CUDA_BOTH inline HEDDLE_T::operator unsigned char() const {
    return HEDDLE_T_NAME(__, 2uchar_rz)(*this);
}
HEDDLE_CUDA_BOTH inline HEDDLE_T::operator char() const {
    return CHAR_MIN < 0 ? static_cast<char>(HEDDLE_T_NAME(__, 2char_rz)(*this))
                        : static_cast<char>(HEDDLE_T_NAME(__, 2uchar_rz)(*this));
}
HEDDLE_CUDA_BOTH inline HEDDLE_T::operator short() const {
    return HEDDLE_T_NAME(__, 2short_rz)(*this);
}
HEDDLE_CUDA_BOTH inline HEDDLE_T::operator unsigned short() const {
    return HEDDLE_T_NAME(__, 2ushort_rz)(*this);
}

// --- pairs ---
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__halves2, 2)(HEDDLE_T low, HEDDLE_T high) {
    return {low, high};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_TWICE(HEDDLE_T a) {
    return {a, a};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__float2, 2_rn)(float value) {
    return HEDDLE_T_TWICE(HEDDLE_T(value));
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__floats2, 2_rn)(float low, float high) {
    return {HEDDLE_T(low), HEDDLE_T(high)};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__float22, 2_rn)(float2 values) {
    return HEDDLE_T_NAME(__floats2, 2_rn)(values.x, values.y);
}
HEDDLE_HALF float2 HEDDLE_T_NAME(__, 22float2)(HEDDLE_T2 a) {
    return {HEDDLE_T_NAME(__, 2float)(a.x), HEDDLE_T_NAME(__, 2float)(a.y)};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(make_, 2)(HEDDLE_T low, HEDDLE_T high) {
    return {low, high};
}
HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__low2, )(HEDDLE_T2 a) {
    return a.x;
}
HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__high2, )(HEDDLE_T2 a) {
    return a.y;
}
HEDDLE_HALF float __low2float(HEDDLE_T2 a) {
    return HEDDLE_T_NAME(__, 2float)(a.x);
}
HEDDLE_HALF float __high2float(HEDDLE_T2 a) {
    return HEDDLE_T_NAME(__, 2float)(a.y);
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__low2, 2)(HEDDLE_T2 a) {
    return {a.x, a.x};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__high2, 2)(HEDDLE_T2 a) {
    return {a.y, a.y};
}
HEDDLE_HALF HEDDLE_T2 __lowhigh2highlow(HEDDLE_T2 a) {
    return {a.y, a.x};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__lows2, 2)(HEDDLE_T2 a, HEDDLE_T2 b) {
    return {a.x, b.x};
}
HEDDLE_HALF HEDDLE_T2 HEDDLE_T_NAME(__highs2, 2)(HEDDLE_T2 a, HEDDLE_T2 b) {
    return {a.y, b.y};
}
