// ex2 and tanh of f16, bf16 and pairs of them: computed in f64 and rounded once.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/half_approximate.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/exponential-inl.h"
#include "exec/ops/families.h"
#include "exec/ops/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

template <class H, bool Ftz>
HWY_INLINE H power_of_two(H a) {
    const H result = narrow<H, ir::Rounding::Rn>(exp2_of(static_cast<double>(widen(flush_half<Ftz>(a)))));
    return a.is_nan() ? H(H::kNan) : flush_half<Ftz>(result);
}

template <class H>
HWY_INLINE H hyperbolic_tangent(H a) {
    return narrow<H, ir::Rounding::Rn>(tanh_of(static_cast<double>(widen(a))));
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    if (!op.has(ir::kApprox)) {
        return nullptr;
    }
    const bool ftz = op.has(ir::kFtz);
    switch (op.opcode) {
    case Ex2:
        return for_half(op.type, [&]<class H> {
            return ftz ? one_or_both<power_of_two<H, true>>(op.type) : one_or_both<power_of_two<H, false>>(op.type);
        });
    case Tanh:
        return ftz ? nullptr : for_half(op.type, [&]<class H> { return one_or_both<hyperbolic_tangent<H>>(op.type); });
    default:
        return nullptr;
    }
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_half_approximate(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
