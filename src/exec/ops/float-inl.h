// PTX's rules for every floating-point operation: subnormals, saturation, NaNs, rounding.

#if defined(HEDDLE_EXEC_OPS_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_FLOAT_INL_H_
#undef HEDDLE_EXEC_OPS_FLOAT_INL_H_
#else
#define HEDDLE_EXEC_OPS_FLOAT_INL_H_
#endif

#include <cfenv>

#include <hwy/highway.h>
#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

inline constexpr std::uint32_t kNan32 = 0x7fffffff;            // the NaN of f32 operations
inline constexpr std::uint64_t kNan64 = 0xfff8'0000'0000'0000; // the NaN of f64 operations without a NaN operand
inline constexpr std::uint64_t kQuietBit64 = 0x0008'0000'0000'0000;

// .ftz: a subnormal counts as a zero of its sign.
HWY_INLINE float flush(float a) {
    const auto bits = std::bit_cast<std::uint32_t>(a);
    return std::bit_cast<float>((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits);
}

template <bool Ftz, class T>
HWY_INLINE T flush_if(T a) {
    if constexpr (Ftz) {
        return flush(a);
    } else {
        return a;
    }
}

// .sat: into [0, 1]; a NaN and -0 become +0.
template <class T>
HWY_INLINE T saturate(T a) {
    const T not_negative = a > T{0} ? a : T{0};
    return not_negative < T{1} ? not_negative : T{1};
}

HWY_INLINE float canonical(float a) {
    return a != a ? std::bit_cast<float>(kNan32) : a;
}

HWY_INLINE double quiet(double nan) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | kQuietBit64);
}

// The result of an f64 operation: `value`, or for a NaN the first NaN operand, quieted. Explicit, since compilers may
// swap the operands of the host's instruction.
template <class... Operands>
HWY_INLINE double with_nan_of(double value, Operands... operands) {
    double nan = std::bit_cast<double>(kNan64);
    const double list[] = {operands...};
    for (std::size_t i = sizeof...(Operands); i-- > 0;) {
        nan = list[i] != list[i] ? quiet(list[i]) : nan;
    }
    return value != value ? nan : value;
}

// The end of an operation: flush, saturate, make NaNs PTX's.
template <bool Ftz, bool Saturate, class... Operands>
HWY_INLINE float finish(float value, Operands...) {
    if constexpr (Saturate) {
        return saturate(flush_if<Ftz>(value));
    } else {
        return canonical(flush_if<Ftz>(value));
    }
}

template <bool Ftz, bool Saturate, class... Operands>
HWY_INLINE double finish(double value, Operands... operands) {
    return with_nan_of(value, operands...);
}

// Sets the rounding mode of the host's vector unit for a scope. Compilers do not model the mode: the barriers keep an
// operation's loads behind the change and its stores before the change back, and so the arithmetic in between.
class RoundingScope {
public:
    explicit RoundingScope(ir::Rounding rounding) : before_(get()) {
        set(rounding);
        asm volatile("" ::: "memory");
    }
    ~RoundingScope() {
        asm volatile("" ::: "memory");
        restore();
    }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

private:
#if HWY_ARCH_X86 // the control register alone: fesetround takes 80 ns, because it also sets the x87 unit's mode
    using Mode = unsigned;
    static Mode get() {
        return _mm_getcsr();
    }
    void set(ir::Rounding rounding) const {
        _mm_setcsr((before_ & ~unsigned{_MM_ROUND_MASK}) | (rounding == ir::Rounding::Rz   ? _MM_ROUND_TOWARD_ZERO
                                                            : rounding == ir::Rounding::Rm ? _MM_ROUND_DOWN
                                                                                           : _MM_ROUND_UP));
    }
    void restore() const {
        _mm_setcsr(before_);
    }
#else
    using Mode = int;
    static Mode get() {
        return std::fegetround();
    }
    static void set(ir::Rounding rounding) {
        std::fesetround(rounding == ir::Rounding::Rz   ? FE_TOWARDZERO
                        : rounding == ir::Rounding::Rm ? FE_DOWNWARD
                                                       : FE_UPWARD);
    }
    void restore() const {
        std::fesetround(before_);
    }
#endif
    Mode before_;
};

// Runs an operation under .rz, .rm or .rp.
template <VectorOp Operation>
void rounded(const ir::MicroOp& op, const Frames& frames, std::span<const warp::Part> parts) {
    const RoundingScope scope(op.rounding);
    Operation(op, frames, parts);
}

// Chooses by the rounding mode of an operation; null for a mode that the operation does not have.
template <VectorOp Operation>
VectorOp with_rounding(const ir::MicroOp& op) {
    using enum ir::Rounding;
    switch (op.rounding) {
    case None:
    case Rn:
        return Operation;
    case Rz:
    case Rm:
    case Rp:
        return rounded<Operation>;
    default:
        return nullptr;
    }
}

// make.template operator()<T, Ftz, Saturate>() for an f32 or f64 operation; only f32 has .ftz and .sat.
template <class Make>
VectorOp for_float_flags(const ir::MicroOp& op, Make make) {
    const bool ftz = op.has(ir::kFtz);
    const bool sat = op.has(ir::kSaturate);
    switch (op.type) {
    case ir::Type::F32:
        return sat ? (ftz ? make.template operator()<float, true, true>()
                          : make.template operator()<float, false, true>())
                   : (ftz ? make.template operator()<float, true, false>()
                          : make.template operator()<float, false, false>());
    case ir::Type::F64:
        return ftz || sat ? nullptr : make.template operator()<double, false, false>();
    default:
        return nullptr;
    }
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
