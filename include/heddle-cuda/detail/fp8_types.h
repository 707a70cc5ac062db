// The types of numbers of eight bits. Read by cuda_fp8.h.
#pragma once

#include "fp8_convert.h"

#define HEDDLE_FP8 HEDDLE_CUDA_BOTH __forceinline__

namespace heddle_fp8 {

template <__nv_fp8_interpretation_t kFormat>
struct One {
    __nv_fp8_storage_t __x;

    One() = default;
    explicit HEDDLE_FP8 One(__half value) : __x(__nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 One(__nv_bfloat16 value) : __x(__nv_cvt_bfloat16raw_to_fp8(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 One(float value) : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 One(double value) : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 One(short value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(unsigned short value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(int value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(unsigned value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(long value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(unsigned long value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(long long value) : One(static_cast<float>(value)) {}
    explicit HEDDLE_FP8 One(unsigned long long value) : One(static_cast<float>(value)) {}

    explicit HEDDLE_FP8 operator __half() const {
        return __half(__nv_cvt_fp8_to_halfraw(__x, kFormat));
    }
    explicit HEDDLE_FP8 operator __nv_bfloat16() const {
        return __float2bfloat16(static_cast<float>(*this));
    }
    explicit HEDDLE_FP8 operator float() const {
        return __half2float(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator double() const {
        return static_cast<float>(*this);
    }
    // Integers: towards zero, the nearest one of the type.
    explicit HEDDLE_FP8 operator char() const {
        return static_cast<char>(__half2char_rz(static_cast<__half>(*this)));
    }
    explicit HEDDLE_FP8 operator signed char() const {
        return __half2char_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator unsigned char() const {
        return __half2uchar_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator short() const {
        return __half2short_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator unsigned short() const {
        return __half2ushort_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator int() const {
        return __half2int_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator unsigned() const {
        return __half2uint_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator long() const {
        return static_cast<long>(__half2ll_rz(static_cast<__half>(*this)));
    }
    explicit HEDDLE_FP8 operator unsigned long() const {
        return static_cast<unsigned long>(__half2ull_rz(static_cast<__half>(*this)));
    }
    explicit HEDDLE_FP8 operator long long() const {
        return __half2ll_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator unsigned long long() const {
        return __half2ull_rz(static_cast<__half>(*this));
    }
    explicit HEDDLE_FP8 operator bool() const {
        return (__x & 0x7f) != 0;
    }
};

template <__nv_fp8_interpretation_t kFormat>
struct __attribute__((aligned(2))) Two {
    __nv_fp8x2_storage_t __x;

    Two() = default;
    explicit HEDDLE_FP8 Two(__half2 value) : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 Two(__nv_bfloat162 value)
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 Two(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, kFormat)) {}
    explicit HEDDLE_FP8 Two(double2 value) : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, kFormat)) {}

    explicit HEDDLE_FP8 operator __half2() const {
        return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kFormat));
    }
    explicit HEDDLE_FP8 operator float2() const {
        return __half22float2(static_cast<__half2>(*this));
    }
};

template <__nv_fp8_interpretation_t kFormat>
struct __attribute__((aligned(4))) Four {
    __nv_fp8x4_storage_t __x;

    Four() = default;
    explicit HEDDLE_FP8 Four(__half2 low, __half2 high) : Four(Two<kFormat>(low), Two<kFormat>(high)) {}
    explicit HEDDLE_FP8 Four(__nv_bfloat162 low, __nv_bfloat162 high) : Four(Two<kFormat>(low), Two<kFormat>(high)) {}
    explicit HEDDLE_FP8 Four(float4 v)
        : Four(Two<kFormat>(float2{v.x, v.y}), Two<kFormat>(float2{v.z, v.w})) {}
    explicit HEDDLE_FP8 Four(double4 v)
        : Four(Two<kFormat>(double2{v.x, v.y}), Two<kFormat>(double2{v.z, v.w})) {}

    explicit HEDDLE_FP8 operator float4() const {
        const float2 low = float2(part(__x)), high = float2(part(__x >> 16));
        return {low.x, low.y, high.x, high.y};
    }

private:
    HEDDLE_FP8 Four(Two<kFormat> low, Two<kFormat> high) : __x(low.__x | static_cast<unsigned>(high.__x) << 16) {}
    static HEDDLE_FP8 Two<kFormat> part(unsigned bits) {
        Two<kFormat> out;
        out.__x = static_cast<__nv_fp8x2_storage_t>(bits);
        return out;
    }
};

} // namespace heddle_fp8

// Types of their own, so that programs can declare them first and overload by them.
struct __nv_fp8_e4m3 : heddle_fp8::One<__NV_E4M3> {
    __nv_fp8_e4m3() = default;
    using heddle_fp8::One<__NV_E4M3>::One;
};
struct __nv_fp8_e5m2 : heddle_fp8::One<__NV_E5M2> {
    __nv_fp8_e5m2() = default;
    using heddle_fp8::One<__NV_E5M2>::One;
};
struct __nv_fp8x2_e4m3 : heddle_fp8::Two<__NV_E4M3> {
    __nv_fp8x2_e4m3() = default;
    using heddle_fp8::Two<__NV_E4M3>::Two;
};
struct __nv_fp8x2_e5m2 : heddle_fp8::Two<__NV_E5M2> {
    __nv_fp8x2_e5m2() = default;
    using heddle_fp8::Two<__NV_E5M2>::Two;
};
struct __nv_fp8x4_e4m3 : heddle_fp8::Four<__NV_E4M3> {
    __nv_fp8x4_e4m3() = default;
    using heddle_fp8::Four<__NV_E4M3>::Four;
};
struct __nv_fp8x4_e5m2 : heddle_fp8::Four<__NV_E5M2> {
    __nv_fp8x4_e5m2() = default;
    using heddle_fp8::Four<__NV_E5M2>::Four;
};

#undef HEDDLE_FP8
