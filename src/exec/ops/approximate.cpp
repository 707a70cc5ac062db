// The approximate functions. PTX bounds their errors and fixes their special values, not their bits. They are
// computed in f64 with additions, multiplications and divisions alone (no fma), so that the bits do not
// depend on the instruction set, and then rounded once. docs/ptx-accuracy.md has the errors.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/approximate.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include <cmath>

#include "exec/ops/exponential-inl.h"
#include "exec/ops/families.h"
#include "exec/ops/float-inl.h"
#include "exec/ops/reduce_angle.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::uint32_t, std::uint64_t;

template <bool Ftz>
HWY_INLINE float end(double value) {
    return finish<Ftz, false>(static_cast<float>(value));
}

// 1 / a rounded correctly: error 0.5 ulp.
template <bool Ftz>
HWY_INLINE float reciprocal(float a) {
    return finish<Ftz, false>(1.0F / flush_if<Ftz>(a));
}

// Rounded correctly: 0.5 ulp.
template <bool Ftz>
HWY_INLINE float square_root(float a) {
    return finish<Ftz, false>(std::sqrt(flush_if<Ftz>(a)));
}

// Two roundings: relative error below 2^-23.
template <bool Ftz>
HWY_INLINE float reciprocal_root(float a) {
    return finish<Ftz, false>(1.0F / std::sqrt(flush_if<Ftz>(a)));
}

// div.full: rounded correctly, which PTX allows.
template <bool Ftz>
HWY_INLINE float divide_full(float a, float b) {
    return finish<Ftz, false>(flush_if<Ftz>(a) / flush_if<Ftz>(b));
}

// div.approx is defined as a * (1 / b), where the reciprocal of a divisor beyond 2^126 counts as zero: 1.5 ulp. Where b
// is subnormal, ptxas's code multiplies both by 2^24 first.
template <bool Ftz>
HWY_INLINE float divide_approximately(float a, float b) {
    const float scale = !Ftz && std::fabs(b) < 0x1p-126F ? 0x1p24F : 1.0F;
    const float reciprocal = flush(1.0F / flush_if<Ftz>(b * scale));
    return finish<Ftz, false>(flush_if<Ftz>(a * scale) * reciprocal);
}

template <bool Ftz>
HWY_INLINE float power_of_two(float a) {
    a = flush_if<Ftz>(a);
    return a != a ? canonical(a) : end<Ftz>(exp2_of(static_cast<double>(a)));
}

HWY_INLINE float hyperbolic_tangent(float a) {
    return end<false>(tanh_of(static_cast<double>(a)));
}

// log2 a = e + log2 m, m in [sqrt(1/2), sqrt(2)); log2 m = 2/ln 2 * artanh s, s = (m - 1) / (m + 1), |s| < 0.172: the
// series to s^13, remainder below 2^-39 of it.
template <bool Ftz>
HWY_INLINE float binary_logarithm(float a) {
    a = flush_if<Ftz>(a);
    constexpr uint64_t kRootHalf = 0x3fe6'a09e'667f'3bcd;
    constexpr uint64_t kOne = 0x3ff0'0000'0000'0000;
    constexpr uint64_t kTwo52 = 0x4330'0000'0000'0000;
    const auto bits = std::bit_cast<uint64_t>(static_cast<double>(a)); // f32's subnormals are normal here
    const uint64_t biased = (bits - kRootHalf + kOne) >> 52;
    const double m = std::bit_cast<double>(bits - (biased << 52) + kOne);
    const double e = std::bit_cast<double>(biased | kTwo52) - (0x1p52 + 1023.0);
    const double s = (m - 1.0) / (m + 1.0);
    const double t = s * s;
    double p = 1.0 / 13;
    p = p * t + 1.0 / 11;
    p = p * t + 1.0 / 9;
    p = p * t + 1.0 / 7;
    p = p * t + 1.0 / 5;
    p = p * t + 1.0 / 3;
    p = p * t + 1.0;
    const float value = static_cast<float>(e + 2.8853900817779268 * (s * p));
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float special = a == 0.0F ? -kInfinity : a > 0.0F ? kInfinity : std::bit_cast<float>(kNan32);
    const bool plain = (a > 0.0F) & (a < kInfinity);
    return finish<Ftz, false>(plain ? value : special);
}

// Sine of quadrant * pi/2 + r, |r| <= pi/4: Taylor polynomials, remainders below 2^-33.
HWY_INLINE double sine_in_quadrant(uint64_t quadrant, double r) {
    const double t = r * r;
    double sine = -2.5052108385441720e-08;
    sine = sine * t + 2.7557319223985893e-06;
    sine = sine * t - 1.9841269841269841e-04;
    sine = sine * t + 8.3333333333333332e-03;
    sine = sine * t - 1.6666666666666666e-01;
    sine = r * (sine * t + 1.0);
    double cosine = -2.7557319223985888e-07;
    cosine = cosine * t + 2.4801587301587302e-05;
    cosine = cosine * t - 1.3888888888888889e-03;
    cosine = cosine * t + 4.1666666666666664e-02;
    cosine = cosine * t - 0.5;
    cosine = cosine * t + 1.0;
    const uint64_t odd = uint64_t{0} - (quadrant & 1);
    const uint64_t value = (std::bit_cast<uint64_t>(cosine) & odd) | (std::bit_cast<uint64_t>(sine) & ~odd);
    return std::bit_cast<double>(value ^ (quadrant & 2) << 62);
}

constexpr float kFar = 0x1p19F; // below it, the multiple of pi/2 has at most 20 bits

// Reduction by pi/2 in two parts: the first has 33 bits, so that its products are exact.
template <bool Cosine, bool Ftz>
HWY_INLINE float sine(float a) {
    const double x = static_cast<double>(flush_if<Ftz>(a));
    const double shifted = x * 0.63661977236758138 + kRoundingMagic;
    const double k = shifted - kRoundingMagic;
    const double r = (x - k * 1.5707963267341256) - k * 6.077100506506192e-11;
    return end<Ftz>(sine_in_quadrant(std::bit_cast<uint64_t>(shifted) + (Cosine ? 1 : 0), r));
}

HWY_INLINE bool is_far(float a) {
    return (a >= kFar) | (a <= -kFar);
}

// Angles from kFar on are rare; their lanes are computed again one by one, with the exact multiple.
template <bool Cosine, bool Ftz>
void sine_of_any(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, uint32_t mask) {
    uint32_t far = lane_mask<is_far>(op, frame, pool) & mask;
    float angle[kLanes];
    if (HWY_UNLIKELY(far != 0)) {
        std::memcpy(angle, source(op.src[0], frame, pool), sizeof angle);
    }
    lanewise_row<sine<Cosine, Ftz>>(op, frame, pool, mask);
    for (; far != 0; far &= far - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(far));
        const Angle reduced = reduce_angle(angle[lane]);
        const float result = end<Ftz>(sine_in_quadrant(reduced.quadrant + (Cosine ? 1 : 0), reduced.rest));
        std::memcpy(frame + op.dst[0] + lane * sizeof result, &result, sizeof result);
    }
}

// The .ftz.f64 forms read and write the upper 32 bits: sign, exponent, 20 bits of mantissa.
HWY_INLINE double upper_word(double a) {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(a) & 0xffff'ffff'0000'0000);
}

HWY_INLINE double flush(double a) {
    const auto bits = std::bit_cast<uint64_t>(a);
    const uint64_t exponent = bits & 0x7ff0'0000'0000'0000;
    return std::bit_cast<double>(exponent == 0 ? bits & 0x8000'0000'0000'0000 : bits);
}

constexpr uint64_t kCoarseNan = uint64_t{kNan32} << 32; // a NaN of the upper 32 bits

// Rounded to the 20 digits of the upper word; the addition of half a last place carries into the exponent if needed.
HWY_INLINE double coarse(double value) {
    const double rounded = std::bit_cast<double>(std::bit_cast<uint64_t>(flush(value)) + 0x8000'0000);
    return value != value ? std::bit_cast<double>(kCoarseNan) : upper_word(rounded);
}

HWY_INLINE double coarse_reciprocal(double a) {
    return coarse(1.0 / flush(upper_word(a)));
}

HWY_INLINE double coarse_reciprocal_root(double a) {
    return coarse(1.0 / std::sqrt(flush(upper_word(a))));
}

// Two roundings: below 1.5 ulp.
HWY_INLINE double reciprocal_root_f64(double a) {
    return with_nan_of(1.0 / std::sqrt(a), a);
}

template <bool Ftz>
VectorOp select_f32(const ir::MicroOp& op) {
    using enum ir::Opcode;
    if (op.opcode == Div) {
        return op.has(ir::kFull)     ? lanewise<divide_full<Ftz>>
               : op.has(ir::kApprox) ? lanewise<divide_approximately<Ftz>>
                                     : nullptr;
    }
    if (!op.has(ir::kApprox)) {
        return nullptr;
    }
    switch (op.opcode) {
    case Rcp:
        return lanewise<reciprocal<Ftz>>;
    case Sqrt:
        return lanewise<square_root<Ftz>>;
    case Rsqrt:
        return lanewise<reciprocal_root<Ftz>>;
    case Ex2:
        return lanewise<power_of_two<Ftz>>;
    case Lg2:
        return lanewise<binary_logarithm<Ftz>>;
    case Tanh:
        return Ftz ? nullptr : lanewise<hyperbolic_tangent>;
    case Sin:
        return each_row<sine_of_any<false, Ftz>>;
    case Cos:
        return each_row<sine_of_any<true, Ftz>>;
    default:
        return nullptr;
    }
}

VectorOp select_f64(const ir::MicroOp& op) {
    const bool ftz = op.has(ir::kFtz);
    if (!op.has(ir::kApprox)) {
        return nullptr;
    }
    switch (op.opcode) {
    case ir::Opcode::Rcp:
        return ftz ? lanewise<coarse_reciprocal> : nullptr;
    case ir::Opcode::Rsqrt:
        return ftz ? lanewise<coarse_reciprocal_root> : lanewise<reciprocal_root_f64>;
    default:
        return nullptr;
    }
}

VectorOp select(const ir::MicroOp& op) {
    if (op.has(ir::kSaturate)) {
        return nullptr;
    }
    switch (op.type) {
    case ir::Type::F32:
        return op.has(ir::kFtz) ? select_f32<true>(op) : select_f32<false>(op);
    case ir::Type::F64:
        return select_f64(op);
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

VectorOp select_approximate(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
