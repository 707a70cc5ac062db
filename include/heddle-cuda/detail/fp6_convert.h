// Conversions between the formats e2m3 and e3m2 and others. Read by cuda_fp6.h.
#pragma once

#include "small_formats.h"

namespace heddle_small {

HEDDLE_HALF Layout layout_of(__nv_fp6_interpretation_t format) {
    return format == __NV_E2M3 ? Layout{3, 0, 0x1f} : Layout{2, -2, 0x1f};
}

} // namespace heddle_small

HEDDLE_HALF __nv_fp6_storage_t __nv_cvt_double_to_fp6(double value, __nv_fp6_interpretation_t format,
                                                      cudaRoundMode rounding) {
    return heddle_small::rounded_to_number(value, heddle_small::layout_of(format), rounding);
}
HEDDLE_HALF __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 value, __nv_fp6_interpretation_t format,
                                                          cudaRoundMode rounding) {
#ifdef __CUDA_ARCH__
    if (rounding == cudaRoundNearest) {
        unsigned short out;
        if (format == __NV_E2M3)
            asm("cvt.rn.satfinite.e2m3x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
        else
            asm("cvt.rn.satfinite.e3m2x2.f32 %0, %1, %2;" : "=h"(out) : "f"(value.y), "f"(value.x));
        return out;
    }
#endif
    return static_cast<__nv_fp6x2_storage_t>(__nv_cvt_double_to_fp6(value.x, format, rounding) |
                                             __nv_cvt_double_to_fp6(value.y, format, rounding) << 8);
}
HEDDLE_HALF __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t bits, __nv_fp6_interpretation_t format) {
#ifdef __CUDA_ARCH__
    unsigned out;
    if (format == __NV_E2M3)
        asm("cvt.rn.f16x2.e2m3x2 %0, %1;" : "=r"(out) : "h"(bits));
    else
        asm("cvt.rn.f16x2.e3m2x2 %0, %1;" : "=r"(out) : "h"(bits));
    return heddle_half::pair_of<__half2_raw>(out);
#else
    const heddle_small::Layout from = heddle_small::layout_of(format);
    return {heddle_small::half_of_number(bits, from), heddle_small::half_of_number(bits >> 8, from)};
#endif
}

#define HEDDLE_FP(before, after) before##fp6##after
#define HEDDLE_FP_BITS 8
#define HEDDLE_FP_PARAMETERS __nv_fp6_interpretation_t format, cudaRoundMode rounding
#define HEDDLE_FP_ARGUMENTS format, rounding
#define HEDDLE_FP_BY_TYPE kFormat, cudaRoundNearest
#define HEDDLE_FP_MAGNITUDE 0x1f
#include "small_functions.h"
