// Conversions between the formats e4m3 and e5m2 and others. Read by cuda_fp8.h.
#pragma once

#include "small_formats.h"

namespace heddle_small {

HEDDLE_HALF Layout layout_of(__nv_fp8_interpretation_t format) {
    return format == __NV_E4M3 ? Layout{3, -6, 0x7e} : Layout{2, -14, 0x7b};
}

HEDDLE_HALF float to_float(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
    const Layout from = layout_of(format);
    const unsigned magnitude = bits & 0x7fu, sign = (bits & 0x80u) << 24;
    float value = number_of(magnitude, from);
    if (magnitude > from.largest) { // behind it E5M2 has an infinity, E4M3 a NaN
        const unsigned special =
            format == __NV_E5M2 && magnitude == from.largest + 1 ? sign | 0x7f800000u : 0x7fffffffu;
        memcpy(&value, &special, sizeof value);
        return value;
    }
    return sign != 0 ? -value : value;
}

} // namespace heddle_small

HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t format) {
    using namespace heddle_small;
    const Layout to = layout_of(format);
    const unsigned long long bits = bits_of(value), magnitude = bits & ~kSign;
    const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
    if (magnitude > kInfinite) { // becomes quiet, its first digits stay
        const unsigned digits = static_cast<unsigned>(bits >> (kDigits - to.digits)) & ((1u << to.digits) - 1);
        return static_cast<__nv_fp8_storage_t>(sign | (format == __NV_E4M3 ? 0x7f : 0x7e) | digits);
    }
    const unsigned code = rounded(magnitude, to, false);
    return static_cast<__nv_fp8_storage_t>(sign |
                                           (code > to.largest && saturation == __NV_SATFINITE ? to.largest : code));
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
        return __builtin_isnan(x) ? 0x7fu : unsigned{__nv_cvt_double_to_fp8(x, saturation, format)};
    };
    return static_cast<__nv_fp8x2_storage_t>(one(value.x) | one(value.y) << 8);
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
        const float value = heddle_small::to_float(static_cast<__nv_fp8_storage_t>(byte), format);
        return static_cast<__half_raw>(__float2half(value)).x;
    };
    return {one(bits & 0xffu), one(bits >> 8)};
#endif
}

#define HEDDLE_FP(before, after) before##fp8##after
#define HEDDLE_FP_BITS 8
#define HEDDLE_FP_PARAMETERS __nv_saturation_t saturation, __nv_fp8_interpretation_t format
#define HEDDLE_FP_ARGUMENTS saturation, format
#define HEDDLE_FP_BY_TYPE __NV_SATFINITE, kFormat
#define HEDDLE_FP_MAGNITUDE 0x7f
#include "small_functions.h"
