// cvt from f32 and f64.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/convert_float.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include <cmath>

#include "exec/ops/convert-inl.h"
#include "exec/ops/families.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using ir::Rounding;
using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t;

template <Rounding Mode, class T>
HWY_INLINE T integral(T a) {
    if constexpr (Mode == Rounding::Rni) {
        return std::nearbyint(a);
    } else if constexpr (Mode == Rounding::Rzi) {
        return std::trunc(a);
    } else if constexpr (Mode == Rounding::Rmi) {
        return std::floor(a);
    } else if constexpr (Mode == Rounding::Rpi) {
        return std::ceil(a);
    } else {
        return a;
    }
}

// What a NaN becomes: 0 among the 32-bit conversions, else the sign bit alone.
template <class To, class From>
inline constexpr To kFromNan = sizeof(From) == 8 || sizeof(To) == 8
                                   ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1))
                                   : To{0};

// Out of range: the nearest limit.
template <class To, class From, Rounding Mode, bool Ftz>
HWY_INLINE To to_integer(From a) {
    using Range = std::numeric_limits<To>;
    using Wide = std::conditional_t<(sizeof(To) < 4), int32_t, To>;
    constexpr auto kBegin = static_cast<From>(Range::min());
    constexpr auto kEnd = static_cast<From>(std::uint64_t{1} << (Range::digits - 1)) * From{2}; // one above the maximum
    const From value = integral<Mode>(flush_if<Ftz>(a));
    const bool above = value >= kEnd;
    const bool inside = (value >= kBegin) & !above;
    const auto converted = static_cast<To>(static_cast<Wide>(inside ? value : From{0}));
    const To outside = above ? Range::max() : value != value ? kFromNan<To, From> : Range::min();
    return inside ? converted : outside;
}

// f32 to f32 and f64 to f64: to an integral value, or only .ftz and .sat.
template <class T, Rounding Mode, bool Ftz, bool Saturate>
HWY_INLINE T same_size(T a) {
    a = flush_if<Ftz>(a);
    const T value = integral<Mode>(a);
    if constexpr (Saturate) {
        return saturate(value);
    } else {
        return finish<false, false>(value, a);
    }
}

template <bool Ftz, bool Saturate>
HWY_INLINE double widen(float a) {
    const auto value = static_cast<double>(flush_if<Ftz>(a));
    return Saturate ? saturate(value) : value;
}

template <bool Ftz, bool Saturate>
HWY_INLINE float narrow(double a) {
    return finish<Ftz, Saturate>(static_cast<float>(a));
}

// make.template operator()<Mode>() for a rounding to integral values.
template <class Make>
VectorOp for_integral_rounding(Rounding rounding, Make make) {
    switch (rounding) {
    case Rounding::Rni:
        return make.template operator()<Rounding::Rni>();
    case Rounding::Rzi:
        return make.template operator()<Rounding::Rzi>();
    case Rounding::Rmi:
        return make.template operator()<Rounding::Rmi>();
    case Rounding::Rpi:
        return make.template operator()<Rounding::Rpi>();
    default:
        return nullptr;
    }
}

template <class From, bool Ftz>
VectorOp select_to_integer(const ir::MicroOp& op) {
    return for_any_integer(op.type, [&]<class To> {
        return for_integral_rounding(op.rounding,
                                     []<Rounding Mode> { return lanewise<to_integer<To, From, Mode, Ftz>>; });
    });
}

template <class T, bool Ftz, bool Saturate>
VectorOp select_same_size(const ir::MicroOp& op) {
    if (op.rounding == Rounding::None) {
        return lanewise<same_size<T, Rounding::None, Ftz, Saturate>>;
    }
    return for_integral_rounding(op.rounding,
                                 []<Rounding Mode> { return lanewise<same_size<T, Mode, Ftz, Saturate>>; });
}

template <bool Ftz, bool Saturate>
VectorOp select_to_float(const ir::MicroOp& op) {
    const bool to_double = op.type == ir::Type::F64;
    if (op.from == ir::Type::F32) {
        return to_double ? lanewise<widen<Ftz, Saturate>> : select_same_size<float, Ftz, Saturate>(op);
    }
    return to_double ? select_same_size<double, false, Saturate>(op)
                     : with_rounding<lanewise<narrow<Ftz, Saturate>>>(op);
}

VectorOp select(const ir::MicroOp& op) {
    if (op.opcode != ir::Opcode::Cvt || (op.from != ir::Type::F32 && op.from != ir::Type::F64)) {
        return nullptr;
    }
    const bool ftz = op.has(ir::kFtz);
    if (op.type == ir::Type::F32 || op.type == ir::Type::F64) {
        return op.has(ir::kSaturate) ? (ftz ? select_to_float<true, true>(op) : select_to_float<false, true>(op))
                                     : (ftz ? select_to_float<true, false>(op) : select_to_float<false, false>(op));
    }
    if (op.from == ir::Type::F64) {
        return ftz ? nullptr : select_to_integer<double, false>(op);
    }
    return ftz ? select_to_integer<float, true>(op) : select_to_integer<float, false>(op);
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_convert_float(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
