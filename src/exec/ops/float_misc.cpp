// Floating-point operations that do not round: signs, minima, classes.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/float_misc.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/float-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

template <class T>
inline constexpr Slot<T> kSign = Slot<T>{1} << (8 * sizeof(T) - 1);
template <class T>
inline constexpr Slot<T> kExponent = sizeof(T) == 8 ? static_cast<Slot<T>>(0x7ff0'0000'0000'0000) : Slot<T>{0x7f800000};

template <class T>
HWY_INLINE Slot<T> bits_of(T a) {
    return std::bit_cast<Slot<T>>(a);
}

template <class T, bool Ftz, bool>
HWY_INLINE T negate(T a) {
    return std::bit_cast<T>(bits_of(flush_if<Ftz>(a)) ^ kSign<T>);
}

template <class T, bool Ftz, bool>
HWY_INLINE T absolute(T a) {
    return std::bit_cast<T>(bits_of(flush_if<Ftz>(a)) & ~kSign<T>);
}

template <class T>
HWY_INLINE T copy_sign(T a, T b) { // sign of a, magnitude of b
    return std::bit_cast<T>((bits_of(a) & kSign<T>) | (bits_of(b) & ~kSign<T>));
}

// Of a NaN and a number the result is the number; of two NaNs it is the operation's NaN.
template <bool NanResult, class T>
HWY_INLINE T settle_nan(T number, T a, T b) {
    const T other = a != a ? b : a; // the number, if there is one
    const T loser = finish<false, false>(NanResult ? a + b : other, a, b);
    const bool unordered = (a != a) | (b != b);
    return unordered ? loser : number;
}

// -0 is less than +0: of equal operands, OR of the bits selects -0, AND selects +0.
template <class T, bool Ftz, bool NanResult>
HWY_INLINE T minimum(T a, T b) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    const T equal = std::bit_cast<T>(bits_of(a) | bits_of(b));
    return settle_nan<NanResult>(a < b ? a : b < a ? b : equal, a, b);
}

template <class T, bool Ftz, bool NanResult>
HWY_INLINE T maximum(T a, T b) {
    a = flush_if<Ftz>(a);
    b = flush_if<Ftz>(b);
    const T equal = std::bit_cast<T>(bits_of(a) & bits_of(b));
    return settle_nan<NanResult>(a > b ? a : b > a ? b : equal, a, b);
}

// .xorsign.abs: the minimum or maximum of the magnitudes, with the sign of the product.
template <bool Ftz, bool NanResult, bool Maximum>
HWY_INLINE float of_magnitudes(float a, float b) {
    const std::uint32_t sign = (bits_of(a) ^ bits_of(b)) & kSign<float>;
    const float x = absolute<float, false, false>(a);
    const float y = absolute<float, false, false>(b);
    const float result = Maximum ? maximum<float, Ftz, NanResult>(x, y) : minimum<float, Ftz, NanResult>(x, y);
    return std::bit_cast<float>((bits_of(result) & ~kSign<float>) | (result != result ? 0 : sign));
}

template <bool Ftz, bool NanResult, bool Maximum>
HWY_INLINE float of_three(float a, float b, float c) {
    const auto of_two = [](float x, float y) {
        return Maximum ? maximum<float, Ftz, NanResult>(x, y) : minimum<float, Ftz, NanResult>(x, y);
    };
    return of_two(of_two(a, b), c);
}

template <bool Ftz, bool NanResult, bool Maximum>
HWY_INLINE float of_three_magnitudes(float a, float b, float c) {
    return of_three<Ftz, NanResult, Maximum>(absolute<float, false, false>(a), absolute<float, false, false>(b),
                                             absolute<float, false, false>(c));
}

template <class T, ir::Sub Class>
HWY_INLINE bool is_of_class(T a) {
    using enum ir::Sub;
    const Slot<T> magnitude = bits_of(a) & ~kSign<T>;
    constexpr Slot<T> kInfinity = kExponent<T>;
    constexpr Slot<T> kLeastNormal = kExponent<T> & (~kExponent<T> + 1);
    switch (Class) {
    case TestFinite:
        return magnitude < kInfinity;
    case TestInfinite:
        return magnitude == kInfinity;
    case TestNumber:
        return magnitude <= kInfinity;
    case TestNotANumber:
        return magnitude > kInfinity;
    case TestNormal:
        return (magnitude == 0) | ((magnitude >= kLeastNormal) & (magnitude < kInfinity)); // PTX counts zeros as normal
    default:
        return (magnitude != 0) & (magnitude < kLeastNormal);
    }
}

template <class T>
VectorOp select_testp(ir::Sub wanted) {
    using enum ir::Sub;
    switch (wanted) {
    case TestFinite:
        return lanewise<is_of_class<T, TestFinite>>;
    case TestInfinite:
        return lanewise<is_of_class<T, TestInfinite>>;
    case TestNumber:
        return lanewise<is_of_class<T, TestNumber>>;
    case TestNotANumber:
        return lanewise<is_of_class<T, TestNotANumber>>;
    case TestNormal:
        return lanewise<is_of_class<T, TestNormal>>;
    case TestSubnormal:
        return lanewise<is_of_class<T, TestSubnormal>>;
    default:
        return nullptr;
    }
}

// Instances by .ftz and .NaN.
template <class Make>
VectorOp for_flags(const ir::MicroOp& op, Make make) {
    const bool ftz = op.has(ir::kFtz);
    const bool nan = op.has(ir::kNanResult);
    if (op.type == ir::Type::F64) {
        return ftz || nan ? nullptr : make.template operator()<double, false, false>();
    }
    if (op.type != ir::Type::F32) {
        return nullptr;
    }
    return nan ? (ftz ? make.template operator()<float, true, true>() : make.template operator()<float, false, true>())
               : (ftz ? make.template operator()<float, true, false>()
                      : make.template operator()<float, false, false>());
}

template <bool Maximum>
VectorOp select_of_three(const ir::MicroOp& op) {
    if (op.type != ir::Type::F32) {
        return nullptr;
    }
    return op.has(ir::kMagnitudes)
               ? for_flags(op, []<class T, bool F, bool N> { return lanewise<of_three_magnitudes<F, N, Maximum>>; })
               : for_flags(op, []<class T, bool F, bool N> { return lanewise<of_three<F, N, Maximum>>; });
}

VectorOp select_extreme(const ir::MicroOp& op) {
    const bool maximum_wanted = op.opcode == ir::Opcode::Max;
    if (op.src[2] != ir::kNowhere) {
        return maximum_wanted ? select_of_three<true>(op) : select_of_three<false>(op);
    }
    if (op.has(ir::kXorSign)) {
        if (op.type != ir::Type::F32) {
            return nullptr;
        }
        return maximum_wanted
                   ? for_flags(op, []<class T, bool F, bool N> { return lanewise<of_magnitudes<F, N, true>>; })
                   : for_flags(op, []<class T, bool F, bool N> { return lanewise<of_magnitudes<F, N, false>>; });
    }
    return maximum_wanted ? for_flags(op, []<class T, bool F, bool N> { return lanewise<maximum<T, F, N>>; })
                          : for_flags(op, []<class T, bool F, bool N> { return lanewise<minimum<T, F, N>>; });
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Neg:
        return for_flags(op, []<class T, bool F, bool N> { return lanewise<negate<T, F, N>>; });
    case Abs:
        return for_flags(op, []<class T, bool F, bool N> { return lanewise<absolute<T, F, N>>; });
    case Min:
    case Max:
        return select_extreme(op);
    case Copysign:
        return for_float(op.type, []<class T> { return lanewise<copy_sign<T>>; });
    case Testp:
        return for_float(op.type, [&]<class T> { return select_testp<T>(op.sub); });
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

VectorOp select_float_misc(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
