// The type of a number and that of a pair, of the format that the including header names.
struct HEDDLE_RAW {
    unsigned short x;
};
struct __attribute__((aligned(4))) HEDDLE_RAW2 {
    unsigned short x, y;
};

struct HEDDLE_T {
    HEDDLE_T() = default;
    HEDDLE_CUDA_BOTH constexpr HEDDLE_T(const HEDDLE_RAW& raw) : __x(raw.x) {}
    HEDDLE_CUDA_BOTH HEDDLE_T(float value);
    HEDDLE_CUDA_BOTH HEDDLE_T(double value);
    HEDDLE_CUDA_BOTH HEDDLE_T(short value);
    HEDDLE_CUDA_BOTH HEDDLE_T(unsigned short value);
    HEDDLE_CUDA_BOTH HEDDLE_T(int value);
    HEDDLE_CUDA_BOTH HEDDLE_T(unsigned value);
    HEDDLE_CUDA_BOTH HEDDLE_T(long value);
    HEDDLE_CUDA_BOTH HEDDLE_T(unsigned long value);
    HEDDLE_CUDA_BOTH HEDDLE_T(long long value);
    HEDDLE_CUDA_BOTH HEDDLE_T(unsigned long long value);
    HEDDLE_CUDA_BOTH operator float() const;
    // Numbers that these types do not have become the nearest that they have; NaN is 0.
    HEDDLE_CUDA_BOTH explicit operator char() const;
    HEDDLE_CUDA_BOTH explicit operator signed char() const;
    HEDDLE_CUDA_BOTH explicit operator unsigned char() const;
    HEDDLE_CUDA_BOTH explicit operator short() const;
    HEDDLE_CUDA_BOTH explicit operator unsigned short() const;
    HEDDLE_CUDA_BOTH operator HEDDLE_RAW() const {
        return {__x};
    }

protected:
    unsigned short __x; // libcu++ derives types that use it by CUDA's name
};

struct __attribute__((aligned(4))) HEDDLE_T2 {
    HEDDLE_T x, y; // the lower half and the upper one

    HEDDLE_T2() = default;
    HEDDLE_CUDA_BOTH constexpr HEDDLE_T2(const HEDDLE_T& low, const HEDDLE_T& high) : x(low), y(high) {}
    HEDDLE_CUDA_BOTH constexpr HEDDLE_T2(const HEDDLE_RAW2& raw) : x(HEDDLE_RAW{raw.x}), y(HEDDLE_RAW{raw.y}) {}
    HEDDLE_CUDA_BOTH operator HEDDLE_RAW2() const {
        return {static_cast<HEDDLE_RAW>(x).x, static_cast<HEDDLE_RAW>(y).x};
    }
};

// --- bits ---
namespace heddle_half {

HEDDLE_HALF unsigned short bits_of(HEDDLE_T a) {
    return static_cast<HEDDLE_RAW>(a).x;
}
HEDDLE_HALF unsigned bits_of(HEDDLE_T2 a) {
    return bits_of(a.x) | static_cast<unsigned>(bits_of(a.y)) << 16;
}

} // namespace heddle_half

HEDDLE_HALF unsigned short HEDDLE_T_NAME(__, _as_ushort)(HEDDLE_T a) {
    return heddle_half::bits_of(a);
}
HEDDLE_HALF short HEDDLE_T_NAME(__, _as_short)(HEDDLE_T a) {
    return static_cast<short>(heddle_half::bits_of(a));
}
HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__ushort_as_, )(unsigned short bits) {
    return HEDDLE_RAW{bits};
}
HEDDLE_HALF HEDDLE_T HEDDLE_T_NAME(__short_as_, )(short bits) {
    return HEDDLE_RAW{static_cast<unsigned short>(bits)};
}
