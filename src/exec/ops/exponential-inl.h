// 2^x and tanh x in f64, for the approximate functions of all formats: additions, multiplications and divisions alone,
// so that the bits do not depend on the instruction set.

#if defined(HEDDLE_EXEC_OPS_EXPONENTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_EXPONENTIAL_INL_H_
#undef HEDDLE_EXEC_OPS_EXPONENTIAL_INL_H_
#else
#define HEDDLE_EXEC_OPS_EXPONENTIAL_INL_H_
#endif

#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

inline constexpr double kRoundingMagic = 6755399441055744.0; // 1.5 * 2^52: adding it leaves an integer in the low bits

// 2^x = 2^k * 2^f, f in [-1/2, 1/2]: the exponential series to f^8, remainder below 2^-32. Not for NaNs.
HWY_INLINE double exp2_of(double x) {
    x = x < 130.0 ? x : 130.0; // beyond, the results round to infinity and zero in f32
    x = x > -160.0 ? x : -160.0;
    const double shifted = x + kRoundingMagic;
    const double f = x - (shifted - kRoundingMagic);
    double p = 1.3215486790144305e-06;
    p = p * f + 1.5252733804059841e-05;
    p = p * f + 0.00015403530393381606;
    p = p * f + 0.0013333558146428441;
    p = p * f + 0.0096181291076284769;
    p = p * f + 0.055504108664821576;
    p = p * f + 0.24022650695910069;
    p = p * f + 0.69314718055994529;
    p = p * f + 1.0;
    const double scale = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
    return p * scale;
}

// tanh x = 1 - 2 / (e^2x + 1); below 1/4, where the difference would lose digits, the series to x^13, remainder below
// 2^-37 of it. NaNs stay NaNs.
HWY_INLINE double tanh_of(double x) {
    const double far = 1.0 - 2.0 / (exp2_of(x * 2.8853900817779268) + 1.0);
    const double t = x * x;
    double p = 21844.0 / 6081075;
    p = p * t - 1382.0 / 155925;
    p = p * t + 62.0 / 2835;
    p = p * t - 17.0 / 315;
    p = p * t + 2.0 / 15;
    p = p * t - 1.0 / 3;
    p = p * t + 1.0;
    const bool is_far = (x >= 0.25) | (x <= -0.25);
    return is_far ? far : p * x;
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
