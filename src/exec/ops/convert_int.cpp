// cvt from integers.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/convert_int.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/convert-inl.h"
#include "exec/ops/families.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using ir::Rounding;
using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t;

// Truncation, or extension by the source's sign.
template <class To, class From>
HWY_INLINE To resize(From a) {
    return static_cast<To>(a);
}

// .sat: into the range of the result.
template <class To, class From>
HWY_INLINE To clamp(From a) {
    using Range = std::numeric_limits<To>;
    using Source = std::numeric_limits<From>;
    if constexpr (std::cmp_greater(Source::max(), Range::max())) {
        constexpr auto kMax = static_cast<From>(Range::max());
        a = a > kMax ? kMax : a;
    }
    if constexpr (std::cmp_less(Source::min(), Range::min())) {
        constexpr auto kMin = static_cast<From>(Range::min());
        a = a < kMin ? kMin : a;
    }
    return static_cast<To>(a);
}

template <class To, class From>
HWY_INLINE To to_float(From a) {
    return static_cast<To>(a);
}

// .sat: of an integer, 0 or 1.
template <class To, class From>
HWY_INLINE To to_float_saturated(From a) {
    return a > 0 ? To{1} : To{0};
}

// .rz, .rm and .rp, with integer operations: the leading digits, one more if rounding goes away from zero.
template <class To, class From, Rounding Mode>
HWY_INLINE To to_float_directed(From a) {
    constexpr int kDigits = std::numeric_limits<To>::digits;
    constexpr int kMantissa = kDigits - 1;
    constexpr int kBias = std::numeric_limits<To>::max_exponent - 1;
    const bool negative = a < 0;
    const uint64_t magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
    const int excess = std::max(0, 64 - kDigits - std::countl_zero(magnitude));
    const uint64_t digits = magnitude >> excess;
    const bool away = Mode == Rounding::Rz ? false : Mode == Rounding::Rm ? negative : !negative;
    const uint64_t rounded = digits + (away && digits << excess != magnitude ? 1 : 0);
    const auto scale = std::bit_cast<To>(static_cast<Slot<To>>(excess + kBias) << kMantissa);
    const To result = static_cast<To>(static_cast<int64_t>(rounded)) * scale; // both exact
    return negative ? -result : result;
}

template <class From>
VectorOp select_to_integer(const ir::MicroOp& op) {
    return op.has(ir::kSaturate) ? for_any_integer(op.type, []<class To> { return lanewise<clamp<To, From>>; })
                                 : for_any_integer(op.type, []<class To> { return lanewise<resize<To, From>>; });
}

template <class To, class From>
VectorOp select_to_float(const ir::MicroOp& op) {
    if (op.has(ir::kSaturate)) {
        return lanewise<to_float_saturated<To, From>>;
    }
    if constexpr (std::numeric_limits<From>::digits > std::numeric_limits<To>::digits) {
        switch (op.rounding) {
        case Rounding::Rz:
            return lanewise<to_float_directed<To, From, Rounding::Rz>>;
        case Rounding::Rm:
            return lanewise<to_float_directed<To, From, Rounding::Rm>>;
        case Rounding::Rp:
            return lanewise<to_float_directed<To, From, Rounding::Rp>>;
        default:
            break;
        }
    }
    return lanewise<to_float<To, From>>;
}

VectorOp select(const ir::MicroOp& op) {
    if (op.opcode != ir::Opcode::Cvt) {
        return nullptr;
    }
    if (ptx::is_float(op.type)) {
        return for_any_integer(op.from, [&]<class From> {
            return for_float(op.type, [&]<class To> { return select_to_float<To, From>(op); });
        });
    }
    return for_any_integer(op.from, [&]<class From> { return select_to_integer<From>(op); });
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_convert_int(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
