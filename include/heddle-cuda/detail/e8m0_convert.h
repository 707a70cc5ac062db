// Conversions between e8m0, the format of scale factors, and others. Read by cuda_fp8.h. Code c is 2 to the power of
// c - 127, and 0xff a NaN; there are no signs and no zero. The magnitude of a value is rounded toward zero or up.
#pragma once

#include "small_formats.h"

HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double value, __nv_saturation_t saturation,
                                                       cudaRoundMode rounding) {
    using namespace heddle_small;
    assert(rounding == cudaRoundZero || rounding == cudaRoundPosInf);
    constexpr int kLargest = 0xfe, kNan = 0xff;
    const unsigned long long magnitude = bits_of(value) & ~kSign;
    if (magnitude > kInfinite)
        return kNan;
    const bool between = (magnitude & ((1ULL << kDigits) - 1)) != 0;
    const int power = static_cast<int>(magnitude >> kDigits) - kBias + 127; // less than 0: below the least number
    int code = power < 0 ? 0 : power + (between && rounding == cudaRoundPosInf ? 1 : 0);
    // As in CUDA a double that no float is as large as becomes the largest float first.
    if (magnitude != kInfinite && rounding == cudaRoundZero && code > kLargest)
        code = kLargest;
    return static_cast<__nv_fp8_storage_t>(code <= kLargest ? code : saturation == __NV_SATFINITE ? kLargest : kNan);
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 value, __nv_saturation_t saturation,
                                                            cudaRoundMode rounding) {
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_e8m0(value.x, saturation, rounding) |
                                             __nv_cvt_double_to_e8m0(value.y, saturation, rounding) << 8);
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 value, __nv_saturation_t saturation,
                                                           cudaRoundMode rounding) {
#ifdef __CUDA_ARCH__
    assert(rounding == cudaRoundZero || rounding == cudaRoundPosInf);
    unsigned short out;
    if (saturation == __NV_SATFINITE && rounding == cudaRoundZero)
        asm("cvt.rz.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
    else if (saturation == __NV_SATFINITE)
        asm("cvt.rp.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
    else if (rounding == cudaRoundZero)
        asm("cvt.rz.ue8m0x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
    else
        asm("cvt.rp.ue8m0x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
    return out;
#else
    return __nv_cvt_double2_to_e8m0x2({value.x, value.y}, saturation, rounding);
#endif
}
HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float value, __nv_saturation_t saturation,
                                                      cudaRoundMode rounding) {
    return static_cast<__nv_fp8_storage_t>(__nv_cvt_float2_to_e8m0x2({value, 0.0f}, saturation, rounding));
}
HEDDLE_HALF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw value, __nv_saturation_t saturation,
                                                            cudaRoundMode rounding) {
    return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(value)), saturation, rounding);
}
HEDDLE_HALF __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw value, __nv_saturation_t saturation,
                                                                 cudaRoundMode rounding) {
    return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(__nv_bfloat162(value)), saturation, rounding);
}

HEDDLE_HALF __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t bits) {
#ifdef __CUDA_ARCH__
    unsigned out;
    asm("cvt.rn.bf16x2.ue8m0x2 %0, %1;" : "=r"(out) : "h"(bits));
    return heddle_half::pair_of<__nv_bfloat162_raw>(out);
#else
    const auto one = [](unsigned code) { // that of 0 is a subnormal number
        return static_cast<unsigned short>(code == 0xff ? 0x7fff : code == 0 ? 0x40 : code << 7);
    };
    return {one(bits & 0xffu), one(bits >> 8)};
#endif
}
HEDDLE_HALF __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t bits) {
    return {__nv_cvt_e8m0x2_to_bf162raw(bits).x};
}

namespace heddle_small {

// What the types of small_types.h want to know of the format. They round up.
struct Of_e8m0 {
    typedef __nv_fp8_storage_t One;
    typedef __nv_fp8x2_storage_t Two;
    typedef __nv_fp8x4_storage_t Four;

    HEDDLE_HALF One of(__half_raw value) {
        return of(__half2float(__half(value)));
    }
    HEDDLE_HALF One of(__nv_bfloat16_raw value) {
        return __nv_cvt_bfloat16raw_to_e8m0(value, __NV_SATFINITE, cudaRoundPosInf);
    }
    HEDDLE_HALF One of(float value) {
        return __nv_cvt_float_to_e8m0(value, __NV_SATFINITE, cudaRoundPosInf);
    }
    HEDDLE_HALF One of(double value) {
        return __nv_cvt_double_to_e8m0(value, __NV_SATFINITE, cudaRoundPosInf);
    }
    template <class Integer>
    HEDDLE_HALF One of_integer(Integer value) {
        const unsigned long long bits = static_cast<unsigned long long>(value), magnitude = value < 0 ? 0 - bits : bits;
        return static_cast<One>(magnitude == 0 ? 0 : magnitude == 1 ? 127 : 127 + 64 - __builtin_clzll(magnitude - 1));
    }
    HEDDLE_HALF Two of_two(__half2_raw value) {
        return of_two(__half22float2(__half2(value)));
    }
    HEDDLE_HALF Two of_two(__nv_bfloat162_raw value) {
        return __nv_cvt_bfloat162raw_to_e8m0x2(value, __NV_SATFINITE, cudaRoundPosInf);
    }
    HEDDLE_HALF Two of_two(float2 value) {
        return __nv_cvt_float2_to_e8m0x2(value, __NV_SATFINITE, cudaRoundPosInf);
    }
    HEDDLE_HALF Two of_two(double2 value) {
        return __nv_cvt_double2_to_e8m0x2(value, __NV_SATFINITE, cudaRoundPosInf);
    }

    HEDDLE_HALF __nv_bfloat16 wider(One bits) {
        return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(bits));
    }
    HEDDLE_HALF __nv_bfloat162 wider_two(Two bits) {
        return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(bits));
    }
    HEDDLE_HALF bool is_nonzero(One) {
        return true;
    }
};

} // namespace heddle_small
