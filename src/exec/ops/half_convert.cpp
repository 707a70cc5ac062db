// cvt from and to f16, bf16 and, from two f32, pairs of them.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/half_convert.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/convert-inl.h"
#include "exec/ops/families.h"
#include "exec/ops/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using ir::Rounding;

template <class H, bool Ftz, bool Saturate>
HWY_INLINE float to_f32(H a) {
    return finish<Ftz, Saturate>(widen(a)); // .ftz is of the f32: f16's subnormals are normal there
}

template <class H, bool Saturate>
HWY_INLINE double to_f64(H a) {
    return to_f32<H, false, Saturate>(a);
}

template <class To, class H, Rounding Mode>
HWY_INLINE To half_to_integer(H a) {
    return to_integer<To, float, Mode, false>(widen(a));
}

// To the same format: to an integral value, or only .sat.
template <class H, Rounding Mode, bool Saturate>
HWY_INLINE H same_format(H a) {
    return saturate_half<Saturate>(narrow<H, Rounding::Rn>(integral<Mode>(widen(a))));
}

template <class H, class T, Rounding Mode, bool Ftz, bool Saturate>
HWY_INLINE H from_float(T a) {
    return saturate_half<Saturate>(narrow<H, Mode>(flush_if<Ftz>(a)));
}

template <class H, class Other, Rounding Mode, bool Saturate>
HWY_INLINE H from_half(Other a) {
    return saturate_half<Saturate>(narrow<H, Mode>(widen(a)));
}

// An integer as an f64 that rounds to a few digits as the integer does: digits beyond the 53 that f64 has become one
// which says whether any of them is there.
template <class From>
HWY_INLINE double with_sticky_digit(From a) {
    if constexpr (sizeof(From) < 8) {
        return a;
    } else {
        constexpr std::uint64_t kRest = (std::uint64_t{1} << 11) - 1;
        const bool negative = a < 0;
        const auto bits = static_cast<std::uint64_t>(a);
        const std::uint64_t magnitude = negative ? std::uint64_t{0} - bits : bits;
        const bool long_one = magnitude >> 53 != 0;
        const std::uint64_t sticky = magnitude >> 11 | ((magnitude & kRest) != 0 ? 1 : 0);
        const auto digits = static_cast<double>(static_cast<std::int64_t>(long_one ? sticky : magnitude));
        const double value = digits * (long_one ? 0x1p11 : 1.0);
        return negative ? -value : value;
    }
}

template <class H, class From, Rounding Mode, bool Saturate>
HWY_INLINE H from_integer(From a) {
    return saturate_half<Saturate>(narrow<H, Mode>(with_sticky_digit(a)));
}

// cvt.f16x2.f32 d, a, b: a above b.
template <class H, Rounding Mode>
HWY_INLINE Pair<H> pack(float a, float b) {
    return {narrow<H, Mode>(b), narrow<H, Mode>(a)};
}

template <class H>
VectorOp select_from(const ir::MicroOp& op) {
    const bool ftz = op.has(ir::kFtz);
    const bool sat = op.has(ir::kSaturate);
    if (op.type == ir::Type::F32) {
        return sat ? (ftz ? lanewise<to_f32<H, true, true>> : lanewise<to_f32<H, false, true>>)
                   : (ftz ? lanewise<to_f32<H, true, false>> : lanewise<to_f32<H, false, false>>);
    }
    if (ftz) {
        return nullptr;
    }
    if (op.type == ir::Type::F64) {
        return sat ? lanewise<to_f64<H, true>> : lanewise<to_f64<H, false>>;
    }
    return for_any_integer(op.type, [&]<class To> {
        return for_integral_rounding(op.rounding, []<Rounding Mode> { return lanewise<half_to_integer<To, H, Mode>>; });
    });
}

template <class H>
VectorOp select_same(const ir::MicroOp& op) {
    const auto with = [&]<Rounding Mode> {
        return op.has(ir::kSaturate) ? lanewise<same_format<H, Mode, true>> : lanewise<same_format<H, Mode, false>>;
    };
    return op.rounding == Rounding::None ? with.template operator()<Rounding::None>()
                                         : for_integral_rounding(op.rounding, with);
}

template <class H, Rounding Mode, bool Saturate>
VectorOp select_to(const ir::MicroOp& op) {
    using Other = std::conditional_t<std::is_same_v<H, F16>, BF16, F16>;
    if (op.from == ir::Type::F32) {
        return op.has(ir::kFtz) ? lanewise<from_float<H, float, Mode, true, Saturate>>
                                : lanewise<from_float<H, float, Mode, false, Saturate>>;
    }
    if (op.has(ir::kFtz)) {
        return nullptr;
    }
    if (op.from == ir::Type::F64) {
        return lanewise<from_float<H, double, Mode, false, Saturate>>;
    }
    if (ptx::is_half(op.from)) {
        return lanewise<from_half<H, Other, Mode, Saturate>>;
    }
    return for_any_integer(op.from, [&]<class From> { return lanewise<from_integer<H, From, Mode, Saturate>>; });
}

template <class H>
VectorOp select_to_half(const ir::MicroOp& op) {
    if (op.type == op.from) {
        return select_same<H>(op);
    }
    return for_direction(op.rounding, [&]<Rounding Mode>() -> VectorOp {
        if (ptx::is_packed(op.type)) {
            return op.from == ir::Type::F32 && op.flags == 0 ? lanewise<pack<H, Mode>> : nullptr;
        }
        return op.has(ir::kSaturate) ? select_to<H, Mode, true>(op) : select_to<H, Mode, false>(op);
    });
}

VectorOp select(const ir::MicroOp& op) {
    if (op.opcode != ir::Opcode::Cvt || ptx::is_packed(op.from)) {
        return nullptr;
    }
    if (ptx::is_half(op.type)) {
        return for_half(op.type, [&]<class H> { return select_to_half<H>(op); });
    }
    return for_half(op.from, [&]<class H> { return select_from<H>(op); });
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_convert_half(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
