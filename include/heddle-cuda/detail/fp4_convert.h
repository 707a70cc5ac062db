// Conversions between the format e2m1 and others. Read by cuda_fp4.h. Two numbers are one byte.
#pragma once

#include "small_formats.h"

namespace heddle_small {

HEDDLE_HALF Layout layout_of(__nv_fp4_interpretation_t) { // there is one format
    return Layout{1, 0, 7};
}

} // namespace heddle_small

HEDDLE_HALF __nv_fp4_storage_t __nv_cvt_double_to_fp4(double value, __nv_fp4_interpretation_t format,
                                                      cudaRoundMode rounding) {
    return heddle_small::rounded_to_number(value, heddle_small::layout_of(format), rounding);
}
HEDDLE_HALF __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 value, __nv_fp4_interpretation_t format,
                                                          cudaRoundMode rounding) {
#ifdef __CUDA_ARCH__
    if (rounding == cudaRoundNearest) {
        unsigned short out;
        asm("{\n\t.reg .b8 pair;\n\t"
            "cvt.rn.satfinite.e2m1x2.f32 pair, %1, %2;\n\t"
            "mov.b16 %0, {pair, 0};\n\t}"
            : "=h"(out)
            : "f"(value.y), "f"(value.x));
        return static_cast<__nv_fp4x2_storage_t>(out);
    }
#endif
    return static_cast<__nv_fp4x2_storage_t>(__nv_cvt_double_to_fp4(value.x, format, rounding) |
                                             __nv_cvt_double_to_fp4(value.y, format, rounding) << 4);
}
HEDDLE_HALF __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t bits, __nv_fp4_interpretation_t format) {
#ifdef __CUDA_ARCH__
    unsigned out;
    asm("{\n\t.reg .b8 pair, rest;\n\t"
        "mov.b16 {pair, rest}, %1;\n\t"
        "cvt.rn.f16x2.e2m1x2 %0, pair;\n\t}"
        : "=r"(out)
        : "h"(static_cast<unsigned short>(bits)));
    return heddle_half::pair_of<__half2_raw>(out);
#else
    const heddle_small::Layout from = heddle_small::layout_of(format);
    return {heddle_small::half_of_number(bits, from), heddle_small::half_of_number(bits >> 4, from)};
#endif
}

#define HEDDLE_FP(before, after) before##fp4##after
#define HEDDLE_FP_BITS 4
#define HEDDLE_FP_PARAMETERS __nv_fp4_interpretation_t format, cudaRoundMode rounding
#define HEDDLE_FP_ARGUMENTS format, rounding
#define HEDDLE_FP_BY_TYPE kFormat, cudaRoundNearest
#define HEDDLE_FP_MAGNITUDE 7
#include "small_functions.h"
