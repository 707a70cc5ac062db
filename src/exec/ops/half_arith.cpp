// Arithmetic of f16, bf16 and pairs of them.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/half_arith.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include <cmath>

#include "exec/half_bits.h"
#include "exec/ops/families.h"
#include "exec/ops/half-inl.h"
#include "exec/ops/sums.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

template <class H, bool Ftz>
HWY_INLINE float in(H a) {
    return widen(flush_half<Ftz>(a));
}

// The end of an operation: round, flush, saturate.
template <class H, bool Ftz, bool Saturate, class T>
HWY_INLINE H out(T value) {
    return saturate_half<Saturate>(flush_half<Ftz>(narrow<H, ir::Rounding::Rn>(value)));
}

// f32 has at least two digits more than twice the digits of either format. So rounding a sum or a product to f32 first
// does not change the result.
template <class H, bool Ftz, bool Saturate>
HWY_INLINE H add(H a, H b) {
    return out<H, Ftz, Saturate>(in<H, Ftz>(a) + in<H, Ftz>(b));
}

template <class H, bool Ftz, bool Saturate>
HWY_INLINE H sub(H a, H b) {
    return out<H, Ftz, Saturate>(in<H, Ftz>(a) - in<H, Ftz>(b));
}

template <class H, bool Ftz, bool Saturate>
HWY_INLINE H mul(H a, H b) {
    return out<H, Ftz, Saturate>(in<H, Ftz>(a) * in<H, Ftz>(b));
}

// a + b, rounded to odd: to the neighbour with an odd last digit unless it is exact. Rounding that again to at least
// two digits fewer is the same as rounding once.
template <class T>
HWY_INLINE T add_to_odd(T a, T b) {
    using Bits = Slot<T>;
    const T sum = a + b;
    const T part = sum - a;
    const T error = (a - (sum - part)) + (b - part); // exact
    const auto bits = std::bit_cast<Bits>(sum);
    const bool inexact = (error > 0) | (error < 0); // not where an operand is infinite or a NaN
    const Bits adjust = inexact ? ~bits & 1 : 0;
    const bool outwards = (error > 0) == (sum > 0);
    return std::bit_cast<T>(bits + (outwards ? adjust : Bits{0} - adjust));
}

// The product is exact: of f16 in f32, of bf16, whose exponents are f32's, in f64.
template <class H, bool Ftz, bool Saturate>
HWY_INLINE H fma(H a, H b, H c) {
    using T = std::conditional_t<std::is_same_v<H, F16>, float, double>;
    const T product = static_cast<T>(in<H, Ftz>(a)) * static_cast<T>(in<H, Ftz>(b));
    return out<H, Ftz, Saturate>(add_to_odd(product, static_cast<T>(in<H, Ftz>(c))));
}

// .relu: a negative result, -0 too, is +0.
template <class H, bool Ftz, bool>
HWY_INLINE H fma_relu(H a, H b, H c) {
    const H result = fma<H, Ftz, false>(a, b, c);
    return H(result.sign() != 0 ? 0 : result.bits);
}

// .oob: zero where a factor is the NaN that copies of tensors write outside a tensor.
template <class H, bool Saturate, bool Relu>
HWY_INLINE H fma_inside(H a, H b, H c) {
    const H result = Relu ? fma_relu<H, false, false>(a, b, c) : fma<H, false, Saturate>(a, b, c);
    const bool outside = (a.bits == kOutsideHalf) | (b.bits == kOutsideHalf);
    return H(outside ? 0 : result.bits);
}

// Mixed precision: f32 with f16 or bf16, which an f32 can hold.
template <class H, bool Saturate>
HWY_INLINE float add_mixed(H a, float b) {
    return finish<false, Saturate>(widen(a) + b);
}

template <class H, bool Saturate>
HWY_INLINE float sub_mixed(H a, float b) {
    return finish<false, Saturate>(widen(a) - b);
}

template <class H, bool Saturate>
HWY_INLINE float fma_mixed(H a, H b, float c) {
    return finish<false, Saturate>(std::fma(widen(a), widen(b), c));
}

template <class H, bool Ftz, bool>
HWY_INLINE H negate(H a) {
    return H(flush_half<Ftz>(a).bits ^ H::kSign);
}

template <class H, bool Ftz, bool>
HWY_INLINE H absolute(H a) {
    return H(flush_half<Ftz>(a).magnitude());
}

// Integers in the order of the numbers, -0 below +0.
template <class H>
HWY_INLINE std::int32_t rank(H a) {
    const auto magnitude = static_cast<std::int32_t>(a.magnitude());
    return a.sign() != 0 ? -1 - magnitude : magnitude;
}

// Of a NaN and a number the result is the number, or a NaN with .NaN; of two NaNs it is a NaN.
template <class H, bool Ftz, bool NanResult, bool Maximum>
HWY_INLINE H extreme(H a, H b) {
    a = flush_half<Ftz>(a);
    b = flush_half<Ftz>(b);
    const std::uint32_t number = (rank(a) < rank(b)) != Maximum ? a.bits : b.bits;
    const bool nan_a = a.is_nan();
    const bool nan_b = b.is_nan();
    const std::uint32_t other = nan_a ? b.bits : a.bits; // the number, if there is one
    const bool none = nan_a & nan_b;
    const bool any = nan_a | nan_b;
    return H(none || (NanResult && any) ? H::kNan : any ? other : number);
}

// .xorsign.abs: the minimum or maximum of the magnitudes, with the sign of the product.
template <class H, bool Ftz, bool NanResult, bool Maximum>
HWY_INLINE H extreme_of_magnitudes(H a, H b) {
    const H result = extreme<H, Ftz, NanResult, Maximum>(H(a.magnitude()), H(b.magnitude()));
    return H(result.bits | (result.is_nan() ? 0 : a.sign() ^ b.sign()));
}

// make.template operator()<H, Ftz, Other>() by .ftz and another flag; the grammar says which formats have them.
template <class Make>
VectorOp for_flags(const ir::MicroOp& op, ir::Flag other, Make make) {
    const bool ftz = op.has(ir::kFtz);
    return for_half(op.type, [&]<class H> {
        return op.has(other)
                   ? (ftz ? make.template operator()<H, true, true>() : make.template operator()<H, false, true>())
                   : (ftz ? make.template operator()<H, true, false>() : make.template operator()<H, false, false>());
    });
}

template <bool Maximum>
VectorOp select_extreme(const ir::MicroOp& op) {
    if (op.has(ir::kXorSign)) {
        return for_flags(op, ir::kNanResult, [&]<class H, bool F, bool N> {
            return one_or_both<extreme_of_magnitudes<H, F, N, Maximum>>(op.type);
        });
    }
    return for_flags(op, ir::kNanResult,
                     [&]<class H, bool F, bool N> { return one_or_both<extreme<H, F, N, Maximum>>(op.type); });
}

template <class H, bool Saturate>
VectorOp select_mixed(const ir::MicroOp& op) {
    switch (op.opcode) {
    case ir::Opcode::Add:
        return with_rounding<lanewise<add_mixed<H, Saturate>>>(op);
    case ir::Opcode::Sub:
        return with_rounding<lanewise<sub_mixed<H, Saturate>>>(op);
    case ir::Opcode::Fma:
        return with_rounding<lanewise<fma_mixed<H, Saturate>>>(op);
    default:
        return nullptr;
    }
}

VectorOp select_fma_inside(const ir::MicroOp& op) {
    return for_half(op.type, [&]<class H> {
        return op.has(ir::kRelu)       ? one_or_both<fma_inside<H, false, true>>(op.type)
               : op.has(ir::kSaturate) ? one_or_both<fma_inside<H, true, false>>(op.type)
                                       : one_or_both<fma_inside<H, false, false>>(op.type);
    });
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    if (op.type == ir::Type::F32) {
        return for_half(op.from, [&]<class H> {
            return op.has(ir::kSaturate) ? select_mixed<H, true>(op) : select_mixed<H, false>(op);
        });
    }
    if (op.rounding != ir::Rounding::None && op.rounding != ir::Rounding::Rn) {
        return nullptr;
    }
    const auto with = [&](auto make) { return for_flags(op, ir::kSaturate, make); };
    switch (op.opcode) {
    case Add:
        return with([&]<class H, bool F, bool S> { return one_or_both<add<H, F, S>>(op.type); });
    case Sub:
        return with([&]<class H, bool F, bool S> { return one_or_both<sub<H, F, S>>(op.type); });
    case Mul:
        return with([&]<class H, bool F, bool S> { return one_or_both<mul<H, F, S>>(op.type); });
    case Fma:
        if (op.has(ir::kOutOfBounds)) {
            return select_fma_inside(op);
        }
        if (op.has(ir::kRelu)) {
            return with([&]<class H, bool F, bool S> { return one_or_both<fma_relu<H, F, S>>(op.type); });
        }
        return with([&]<class H, bool F, bool S> { return one_or_both<fma<H, F, S>>(op.type); });
    case Neg:
        return with([&]<class H, bool F, bool S> { return one_or_both<negate<H, F, S>>(op.type); });
    case Abs:
        return with([&]<class H, bool F, bool S> { return one_or_both<absolute<H, F, S>>(op.type); });
    case Min:
        return select_extreme<false>(op);
    case Max:
        return select_extreme<true>(op);
    default:
        return nullptr;
    }
}

std::uint16_t sum_f16_here(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(add<F16, false, false>(F16(a), F16(b)).bits);
}

std::uint16_t sum_bf16_here(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(add<BF16, false, false>(BF16(a), BF16(b)).bits);
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);
HWY_EXPORT(sum_f16_here);
HWY_EXPORT(sum_bf16_here);

VectorOp select_half_arith(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

std::uint16_t sum_f16(std::uint16_t a, std::uint16_t b) {
    return HWY_DYNAMIC_DISPATCH(sum_f16_here)(a, b);
}

std::uint16_t sum_bf16(std::uint16_t a, std::uint16_t b) {
    return HWY_DYNAMIC_DISPATCH(sum_bf16_here)(a, b);
}

} // namespace heddle::exec::ops
#endif
