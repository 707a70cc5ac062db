// Common parts of cvt: integer types, and the conversion from floating point to integers.

#if defined(HEDDLE_EXEC_OPS_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_CONVERT_INL_H_
#undef HEDDLE_EXEC_OPS_CONVERT_INL_H_
#else
#define HEDDLE_EXEC_OPS_CONVERT_INL_H_
#endif

#include <cmath>
#include <limits>

#include "exec/ops/float-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

// make.template operator()<T>() for an integer type of any width; null for other types.
template <class Make>
auto for_any_integer(ir::Type type, Make make) -> decltype(make.template operator()<std::uint8_t>()) {
    switch (type) {
    case ir::Type::U8:
        return make.template operator()<std::uint8_t>();
    case ir::Type::S8:
        return make.template operator()<std::int8_t>();
    default:
        return ptx::is_float(type) ? nullptr : for_integer(type, make);
    }
}

template <ir::Rounding Mode, class T>
HWY_INLINE T integral(T a) {
    if constexpr (Mode == ir::Rounding::Rni) {
        return std::nearbyint(a);
    } else if constexpr (Mode == ir::Rounding::Rzi) {
        return std::trunc(a);
    } else if constexpr (Mode == ir::Rounding::Rmi) {
        return std::floor(a);
    } else if constexpr (Mode == ir::Rounding::Rpi) {
        return std::ceil(a);
    } else {
        return a;
    }
}

// The result for a NaN: 0 in the 32-bit conversions, else the sign bit alone.
template <class To, class From>
inline constexpr To kFromNan = sizeof(From) == 8 || sizeof(To) == 8
                                   ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1))
                                   : To{0};

// Out of range: the nearest limit.
template <class To, class From, ir::Rounding Mode, bool Ftz>
HWY_INLINE To to_integer(From a) {
    using Range = std::numeric_limits<To>;
    using Wide = std::conditional_t<(sizeof(To) < 4), std::int32_t, To>;
    constexpr auto kBegin = static_cast<From>(Range::min());
    constexpr auto kEnd = static_cast<From>(std::uint64_t{1} << (Range::digits - 1)) * From{2}; // one above the maximum
    const From value = integral<Mode>(flush_if<Ftz>(a));
    const bool above = value >= kEnd;
    const bool inside = (value >= kBegin) & !above;
    const auto converted = static_cast<To>(static_cast<Wide>(inside ? value : From{0}));
    const To outside = above ? Range::max() : value != value ? kFromNan<To, From> : Range::min();
    return inside ? converted : outside;
}

// make.template operator()<Mode>() for a rounding to integral values.
template <class Make>
VectorOp for_integral_rounding(ir::Rounding rounding, Make make) {
    switch (rounding) {
    case ir::Rounding::Rni:
        return make.template operator()<ir::Rounding::Rni>();
    case ir::Rounding::Rzi:
        return make.template operator()<ir::Rounding::Rzi>();
    case ir::Rounding::Rmi:
        return make.template operator()<ir::Rounding::Rmi>();
    case ir::Rounding::Rpi:
        return make.template operator()<ir::Rounding::Rpi>();
    default:
        return nullptr;
    }
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
