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
    return finish<Ftz, Saturate>(widen(a)); // .ftz is for f32, where subnormals of f16 are normal
}

template <class H, bool Saturate>
HWY_INLINE double to_f64(H a) {
    return to_f32<H, false, Saturate>(a);
}

template <class To, Rounding Mode>
HWY_NOINLINE void integers(const WideRow<float>& from, Slot<To>* to, std::uint32_t mask) {
    write_lanes<&to_integer<To, float, Mode, false>, To, float>(to, mask, from.input());
}

template <class H, class To, Rounding Mode>
void half_to_integer(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    WideRow<float> wide;
    widen_row<H>(reinterpret_cast<const std::uint32_t*>(source(op.src[0], frame, pool)), 0, false, wide);
    integers<To, Mode>(wide, reinterpret_cast<Slot<To>*>(frame + op.dst[0]), mask);
}

// To the format of the source: rounded to an integral value, or only .sat.
template <class H, Rounding Mode, bool Saturate>
HWY_INLINE H same_format(H a) {
    return saturate_half<Saturate>(narrow<H, Rounding::Rn>(integral<Mode>(widen(a))));
}

template <class H, Rounding Mode, bool Ftz, bool Saturate>
HWY_INLINE H from_f32(float a) {
    return saturate_half<Saturate>(narrow<H, Mode>(flush_if<Ftz>(a)));
}

// An integer as an f64 that rounds to a few digits as the integer does: the digits beyond the 53 that f64 has become
// one digit, which is 1 when any of them is.
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

// A source of any other type, as f64: exact, except for the sticky digit of integers.
template <class From>
HWY_INLINE double as_f64(From a) {
    if constexpr (is_half<From>) {
        return widen(a);
    } else if constexpr (std::is_integral_v<From>) {
        return with_sticky_digit(a);
    } else {
        return a;
    }
}

using ReadRow = void (*)(const std::byte* from, WideRow<double>& to);

template <class From>
void read_row(const std::byte* from, WideRow<double>& to) {
    const Input<From> in{reinterpret_cast<const Slot<From>*>(from)};
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        to.set(lane, as_f64(in[lane]));
    }
}

ReadRow reader_of(ir::Type type) {
    if (type == ir::Type::F64) {
        return read_row<double>;
    }
    if (ptx::is_half(type)) {
        return type == ir::Type::F16 ? read_row<F16> : read_row<BF16>;
    }
    return for_any_integer(type, []<class From> { return &read_row<From>; });
}

template <class H, Rounding Mode>
HWY_INLINE H from_f64(double a) {
    return narrow<H, Mode>(a);
}

template <class H, Rounding Mode>
HWY_INLINE H from_f64_saturated(double a) {
    return saturate_half<true>(narrow<H, Mode>(a));
}

template <class H, Rounding Mode>
void from_other(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    WideRow<double> wide;
    reader_of(op.from)(source(op.src[0], frame, pool), wide);
    auto* to = reinterpret_cast<std::uint32_t*>(frame + op.dst[0]);
    if (op.has(ir::kSaturate)) {
        write_lanes<&from_f64_saturated<H, Mode>, H, double>(to, mask, wide.input());
    } else {
        write_lanes<&from_f64<H, Mode>, H, double>(to, mask, wide.input());
    }
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
        return for_integral_rounding(op.rounding,
                                     []<Rounding Mode> { return &each_row<half_to_integer<H, To, Mode>>; });
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
VectorOp select_from_f32(const ir::MicroOp& op) {
    return op.has(ir::kFtz) ? lanewise<from_f32<H, Mode, true, Saturate>>
                            : lanewise<from_f32<H, Mode, false, Saturate>>;
}

template <class H, Rounding Mode>
VectorOp select_to(const ir::MicroOp& op) {
    if (ptx::is_packed(op.type)) {
        return op.from == ir::Type::F32 && op.flags == 0 ? lanewise<pack<H, Mode>> : nullptr;
    }
    if (op.from == ir::Type::F32) {
        return op.has(ir::kSaturate) ? select_from_f32<H, Mode, true>(op) : select_from_f32<H, Mode, false>(op);
    }
    return op.has(ir::kFtz) || reader_of(op.from) == nullptr ? nullptr : &each_row<from_other<H, Mode>>;
}

template <class H>
VectorOp select_to_half(const ir::MicroOp& op) {
    if (op.type == op.from) {
        return select_same<H>(op);
    }
    return for_direction(op.rounding, [&]<Rounding Mode> { return select_to<H, Mode>(op); });
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
