// The 16-bit floating-point formats, f16 and bf16, and pairs of them. An f32 can hold every number of both formats:
// operations widen their operands, compute in f32 or f64 and round to the format once.

#if defined(HEDDLE_EXEC_OPS_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_HALF_INL_H_
#undef HEDDLE_EXEC_OPS_HALF_INL_H_
#else
#define HEDDLE_EXEC_OPS_HALF_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "exec/ops/float-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

// One number in the low half of a slot. 32 bits wide, so that loops over lanes keep one width.
template <int Mantissa, int Exponent>
struct Half {
    static constexpr int kMantissa = Mantissa;
    static constexpr int kExponent = Exponent;
    static constexpr int kBias = (1 << (Exponent - 1)) - 1;
    static constexpr std::uint32_t kSign = 0x8000;
    static constexpr std::uint32_t kInfinity = ((1U << Exponent) - 1) << Mantissa;
    static constexpr std::uint32_t kLeastNormal = 1U << Mantissa;
    static constexpr std::uint32_t kOne = std::uint32_t{kBias} << Mantissa;
    static constexpr std::uint32_t kNan = 0x7fff; // the NaN of arithmetic operations

    std::uint32_t bits;

    explicit HWY_INLINE Half(std::uint32_t slot) : bits(slot & 0xffff) {}
    explicit HWY_INLINE operator std::uint32_t() const {
        return bits;
    }
    [[nodiscard]] HWY_INLINE std::uint32_t magnitude() const {
        return bits & ~kSign;
    }
    [[nodiscard]] HWY_INLINE std::uint32_t sign() const {
        return bits & kSign;
    }
    [[nodiscard]] HWY_INLINE bool is_nan() const {
        return magnitude() > kInfinity;
    }
};
using F16 = Half<10, 5>;
using BF16 = Half<7, 8>;

template <class T>
inline constexpr bool is_half = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

// A pair of numbers in a slot.
template <class H>
struct Pair {
    std::uint32_t bits;

    explicit HWY_INLINE Pair(std::uint32_t slot) : bits(slot) {}
    HWY_INLINE Pair(H low, H high) : bits(low.bits | high.bits << 16) {}
    explicit HWY_INLINE operator std::uint32_t() const {
        return bits;
    }
    [[nodiscard]] HWY_INLINE H low() const {
        return H(bits);
    }
    [[nodiscard]] HWY_INLINE H high() const {
        return H(bits >> 16);
    }
};

template <int Mantissa, int Exponent>
inline constexpr bool has_full_rows<Half<Mantissa, Exponent>> = false;
template <class H>
inline constexpr bool has_full_rows<Pair<H>> = false;

// Applies an operation of one number to both numbers of a pair.
template <auto F, class Function = decltype(F)>
struct Both;

template <auto F, class H, class... A>
struct Both<F, H (*)(A...)> {
    static HWY_INLINE Pair<H> run(Pair<A>... pairs) {
        return {F(pairs.low()...), F(pairs.high()...)};
    }
};

template <auto F>
VectorOp one_or_both(ir::Type type) {
    return ptx::is_packed(type) ? lanewise<&Both<F>::run> : lanewise<F>;
}

// Exact. NaNs stay NaNs.
HWY_INLINE float widen(F16 a) {
    constexpr float kRebias = 0x1p112F;
    const float number = std::bit_cast<float>(a.magnitude() << 13) * kRebias; // subnormals become normal
    const std::uint32_t top = a.magnitude() >= F16::kInfinity ? 0x7f800000U : 0;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) | top | a.sign() << 16);
}

HWY_INLINE float widen(BF16 a) {
    return std::bit_cast<float>(a.bits << 16);
}

// Whether rounding goes away from zero. `rest` holds the digits that are cut off, `half` is half the last place that
// remains, `last` is the last digit that remains: it decides between two results at equal distance.
template <ir::Rounding Mode, class Bits>
HWY_INLINE bool rounds_away(Bits sign, Bits last, Bits rest, Bits half) {
    if constexpr (Mode == ir::Rounding::Rn) {
        return rest + last > half;
    } else if constexpr (Mode == ir::Rounding::Rz) {
        return false;
    } else if constexpr (Mode == ir::Rounding::Rm) {
        return (rest != 0) & (sign != 0);
    } else {
        return (rest != 0) & (sign == 0);
    }
}

// By value: references, as in std::min, prevent the vectorisation of loops.
template <class T>
HWY_INLINE T lesser(T a, T b) {
    return a < b ? a : b;
}

template <class T>
HWY_INLINE T greater(T a, T b) {
    return a > b ? a : b;
}

// An f32 or f64 rounded to the format, with integer operations.
template <class H, ir::Rounding Mode, class T>
HWY_INLINE H narrow(T value) {
    using Bits = Slot<T>;
    constexpr int kDigits = std::numeric_limits<T>::digits - 1;                     // stored
    constexpr int kLeast = std::numeric_limits<T>::max_exponent - 1 - H::kBias + 1; // T's exponent of the least normal
    constexpr Bits kHidden = Bits{1} << kDigits;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    constexpr Bits kInfinity = (kSign - 1) & ~(kHidden - 1);
    const Bits bits = std::bit_cast<Bits>(value);
    const Bits magnitude = bits & ~kSign;
    const Bits sign = bits & kSign;
    const auto stored = static_cast<int>(magnitude >> kDigits);
    const int exponent = greater(stored, 1);
    const Bits digits = (magnitude & (kHidden - 1)) | (stored != 0 ? kHidden : 0);
    // A subnormal result has fewer digits; with no digit and one place more, the rest is below half.
    const int fewer = lesser(greater(kLeast - exponent, 0), H::kMantissa + 2);
    const int cut = kDigits - H::kMantissa + fewer;
    const Bits kept = digits >> cut;
    const Bits rest = digits - (kept << cut);
    const bool away = rounds_away<Mode, Bits>(sign, kept & 1, rest, Bits{1} << (cut - 1));
    // A carry out of the digits increments the exponent; the hidden digit counts as one there.
    const std::uint32_t scale = static_cast<std::uint32_t>(greater(exponent, kLeast) - kLeast) << H::kMantissa;
    const std::uint32_t rounded = scale + static_cast<std::uint32_t>(kept) + (away ? 1U : 0U);
    const bool to_infinity = (magnitude == kInfinity) | rounds_away<Mode, Bits>(sign, 1, 1, 1);
    const std::uint32_t number = lesser(rounded, to_infinity ? H::kInfinity : H::kInfinity - 1);
    const auto sign_of_result = static_cast<std::uint32_t>(sign >> (8 * sizeof(T) - 16));
    return H(magnitude > kInfinity ? H::kNan : number | sign_of_result);
}

template <bool Ftz, class H>
requires is_half<H> HWY_INLINE H flush_half(H a) {
    return Ftz && a.magnitude() < H::kLeastNormal ? H(a.sign()) : a;
}

// .sat: into [0, 1]; a NaN and -0 become +0.
template <bool Saturate, class H>
requires is_half<H> HWY_INLINE H saturate_half(H a) {
    const bool nan = a.is_nan();
    const bool zero = (a.sign() != 0) | nan;
    return Saturate ? H(zero ? 0 : lesser(a.bits, H::kOne)) : a;
}

// A row of wider numbers on their way from or to a format. The effect of a source type or a modifier is a separate loop
// over the row: an operation for each combination would take minutes to compile.
template <class T>
struct WideRow {
    alignas(64) Slot<T> lanes[kLanes];

    [[nodiscard]] HWY_INLINE Input<T> input() const {
        return {lanes};
    }
    HWY_INLINE void set(std::size_t lane, T value) {
        lanes[lane] = std::bit_cast<Slot<T>>(value);
    }
};

// The numbers in bits `shift` and up of a row's slots.
template <class H>
HWY_NOINLINE void widen_row(const std::uint32_t* from, unsigned shift, bool ftz, WideRow<float>& to) {
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const H a(from[lane] >> shift);
        to.set(lane, widen(ftz ? flush_half<true>(a) : a));
    }
}

// make.template operator()<H>() for a type of 16 bits or a pair; null for other types.
template <class Make>
VectorOp for_half(ir::Type type, Make make) {
    switch (type) {
    case ir::Type::F16:
    case ir::Type::F16x2:
        return make.template operator()<F16>();
    case ir::Type::BF16:
    case ir::Type::BF16x2:
        return make.template operator()<BF16>();
    default:
        return nullptr;
    }
}

// make.template operator()<Mode>() for .rn, .rz, .rm or .rp; null for others.
template <class Make>
VectorOp for_direction(ir::Rounding rounding, Make make) {
    using enum ir::Rounding;
    switch (rounding) {
    case Rn:
        return make.template operator()<Rn>();
    case Rz:
        return make.template operator()<Rz>();
    case Rm:
        return make.template operator()<Rm>();
    case Rp:
        return make.template operator()<Rp>();
    default:
        return nullptr;
    }
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
