// Floating-point arithmetic that is rounded as IEEE 754 says.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/float_arith.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include <cmath>

#include "exec/ops/families.h"
#include "exec/ops/float-inl.h"
#include "exec/ops/sums.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

template <class T, bool Ftz, bool Saturate>
HWY_INLINE T add(T a, T b) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    return finish<Ftz, Saturate>(a + b, a, b);
}

template <class T, bool Ftz, bool Saturate>
HWY_INLINE T sub(T a, T b) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    return finish<Ftz, Saturate>(a - b, a, b);
}

template <class T, bool Ftz, bool Saturate>
HWY_INLINE T mul(T a, T b) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    return finish<Ftz, Saturate>(a * b, a, b);
}

// Rounded once; a library call where the instruction set has no fused multiply-add.
template <class T, bool Ftz, bool Saturate>
HWY_INLINE T fma(T a, T b, T c) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    c = flush_if<Ftz>(c);
    return finish<Ftz, Saturate>(std::fma(a, b, c), a, b, c);
}

template <class T, bool Ftz, bool>
HWY_INLINE T div(T a, T b) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    return finish<Ftz, false>(a / b, a, b);
}

template <class T, bool Ftz, bool>
HWY_INLINE T reciprocal(T a) {
    a = flush_if<Ftz>(a);
    return finish<Ftz, false>(T{1} / a, a);
}

template <class T, bool Ftz, bool>
HWY_INLINE T square_root(T a) {
    a = flush_if<Ftz>(a);
    return finish<Ftz, false>(std::sqrt(a), a);
}

// Two f32 in a 64-bit slot.
struct FloatPair {
    std::uint64_t bits;

    explicit HWY_INLINE FloatPair(std::uint64_t slot) : bits(slot) {}
    HWY_INLINE FloatPair(float low, float high)
        : bits(std::bit_cast<std::uint32_t>(low) | std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32) {}
    explicit HWY_INLINE operator std::uint64_t() const {
        return bits;
    }
    [[nodiscard]] HWY_INLINE float low() const {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    }
    [[nodiscard]] HWY_INLINE float high() const {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32));
    }
};

// Applies an operation of f32 to both numbers of a pair.
template <auto F, class Function = decltype(F)>
struct BothFloats;

template <auto F, class... A>
struct BothFloats<F, float (*)(A...)> {
    template <class>
    using AsPair = FloatPair;
    static HWY_INLINE FloatPair run(AsPair<A>... pairs) {
        return {F(pairs.low()...), F(pairs.high()...)};
    }
};

template <auto F>
VectorOp both_floats(const ir::MicroOp& op) {
    return with_rounding<lanewise<&BothFloats<F>::run>>(op);
}

template <bool Ftz>
VectorOp select_pairs(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Add:
        return both_floats<add<float, Ftz, false>>(op);
    case Sub:
        return both_floats<sub<float, Ftz, false>>(op);
    case Mul:
        return both_floats<mul<float, Ftz, false>>(op);
    case Fma:
        return both_floats<fma<float, Ftz, false>>(op);
    default:
        return nullptr;
    }
}

// The operations without .sat.
template <class Make>
VectorOp for_unsaturated(const ir::MicroOp& op, Make make) {
    return op.has(ir::kSaturate) || op.has(ir::kApprox) || op.has(ir::kFull) ? nullptr : for_float_flags(op, make);
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    if (op.type == ir::Type::F32x2) {
        return op.has(ir::kFtz) ? select_pairs<true>(op) : select_pairs<false>(op);
    }
    if (op.from != ir::Type::None) {
        return nullptr; // mixed precision: half_arith.cpp
    }
    switch (op.opcode) {
    case Add:
        return for_float_flags(op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<add<T, F, S>>>(op); });
    case Sub:
        return for_float_flags(op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<sub<T, F, S>>>(op); });
    case Mul:
        return for_float_flags(op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<mul<T, F, S>>>(op); });
    case Mad:
    case Fma:
        return for_float_flags(op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<fma<T, F, S>>>(op); });
    case Div:
        return for_unsaturated(op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<div<T, F, S>>>(op); });
    case Rcp:
        return for_unsaturated(
            op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<reciprocal<T, F, S>>>(op); });
    case Sqrt:
        return for_unsaturated(
            op, [&]<class T, bool F, bool S> { return with_rounding<lanewise<square_root<T, F, S>>>(op); });
    default:
        return nullptr;
    }
}

double sum_f64_here(double a, double b) {
    return add<double, false, false>(a, b);
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);
HWY_EXPORT(sum_f64_here);

VectorOp select_float_arith(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

double sum_f64(double a, double b) {
    return HWY_DYNAMIC_DISPATCH(sum_f64_here)(a, b);
}

} // namespace heddle::exec::ops
#endif
