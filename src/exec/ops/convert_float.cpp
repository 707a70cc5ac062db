// cvt from f32 and f64.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/convert_float.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/convert-inl.h"
#include "exec/ops/families.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using ir::Rounding;

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

// tf32 has the range of f32 and the upper ten digits of its fraction; the other digits are zero. A NaN is that of f32.
template <Rounding Mode>
HWY_INLINE std::uint32_t to_tf32(float a) {
    constexpr std::uint32_t kRest = 0x1fff, kHalf = 0x1000;
    const auto bits = std::bit_cast<std::uint32_t>(a);
    const std::uint32_t up = Mode == Rounding::Rna ? kHalf : Mode == Rounding::Rn ? kHalf - 1 + (bits >> 13 & 1) : 0;
    return a != a ? kNan32 : (bits + up) & ~kRest;
}

VectorOp select_to_tf32(Rounding mode) {
    return mode == Rounding::Rna  ? lanewise<to_tf32<Rounding::Rna>>
           : mode == Rounding::Rn ? lanewise<to_tf32<Rounding::Rn>>
                                  : lanewise<to_tf32<Rounding::Rz>>;
}

VectorOp select(const ir::MicroOp& op) {
    if (op.opcode != ir::Opcode::Cvt || (op.from != ir::Type::F32 && op.from != ir::Type::F64)) {
        return nullptr;
    }
    if (op.type == ir::Type::TF32) {
        return select_to_tf32(op.rounding);
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
