// What the types of numbers of eight bits and less have in common. Format says how to convert (small_functions.h,
// e8m0_convert.h): `of` and `of_two` from wider types, `wider` and `wider_two` to those of 16 bits that have all of its
// numbers.
#pragma once

#include "half_format.h"

namespace heddle_small {

HEDDLE_HALF __half as_half(__half value) {
    return value;
}
HEDDLE_HALF __half as_half(__nv_bfloat16 value) {
    return __float2half(value);
}
HEDDLE_HALF __half2 as_halves(__half2 values) {
    return values;
}
HEDDLE_HALF __half2 as_halves(__nv_bfloat162 values) {
    return __float22half2_rn(__bfloat1622float2(values));
}
HEDDLE_HALF __nv_bfloat16 as_bfloat(__half value) {
    return __float2bfloat16(value);
}
HEDDLE_HALF __nv_bfloat16 as_bfloat(__nv_bfloat16 value) {
    return value;
}
HEDDLE_HALF float2 as_floats(__half2 values) {
    return __half22float2(values);
}
HEDDLE_HALF float2 as_floats(__nv_bfloat162 values) {
    return __bfloat1622float2(values);
}

// Integers: towards zero, the nearest one of the type.
#define HEDDLE_SMALL_TO_INTEGER(Type, word)                                                                            \
    HEDDLE_HALF void to_integer(__half value, Type& out) {                                                             \
        out = __half2##word##_rz(value);                                                                               \
    }                                                                                                                  \
    HEDDLE_HALF void to_integer(__nv_bfloat16 value, Type& out) {                                                      \
        out = __bfloat162##word##_rz(value);                                                                           \
    }
HEDDLE_SMALL_TO_INTEGER(signed char, char)
HEDDLE_SMALL_TO_INTEGER(unsigned char, uchar)
HEDDLE_SMALL_TO_INTEGER(short, short)
HEDDLE_SMALL_TO_INTEGER(unsigned short, ushort)
HEDDLE_SMALL_TO_INTEGER(int, int)
HEDDLE_SMALL_TO_INTEGER(unsigned, uint)
HEDDLE_SMALL_TO_INTEGER(long long, ll)
HEDDLE_SMALL_TO_INTEGER(unsigned long long, ull)
#undef HEDDLE_SMALL_TO_INTEGER

#define HEDDLE_SMALL HEDDLE_CUDA_BOTH __forceinline__

template <class Format>
struct One {
    typename Format::One __x;

    One() = default;
    explicit HEDDLE_SMALL One(__half value) : __x(Format::of(static_cast<__half_raw>(value))) {}
    explicit HEDDLE_SMALL One(__nv_bfloat16 value) : __x(Format::of(static_cast<__nv_bfloat16_raw>(value))) {}
    explicit HEDDLE_SMALL One(float value) : __x(Format::of(value)) {}
    explicit HEDDLE_SMALL One(double value) : __x(Format::of(value)) {}
    explicit HEDDLE_SMALL One(short value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(unsigned short value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(int value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(unsigned value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(long value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(unsigned long value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(long long value) : __x(Format::of_integer(value)) {}
    explicit HEDDLE_SMALL One(unsigned long long value) : __x(Format::of_integer(value)) {}

    explicit HEDDLE_SMALL operator __half() const {
        return as_half(Format::wider(__x));
    }
    explicit HEDDLE_SMALL operator __nv_bfloat16() const {
        return as_bfloat(Format::wider(__x));
    }
    explicit HEDDLE_SMALL operator float() const {
        return Format::wider(__x);
    }
    explicit HEDDLE_SMALL operator double() const {
        return static_cast<float>(*this);
    }
    explicit HEDDLE_SMALL operator char() const {
        return CHAR_MIN < 0 ? static_cast<char>(integer<signed char>()) : static_cast<char>(integer<unsigned char>());
    }
    explicit HEDDLE_SMALL operator signed char() const {
        return integer<signed char>();
    }
    explicit HEDDLE_SMALL operator unsigned char() const {
        return integer<unsigned char>();
    }
    explicit HEDDLE_SMALL operator short() const {
        return integer<short>();
    }
    explicit HEDDLE_SMALL operator unsigned short() const {
        return integer<unsigned short>();
    }
    explicit HEDDLE_SMALL operator int() const {
        return integer<int>();
    }
    explicit HEDDLE_SMALL operator unsigned() const {
        return integer<unsigned>();
    }
    explicit HEDDLE_SMALL operator long() const {
        return static_cast<long>(integer<long long>());
    }
    explicit HEDDLE_SMALL operator unsigned long() const {
        return static_cast<unsigned long>(integer<unsigned long long>());
    }
    explicit HEDDLE_SMALL operator long long() const {
        return integer<long long>();
    }
    explicit HEDDLE_SMALL operator unsigned long long() const {
        return integer<unsigned long long>();
    }
    explicit HEDDLE_SMALL operator bool() const {
        return Format::is_nonzero(__x);
    }

private:
    template <class Integer>
    HEDDLE_SMALL Integer integer() const {
        Integer out;
        to_integer(Format::wider(__x), out);
        return out;
    }
};

template <class Format>
struct Two {
    typename Format::Two __x;

    Two() = default;
    explicit HEDDLE_SMALL Two(__half2 value) : __x(Format::of_two(static_cast<__half2_raw>(value))) {}
    explicit HEDDLE_SMALL Two(__nv_bfloat162 value) : __x(Format::of_two(static_cast<__nv_bfloat162_raw>(value))) {}
    explicit HEDDLE_SMALL Two(float2 value) : __x(Format::of_two(value)) {}
    explicit HEDDLE_SMALL Two(double2 value) : __x(Format::of_two(value)) {}

    explicit HEDDLE_SMALL operator __half2() const {
        return as_halves(Format::wider_two(__x));
    }
    explicit HEDDLE_SMALL operator float2() const {
        return as_floats(Format::wider_two(__x));
    }
};

template <class Format>
struct Four {
    typename Format::Four __x;

    Four() = default;
    explicit HEDDLE_SMALL Four(__half2 low, __half2 high) : Four(Pair(low), Pair(high)) {}
    explicit HEDDLE_SMALL Four(__nv_bfloat162 low, __nv_bfloat162 high) : Four(Pair(low), Pair(high)) {}
    explicit HEDDLE_SMALL Four(float4 v) : Four(Pair(float2{v.x, v.y}), Pair(float2{v.z, v.w})) {}
    explicit HEDDLE_SMALL Four(double4 v) : Four(Pair(double2{v.x, v.y}), Pair(double2{v.z, v.w})) {}
    explicit HEDDLE_SMALL Four(double4_16a v) : Four(Pair(double2{v.x, v.y}), Pair(double2{v.z, v.w})) {}
    explicit HEDDLE_SMALL Four(double4_32a v) : Four(Pair(double2{v.x, v.y}), Pair(double2{v.z, v.w})) {}

    explicit HEDDLE_SMALL operator float4() const {
        Pair low, high;
        low.__x = static_cast<typename Format::Two>(__x);
        high.__x = static_cast<typename Format::Two>(__x >> kHalf);
        const float2 first = float2(low), second = float2(high);
        return {first.x, first.y, second.x, second.y};
    }

private:
    typedef Two<Format> Pair;
    static constexpr int kHalf = 8 * sizeof(typename Format::Two);

    HEDDLE_SMALL Four(Pair low, Pair high)
        : __x(static_cast<typename Format::Four>(low.__x | static_cast<unsigned>(high.__x) << kHalf)) {}
};

} // namespace heddle_small

#undef HEDDLE_SMALL

// A type of its own, so that programs can declare it first and overload by it.
#define HEDDLE_SMALL_TYPE(name, Count, ...)                                                                            \
    struct name : heddle_small::Count<__VA_ARGS__> {                                                                   \
        name() = default;                                                                                              \
        using heddle_small::Count<__VA_ARGS__>::Count;                                                                 \
    }
