// The conversions between a format of at most eight bits and others that follow from those of a double and of two
// floats to it and of two of its numbers to halves. cuda_fp8.h, cuda_fp6.h and cuda_fp4.h include it once each, for the
// formats that these macros name:
//   HEDDLE_FP(before, after)   a name: the formats' word between two parts
//   HEDDLE_FP_BITS             between two numbers that are stored together
//   HEDDLE_FP_PARAMETERS       those behind the value, which say how to convert it
//   HEDDLE_FP_ARGUMENTS        their names
//   HEDDLE_FP_BY_TYPE          what the types hand over for them; kFormat is the type's format
//   HEDDLE_FP_MAGNITUDE        all bits of a number but the sign
HEDDLE_HALF HEDDLE_FP(__nv_, x2_storage_t) HEDDLE_FP(__nv_cvt_double2_to_, x2)(double2 value, HEDDLE_FP_PARAMETERS) {
    const unsigned x = HEDDLE_FP(__nv_cvt_double_to_, )(value.x, HEDDLE_FP_ARGUMENTS);
    const unsigned y = HEDDLE_FP(__nv_cvt_double_to_, )(value.y, HEDDLE_FP_ARGUMENTS);
    return static_cast<HEDDLE_FP(__nv_, x2_storage_t)>(x | y << HEDDLE_FP_BITS);
}
HEDDLE_HALF HEDDLE_FP(__nv_, _storage_t) HEDDLE_FP(__nv_cvt_float_to_, )(float value, HEDDLE_FP_PARAMETERS) {
    return static_cast<HEDDLE_FP(__nv_, _storage_t)>(
        HEDDLE_FP(__nv_cvt_float2_to_, x2)({value, 0.0f}, HEDDLE_FP_ARGUMENTS));
}
HEDDLE_HALF HEDDLE_FP(__nv_, _storage_t) HEDDLE_FP(__nv_cvt_halfraw_to_, )(__half_raw value, HEDDLE_FP_PARAMETERS) {
    return HEDDLE_FP(__nv_cvt_float_to_, )(__half2float(__half(value)), HEDDLE_FP_ARGUMENTS);
}
HEDDLE_HALF HEDDLE_FP(__nv_, x2_storage_t)
    HEDDLE_FP(__nv_cvt_halfraw2_to_, x2)(__half2_raw value, HEDDLE_FP_PARAMETERS) {
    return HEDDLE_FP(__nv_cvt_float2_to_, x2)(__half22float2(__half2(value)), HEDDLE_FP_ARGUMENTS);
}
HEDDLE_HALF HEDDLE_FP(__nv_, _storage_t)
    HEDDLE_FP(__nv_cvt_bfloat16raw_to_, )(__nv_bfloat16_raw value, HEDDLE_FP_PARAMETERS) {
    return HEDDLE_FP(__nv_cvt_float_to_, )(__bfloat162float(__nv_bfloat16(value)), HEDDLE_FP_ARGUMENTS);
}
HEDDLE_HALF HEDDLE_FP(__nv_, x2_storage_t)
    HEDDLE_FP(__nv_cvt_bfloat16raw2_to_, x2)(__nv_bfloat162_raw value, HEDDLE_FP_PARAMETERS) {
    return HEDDLE_FP(__nv_cvt_float2_to_, x2)(__bfloat1622float2(__nv_bfloat162(value)), HEDDLE_FP_ARGUMENTS);
}
HEDDLE_HALF __half_raw HEDDLE_FP(__nv_cvt_, _to_halfraw)(HEDDLE_FP(__nv_, _storage_t) bits,
                                                         HEDDLE_FP(__nv_, _interpretation_t) format) {
    return {HEDDLE_FP(__nv_cvt_, x2_to_halfraw2)(bits, format).x};
}

namespace heddle_small {

// What the types of small_types.h want to know of a format.
template <HEDDLE_FP(__nv_, _interpretation_t) kFormat>
struct HEDDLE_FP(Of_, ) {
    typedef HEDDLE_FP(__nv_, _storage_t) One;
    typedef HEDDLE_FP(__nv_, x2_storage_t) Two;
    typedef HEDDLE_FP(__nv_, x4_storage_t) Four;

    HEDDLE_HALF One of(__half_raw value) {
        return HEDDLE_FP(__nv_cvt_halfraw_to_, )(value, HEDDLE_FP_BY_TYPE);
    }
    HEDDLE_HALF One of(__nv_bfloat16_raw value) {
        return HEDDLE_FP(__nv_cvt_bfloat16raw_to_, )(value, HEDDLE_FP_BY_TYPE);
    }
    HEDDLE_HALF One of(float value) {
        return HEDDLE_FP(__nv_cvt_float_to_, )(value, HEDDLE_FP_BY_TYPE);
    }
    HEDDLE_HALF One of(double value) {
        return HEDDLE_FP(__nv_cvt_double_to_, )(value, HEDDLE_FP_BY_TYPE);
    }
    template <class Integer>
    HEDDLE_HALF One of_integer(Integer value) {
        return of(static_cast<float>(value));
    }
    HEDDLE_HALF Two of_two(__half2_raw value) {
        return HEDDLE_FP(__nv_cvt_halfraw2_to_, x2)(value, HEDDLE_FP_BY_TYPE);
    }
    HEDDLE_HALF Two of_two(__nv_bfloat162_raw value) {
        return HEDDLE_FP(__nv_cvt_bfloat16raw2_to_, x2)(value, HEDDLE_FP_BY_TYPE);
    }
    HEDDLE_HALF Two of_two(float2 value) {
        return HEDDLE_FP(__nv_cvt_float2_to_, x2)(value, HEDDLE_FP_BY_TYPE);
    }
    HEDDLE_HALF Two of_two(double2 value) {
        return HEDDLE_FP(__nv_cvt_double2_to_, x2)(value, HEDDLE_FP_BY_TYPE);
    }

    HEDDLE_HALF __half wider(One bits) {
        return __half(HEDDLE_FP(__nv_cvt_, _to_halfraw)(bits, kFormat));
    }
    HEDDLE_HALF __half2 wider_two(Two bits) {
        return __half2(HEDDLE_FP(__nv_cvt_, x2_to_halfraw2)(bits, kFormat));
    }
    HEDDLE_HALF bool is_nonzero(One bits) {
        return (bits & HEDDLE_FP_MAGNITUDE) != 0;
    }
};

} // namespace heddle_small

#undef HEDDLE_FP
#undef HEDDLE_FP_BITS
#undef HEDDLE_FP_PARAMETERS
#undef HEDDLE_FP_ARGUMENTS
#undef HEDDLE_FP_BY_TYPE
#undef HEDDLE_FP_MAGNITUDE
