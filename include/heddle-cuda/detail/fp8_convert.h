// Conversions between the formats of eight bits and others. Read by cuda_fp8.h.
#pragma once

#include "half_format.h"

namespace heddle_fp8 {

struct Layout {
    int digits;         // behind the point
    int least_exponent; // of the normal numbers
    unsigned largest;   // finite number
    unsigned beyond;    // what lies behind it: a NaN or infinity
    unsigned nan;       // of a double, without the bits that the double adds
};
HEDDLE_HALF Layout layout_of(__nv_fp8_interpretation_t format) {
    return format == __NV_E4M3 ? Layout{3, -6, 0x7e, 0x7f, 0x7f} : Layout{2, -14, 0x7b, 0x7c, 0x7e};
}

HEDDLE_HALF __nv_fp8_storage_t rounded(double value, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
    constexpr unsigned long long kInfinite = 0x7ff0000000000000;
    constexpr int kDigits = 52, kBias = 1023;
    const Layout to = layout_of(format);
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
    bits &= ~(1ULL << 63);
    if (bits > kInfinite) { // the first digits stay
        const unsigned digits = static_cast<unsigned>(bits >> (kDigits - to.digits)) & ((1u << to.digits) - 1);
        return static_cast<__nv_fp8_storage_t>(sign | to.nan | digits);
    }
    const int exponent = static_cast<int>(bits >> kDigits) - kBias;
    if (exponent < to.least_exponent - to.digits - 1) // less than half of the smallest number
        return static_cast<__nv_fp8_storage_t>(sign);
    const unsigned most = saturation == __NV_SATFINITE ? to.largest : to.beyond;
    if (exponent > 16)
        return static_cast<__nv_fp8_storage_t>(sign | most);
    const int above_least = exponent - to.least_exponent; // negative: a subnormal number
    const int dropped = kDigits - to.digits - (above_least < 0 ? above_least : 0);
    const unsigned long long significand = (bits & ((1ULL << kDigits) - 1)) | 1ULL << kDigits;
    const unsigned long long rest = significand & ((1ULL << dropped) - 1), half = 1ULL << (dropped - 1);
    unsigned fields = static_cast<unsigned>(significand >> dropped);
    fields += rest > half || (rest == half && fields % 2 != 0) ? 1 : 0;
    fields += above_least > 0 ? static_cast<unsigned>(above_least) << to.digits : 0; // a carry goes into the exponent
    return static_cast<__nv_fp8_storage_t>(sign | (fields > to.largest ? most : fields));
}

HEDDLE_HALF float to_float(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
    const Layout from = layout_of(format);
    const unsigned magnitude = bits & 0x7fu, sign = (bits & 0x80u) << 24;
    const unsigned exponent = magnitude >> from.digits, digits = magnitude & ((1u << from.digits) - 1);
    unsigned out =
        sign | (exponent + static_cast<unsigned>(126 + from.least_exponent)) << 23 | digits << (23 - from.digits);
    if (format == __NV_E5M2 && magnitude == from.beyond)
        out = sign | 0x7f800000u;
    else if (magnitude > from.largest)
        out = 0x7fffffffu;
    float value;
    memcpy(&value, &out, sizeof value);
    if (exponent != 0)
        return value;
    const unsigned unit = static_cast<unsigned>(127 + from.least_exponent - from.digits) << 23;
    memcpy(&value, &unit, sizeof value);
    value *= static_cast<float>(digits);
    return sign != 0 ? -value : value;
}

} // namespace heddle_fp8

HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t format) {
    return heddle_fp8::rounded(value, saturation, format);
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t format) {
#ifdef __CUDA_ARCH__
    if (saturation == __NV_SATFINITE) {
        unsigned short out;
        if (format == __NV_E4M3)
            asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
        else
            asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
        return out;
    }
#endif
    const auto one = [&](float x) {
        return __builtin_isnan(x) ? 0x7fu : unsigned{heddle_fp8::rounded(x, saturation, format)};
    };
    return static_cast<__nv_fp8x2_storage_t>(one(value.x) | one(value.y) << 8);
}
HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t format) {
    return static_cast<__nv_fp8_storage_t>(__nv_cvt_float2_to_fp8x2({value, 0.0f}, saturation, format));
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 value, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t format) {
    return static_cast<__nv_fp8x2_storage_t>(heddle_fp8::rounded(value.x, saturation, format) |
                                             heddle_fp8::rounded(value.y, saturation, format) << 8);
}
HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(__half2float(__half(value)), saturation, format);
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw value, __nv_saturation_t saturation,
                                                            __nv_fp8_interpretation_t format) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(value)), saturation, format);
}
HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(value)), saturation, format);
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t format) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(value)), saturation, format);
}

HEDDLE_HALF __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits, __nv_fp8_interpretation_t format) {
#ifdef __CUDA_ARCH__
    unsigned out;
    if (format == __NV_E4M3)
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(out) : "h"(bits));
    else
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(out) : "h"(bits));
    return heddle_half::pair_of<__half2_raw>(out);
#else
    const auto one = [&](unsigned byte) {
        const float value = heddle_fp8::to_float(static_cast<__nv_fp8_storage_t>(byte), format);
        return static_cast<__half_raw>(__float2half(value)).x;
    };
    return {one(bits & 0xffu), one(bits >> 8)};
#endif
}
HEDDLE_HALF __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
    return {__nv_cvt_fp8x2_to_halfraw2(bits, format).x};
}
