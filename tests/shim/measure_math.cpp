// Measures the error of the device's math functions in units in the last place, against double (float functions) and
// long double (double functions) references of the host's C library.
//
//   measure_math [--stride N] [--samples N] [--limits] [NAME...]
//
// Float functions of one argument are swept over every Nth float bit pattern (N odd: all exponents and signs; 1: all);
// the others, and doubles, at random points. Prints one line a function: name, largest error, where, points.
// --limits: the exit status is 1 when an error is larger than it may be.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "detail/math_bessel.h"
#include "detail/math_distance.h"
#include "detail/math_double_misc.h"
#include "detail/math_double_trig.h"
#include "detail/math_float_misc.h"
#include "detail/math_float_trig.h"
#include "detail/math_gamma.h"
#include "detail/math_inverse_error.h"
#include "math_references.h"

namespace {

struct Worst {
    double ulp = 0;
    double x = 0, y = 0, got = 0;
    std::uint64_t points = 0;
};

// The spacing of Real's numbers at `value`, as a long double.
template <class Real>
long double spacing(long double value) {
    const long double magnitude = std::fabs(value);
    const int least = std::numeric_limits<Real>::min_exponent;
    int exponent = least;
    if (magnitude > 0)
        std::frexp(magnitude, &exponent);
    if (exponent < least)
        exponent = least;
    return std::ldexp(1.0L, exponent - std::numeric_limits<Real>::digits);
}

// `least`: the error counts in units of no smaller a number than this.
template <class Real>
double error_in_ulp(Real got, long double want, long double least = 0) {
    if (std::isnan(want) || std::isnan(got))
        return std::isnan(want) && std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
    const Real rounded = static_cast<Real>(want);
    if (std::isinf(got) || std::isinf(rounded))
        return got == rounded ? 0
               : std::isinf(got) && std::isfinite(rounded)
                   ? static_cast<double>((std::ldexp(1.0L, std::numeric_limits<Real>::max_exponent) - std::fabs(want)) /
                                         spacing<Real>(want))
                   : static_cast<double>((std::fabs(want) - std::fabs(static_cast<long double>(got))) /
                                         spacing<Real>(static_cast<long double>(got)));
    if (got == 0 && rounded == 0 && std::signbit(got) != std::signbit(rounded))
        return std::numeric_limits<double>::infinity();
    return static_cast<double>(std::fabs(static_cast<long double>(got) - want) /
                               spacing<Real>(std::fmax(std::fabs(want), least)));
}

template <class Real>
void note(Worst& worst, Real x, Real y, Real got, long double want, long double least = 0) {
    ++worst.points;
    const double e = error_in_ulp(got, want, least);
    if (!(e <= worst.ulp)) {
        worst = {e, static_cast<double>(x), static_cast<double>(y), static_cast<double>(got), worst.points};
    }
}

template <class Real>
struct Unary {
    const char* name;
    Real (*got)(Real);
    long double (*want)(Real);
    long double (*least)(long double) = nullptr;
    void measure_at(Worst& worst, Real x) const {
        note(worst, x, Real(0), got(x), want(x), least ? least(x) : 0);
    }
};
template <class Real>
struct Binary {
    const char* name;
    Real (*got)(Real, Real);
    long double (*want)(Real, Real);
    long double (*least)(Real, Real) = nullptr;
    void measure_at(Worst& worst, Real x, Real y) const {
        note(worst, x, y, got(x, y), want(x, y), least ? least(x, y) : 0);
    }
};

// References. Float functions: double is enough, to 2^-28 of a unit.
#define FLOAT_REFERENCE(name, ...) FLOAT_REFERENCE_FROM(nullptr, name, __VA_ARGS__)
#define FLOAT_REFERENCE_FROM(least, name, expression)                                                                                   \
    {                                                                                                                                   \
#name "f", [](float x) { return static_cast<float>(heddle_math::name(x)); }, [](float f) -> long double {                             \
         [[maybe_unused]] const double x = f;                                                                          \
         return expression;                                                                                            \
     }, least \
    }

double sin_of_pi(double x) { // x is a float: the remainder by 2 is exact
    const double r = std::remainder(x, 2.0);
    return r == std::trunc(r) ? std::copysign(0.0, x) : std::sin(r * 3.14159265358979323846);
}
double cos_of_pi(double x) {
    const double r = std::fabs(std::remainder(x, 2.0));
    return std::isnan(r) ? r : r == 0.5 || r == 1.5 ? 0.0 : std::sin((0.5 - r) * 3.14159265358979323846);
}

const Unary<float> kFloatUnary[] = {
    FLOAT_REFERENCE(exp, std::exp(x)),
    FLOAT_REFERENCE(exp2, std::exp2(x)),
    FLOAT_REFERENCE(exp10, std::pow(10.0, x)),
    FLOAT_REFERENCE(expm1, std::expm1(x)),
    FLOAT_REFERENCE(log, std::log(x)),
    FLOAT_REFERENCE(log2, std::log2(x)),
    FLOAT_REFERENCE(log10, std::log10(x)),
    FLOAT_REFERENCE(log1p, std::log1p(x)),
    FLOAT_REFERENCE(cbrt, std::cbrt(x)),
    FLOAT_REFERENCE(rcbrt, 1.0 / std::cbrt(x)),
    FLOAT_REFERENCE(sin, std::sin(x)),
    FLOAT_REFERENCE(cos, std::cos(x)),
    FLOAT_REFERENCE(tan, std::tan(x)),
    FLOAT_REFERENCE(sinpi, sin_of_pi(x)),
    FLOAT_REFERENCE(cospi, cos_of_pi(x)),
    FLOAT_REFERENCE(asin, std::asin(x)),
    FLOAT_REFERENCE(acos, std::acos(x)),
    FLOAT_REFERENCE(atan, std::atan(x)),
    FLOAT_REFERENCE(sinh, std::sinh(x)),
    FLOAT_REFERENCE(cosh, std::cosh(x)),
    FLOAT_REFERENCE(tanh, std::tanh(x)),
    FLOAT_REFERENCE(asinh, std::asinh(x)),
    FLOAT_REFERENCE(acosh, std::acosh(x)),
    FLOAT_REFERENCE(atanh, std::atanh(x)),
    FLOAT_REFERENCE(erf, std::erf(x)),
    FLOAT_REFERENCE(erfc, std::erfc(x)),
    FLOAT_REFERENCE(normcdf, 0.5 * std::erfc(x * -0.70710678118654752440)),
    FLOAT_REFERENCE(rsqrt, 1.0 / std::sqrt(x)),
    FLOAT_REFERENCE(round, std::round(x)),
    FLOAT_REFERENCE(nearbyint, std::nearbyint(x)),
    FLOAT_REFERENCE(erfcx, reference::erfcx(x)),
    FLOAT_REFERENCE(erfinv, reference::erfinv(x)),
    FLOAT_REFERENCE(erfcinv, reference::erfcinv(x)),
    FLOAT_REFERENCE(normcdfinv, reference::normcdfinv(x)),
    FLOAT_REFERENCE(tgamma, std::tgamma(x)),
    FLOAT_REFERENCE_FROM(reference::lgamma_least, lgamma, std::lgamma(x)),
    FLOAT_REFERENCE(logb, std::logb(x)),
    FLOAT_REFERENCE(ilogb, static_cast<float>(std::ilogb(x))),
    FLOAT_REFERENCE(cyl_bessel_i0, reference::bessel_i(0, x)),
    FLOAT_REFERENCE(cyl_bessel_i1, reference::bessel_i(1, x)),
    FLOAT_REFERENCE_FROM(reference::wave_beyond_8, j0, ::j0(x)),
    FLOAT_REFERENCE_FROM(reference::wave_beyond_8, j1, ::j1(x)),
    FLOAT_REFERENCE_FROM(reference::wave_beyond_8, y0, ::y0(x)),
    FLOAT_REFERENCE_FROM(reference::wave_beyond_8, y1, ::y1(x)),
};
// The result of remquo, or the quotient (0 where C leaves it open).
template <bool result, class Real>
Real quotient_of(Real x, Real y) {
    int n;
    const Real r = heddle_math::remquo(x, y, &n);
    return result ? r : static_cast<Real>(n % 8);
}
template <bool result, class Real>
Real quotient_reference(Real x, Real y) {
    int n = 0;
    const Real r = std::remquo(x, y, &n);
    return result ? r : std::isnan(r) || std::isinf(y) ? Real(0) : static_cast<Real>(n % 8);
}
template <class Real>
std::vector<Real> coordinates(Real x, Real y) {
    return {y, x, Real(0.7) * x, Real(1.3) * y, x};
}
int order(long double y) { // of a Bessel function: 0 to 39
    return std::isfinite(y) ? static_cast<int>(std::fmod(std::fabs(y), 40.0L)) : 2;
}
template <class Real>
long double wave_of_order(Real x, Real y) {
    return reference::wave_height(x, order(y) == 0 ? 0.5L : static_cast<long double>(order(y)));
}
const Binary<float> kFloatBinary[] = {
    {"powf", [](float x, float y) { return heddle_math::pow(x, y); },
     [](float x, float y) -> long double { return std::pow(static_cast<double>(x), static_cast<double>(y)); }},
    {"atan2f", [](float x, float y) { return heddle_math::atan2(x, y); },
     [](float x, float y) -> long double { return std::atan2(static_cast<double>(x), static_cast<double>(y)); }},
    {"hypotf", [](float x, float y) { return heddle_math::hypot(x, y); },
     [](float x, float y) -> long double { return std::hypot(static_cast<double>(x), static_cast<double>(y)); }},
    {"fmodf", [](float x, float y) { return heddle_math::fmod(x, y); },
     [](float x, float y) -> long double { return std::fmod(x, y); }},
    {"remainderf", [](float x, float y) { return heddle_math::remainder(x, y); },
     [](float x, float y) -> long double { return std::remainder(x, y); }},
    {"ldexpf", [](float x, float y) { return heddle_math::ldexp(x, static_cast<int>(std::fmod(y, 400.0f))); },
     [](float x, float y) -> long double { return std::ldexp(x, static_cast<int>(std::fmod(y, 400.0f))); }},
    {"nextafterf", [](float x, float y) { return heddle_math::nextafter(x, y); },
     [](float x, float y) -> long double { return std::nextafter(x, y); }},
    {"scalblnf", [](float x, float y) { return heddle_math::scalbln(x, static_cast<long>(std::fmod(y, 1e6f))); },
     [](float x, float y) -> long double { return std::scalbln(x, static_cast<long>(std::fmod(y, 1e6f))); }},
    {"remquof", [](float x, float y) { return quotient_of<true>(x, y); },
     [](float x, float y) -> long double { return quotient_reference<true>(x, y); }},
    {"remquo-nf", [](float x, float y) { return quotient_of<false>(x, y); },
     [](float x, float y) -> long double { return quotient_reference<false>(x, y); }},
    {"rhypotf", [](float x, float y) { return heddle_math::rhypot(x, y); },
     [](float x, float y) -> long double {
         return 1 / reference::length({x, y});
     }},
    {"norm3df", [](float x, float y) { return heddle_math::norm3d(x, y, 0.7f * x); },
     [](float x, float y) -> long double {
         return reference::length({x, y, 0.7f * x});
     }},
    {"rnorm3df", [](float x, float y) { return heddle_math::rnorm3d(x, y, 0.7f * x); },
     [](float x, float y) -> long double {
         return 1 / reference::length({x, y, 0.7f * x});
     }},
    {"norm4df", [](float x, float y) { return heddle_math::norm4d(x, y, 0.7f * x, 1.3f * y); },
     [](float x, float y) -> long double {
         return reference::length({x, y, 0.7f * x, 1.3f * y});
     }},
    {"rnorm4df", [](float x, float y) { return heddle_math::rnorm4d(x, y, 0.7f * x, 1.3f * y); },
     [](float x, float y) -> long double {
         return 1 / reference::length({x, y, 0.7f * x, 1.3f * y});
     }},
    {"normf", [](float x, float y) { return heddle_math::norm(5, coordinates(x, y).data()); },
     [](float x, float y) -> long double { return reference::length(coordinates(x, y)); }},
    {"rnormf", [](float x, float y) { return heddle_math::rnorm(5, coordinates(x, y).data()); },
     [](float x, float y) -> long double { return 1 / reference::length(coordinates(x, y)); }},
    {"jnf", [](float x, float y) { return heddle_math::jn(order(y), x); },
     [](float x, float y) -> long double { return ::jn(order(y), x); }, wave_of_order},
    {"ynf", [](float x, float y) { return heddle_math::yn(order(y), x); },
     [](float x, float y) -> long double { return ::yn(order(y), x); }, wave_of_order},
};

#define DOUBLE_REFERENCE(name, ...) DOUBLE_REFERENCE_FROM(nullptr, name, __VA_ARGS__)
#define DOUBLE_REFERENCE_FROM(least, name, expression)                                                                                   \
    {                                                                                                                                    \
#name, [](double x) { return static_cast<double>(heddle_math::name(x)); }, [](double d) -> long double {                               \
         [[maybe_unused]] const long double x = d;                                                                     \
         return expression;                                                                                            \
     }, least \
    }
constexpr long double kPi = 3.14159265358979323846264338327950288L;
constexpr long double kRootHalf = 0.70710678118654752440084436210484904L;
long double sin_of_pi_l(long double x) {
    const long double r = std::remainder(x, 2.0L);
    if (r == std::trunc(r))
        return std::copysign(0.0L, x);
    return std::copysign(std::sin((std::fabs(r) > 0.5L ? 1 - std::fabs(r) : std::fabs(r)) * kPi), r);
}
long double cos_of_pi_l(long double x) {
    const long double r = std::fabs(std::remainder(x, 2.0L));
    return std::isnan(r) ? r : r == 0.5L || r == 1.5L ? 0.0L : std::sin((0.5L - r) * kPi);
}
const Unary<double> kDoubleUnary[] = {
    DOUBLE_REFERENCE(exp, std::exp(x)),
    DOUBLE_REFERENCE(exp2, std::exp2(x)),
    DOUBLE_REFERENCE(exp10, std::pow(10.0L, x)),
    DOUBLE_REFERENCE(expm1, std::expm1(x)),
    DOUBLE_REFERENCE(log, std::log(x)),
    DOUBLE_REFERENCE(log2, std::log2(x)),
    DOUBLE_REFERENCE(log10, std::log10(x)),
    DOUBLE_REFERENCE(log1p, std::log1p(x)),
    DOUBLE_REFERENCE(cbrt, std::cbrt(x)),
    DOUBLE_REFERENCE(rcbrt, 1.0L / std::cbrt(x)),
    DOUBLE_REFERENCE(sin, std::sin(x)),
    DOUBLE_REFERENCE(cos, std::cos(x)),
    DOUBLE_REFERENCE(tan, std::tan(x)),
    DOUBLE_REFERENCE(sinpi, sin_of_pi_l(x)),
    DOUBLE_REFERENCE(cospi, cos_of_pi_l(x)),
    DOUBLE_REFERENCE(asin, std::asin(x)),
    DOUBLE_REFERENCE(acos, std::acos(x)),
    DOUBLE_REFERENCE(atan, std::atan(x)),
    DOUBLE_REFERENCE(sinh, std::sinh(x)),
    DOUBLE_REFERENCE(cosh, std::cosh(x)),
    DOUBLE_REFERENCE(tanh, std::tanh(x)),
    DOUBLE_REFERENCE(asinh, std::asinh(x)),
    DOUBLE_REFERENCE(acosh, std::acosh(x)),
    DOUBLE_REFERENCE(atanh, std::atanh(x)),
    DOUBLE_REFERENCE(erf, std::erf(x)),
    DOUBLE_REFERENCE(erfc, std::erfc(x)),
    DOUBLE_REFERENCE(normcdf, 0.5L * std::erfc(x * -kRootHalf)),
    DOUBLE_REFERENCE(rsqrt, 1.0L / std::sqrt(x)),
    DOUBLE_REFERENCE(round, std::round(x)),
    DOUBLE_REFERENCE(erfcx, reference::erfcx(x)),
    DOUBLE_REFERENCE(erfinv, reference::erfinv(x)),
    DOUBLE_REFERENCE(erfcinv, reference::erfcinv(x)),
    DOUBLE_REFERENCE(normcdfinv, reference::normcdfinv(x)),
    DOUBLE_REFERENCE(tgamma, std::tgamma(x)),
    DOUBLE_REFERENCE_FROM(reference::lgamma_least, lgamma, std::lgamma(x)),
    DOUBLE_REFERENCE(logb, std::logb(x)),
    DOUBLE_REFERENCE(ilogb, std::ilogb(x)),
    DOUBLE_REFERENCE(cyl_bessel_i0, reference::bessel_i(0, x)),
    DOUBLE_REFERENCE(cyl_bessel_i1, reference::bessel_i(1, x)),
    DOUBLE_REFERENCE_FROM(reference::wave_beyond_8, j0, ::j0l(x)),
    DOUBLE_REFERENCE_FROM(reference::wave_beyond_8, j1, ::j1l(x)),
    DOUBLE_REFERENCE_FROM(reference::wave_beyond_8, y0, ::y0l(x)),
    DOUBLE_REFERENCE_FROM(reference::wave_beyond_8, y1, ::y1l(x)),
};
using Wide = long double;
const Binary<double> kDoubleBinary[] = {
    {"pow", [](double x, double y) { return heddle_math::pow(x, y); },
     [](double x, double y) { return std::pow(Wide{x}, Wide{y}); }},
    {"atan2", [](double x, double y) { return heddle_math::atan2(x, y); },
     [](double x, double y) { return std::atan2(Wide{x}, Wide{y}); }},
    {"hypot", [](double x, double y) { return heddle_math::hypot(x, y); },
     [](double x, double y) { return std::hypot(Wide{x}, Wide{y}); }},
    {"fmod", [](double x, double y) { return heddle_math::fmod(x, y); },
     [](double x, double y) { return Wide{std::fmod(x, y)}; }},
    {"remainder", [](double x, double y) { return heddle_math::remainder(x, y); },
     [](double x, double y) { return Wide{std::remainder(x, y)}; }},
    {"ldexp", [](double x, double y) { return heddle_math::ldexp(x, static_cast<int>(std::fmod(y, 3000.0))); },
     [](double x, double y) { return Wide{std::ldexp(x, static_cast<int>(std::fmod(y, 3000.0)))}; }},
    {"nextafter", [](double x, double y) { return heddle_math::nextafter(x, y); },
     [](double x, double y) -> long double { return std::nextafter(x, y); }},
    {"scalbln", [](double x, double y) { return heddle_math::scalbln(x, static_cast<long>(std::fmod(y, 1e6))); },
     [](double x, double y) -> long double { return std::scalbln(x, static_cast<long>(std::fmod(y, 1e6))); }},
    {"remquo", [](double x, double y) { return quotient_of<true>(x, y); },
     [](double x, double y) -> long double { return quotient_reference<true>(x, y); }},
    {"remquo-n", [](double x, double y) { return quotient_of<false>(x, y); },
     [](double x, double y) -> long double { return quotient_reference<false>(x, y); }},
    {"rhypot", [](double x, double y) { return heddle_math::rhypot(x, y); },
     [](double x, double y) -> long double {
         return 1 / reference::length({x, y});
     }},
    {"norm3d", [](double x, double y) { return heddle_math::norm3d(x, y, 0.7 * x); },
     [](double x, double y) -> long double {
         return reference::length({x, y, 0.7 * x});
     }},
    {"rnorm3d", [](double x, double y) { return heddle_math::rnorm3d(x, y, 0.7 * x); },
     [](double x, double y) -> long double {
         return 1 / reference::length({x, y, 0.7 * x});
     }},
    {"norm4d", [](double x, double y) { return heddle_math::norm4d(x, y, 0.7 * x, 1.3 * y); },
     [](double x, double y) -> long double {
         return reference::length({x, y, 0.7 * x, 1.3 * y});
     }},
    {"rnorm4d", [](double x, double y) { return heddle_math::rnorm4d(x, y, 0.7 * x, 1.3 * y); },
     [](double x, double y) -> long double {
         return 1 / reference::length({x, y, 0.7 * x, 1.3 * y});
     }},
    {"norm", [](double x, double y) { return heddle_math::norm(5, coordinates(x, y).data()); },
     [](double x, double y) -> long double { return reference::length(coordinates(x, y)); }},
    {"rnorm", [](double x, double y) { return heddle_math::rnorm(5, coordinates(x, y).data()); },
     [](double x, double y) -> long double { return 1 / reference::length(coordinates(x, y)); }},
    {"jn", [](double x, double y) { return heddle_math::jn(order(y), x); },
     [](double x, double y) -> long double { return ::jnl(order(y), x); }, wave_of_order},
    {"yn", [](double x, double y) { return heddle_math::yn(order(y), x); },
     [](double x, double y) -> long double { return ::ynl(order(y), x); }, wave_of_order},
};

struct Options {
    std::uint64_t stride = 251;
    std::uint64_t samples = 4000000;
    bool limits = false;
    std::vector<std::string> names;
    [[nodiscard]] bool wants(const char* name) const {
        if (names.empty())
            return true;
        for (const std::string& n : names)
            if (n == name)
                return true;
        return false;
    }
};

// Functions whose largest error is beyond this fail a run with --limits: the first row that the name begins with.
// docs/cuda-math.md has the measured numbers.
constexpr struct {
    const char* prefix;
    double ulp;
} kLimits[] = {{"erfcx", 4.5}, {"erfc", 5.5},    {"normcdf", 5.5}, {"fmod", 0},  {"rem", 0},  {"ldexp", 0},
               {"round", 0},   {"nearbyint", 0}, {"logb", 0},      {"ilogb", 0}, {"next", 0}, {"scalbln", 0},
               {"tgamma", 5},  {"lgamma", 6},    {"cyl", 6},       {"j0", 9},    {"j1", 9},   {"y0", 9},
               {"y1", 9},      {"jn", 40},       {"yn", 40}};
double limit_of(const std::string& name) {
    for (const auto& limit : kLimits)
        if (name.starts_with(limit.prefix))
            return limit.ulp;
    return 2.5;
}
bool beyond_limit = false;

void print(const char* name, const Worst& worst, bool two) {
    beyond_limit = beyond_limit || !(worst.ulp <= limit_of(name));
    std::printf("%-12s max %8.3f ulp at %.9g", name, worst.ulp, worst.x);
    if (two)
        std::printf(", %.9g", worst.y);
    std::printf(" -> %.9g  (%llu points)\n", worst.got, static_cast<unsigned long long>(worst.points));
    std::fflush(stdout);
}

template <class Real>
constexpr Real kSpecial[] = {Real(0),
                             Real(-0.0),
                             Real(1),
                             Real(-1),
                             Real(2),
                             Real(-2),
                             Real(3),
                             Real(-3),
                             Real(0.5),
                             Real(-0.5),
                             Real(2.5),
                             std::numeric_limits<Real>::infinity(),
                             -std::numeric_limits<Real>::infinity(),
                             std::numeric_limits<Real>::quiet_NaN(),
                             std::numeric_limits<Real>::max(),
                             std::numeric_limits<Real>::lowest(),
                             std::numeric_limits<Real>::min(),
                             std::numeric_limits<Real>::denorm_min(),
                             -std::numeric_limits<Real>::denorm_min()};

// Half of the points: any bit pattern. The other half: magnitudes that keep results finite, and close to 1.
template <class Real>
Real random_point(std::mt19937_64& random) {
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    const std::uint64_t kind = random() % 4;
    if (kind < 2)
        return std::bit_cast<Real>(static_cast<Bits>(random())) + Real(0); // quiet: the C library's fmax heeds a signal
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<Real>(kind == 2 ? std::ldexp(1 + unit, static_cast<int>(random() % 24) - 12) *
                                             (random() % 4 == 0 ? -1 : 1)
                                       : 1 + (unit - 0.5) * 0.125);
}

template <class Real>
void measure(const Binary<Real>& f, const Options& options) {
    Worst worst;
    for (const Real x : kSpecial<Real>)
        for (const Real y : kSpecial<Real>)
            f.measure_at(worst, x, y);
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < options.samples; ++i) {
        const Real x = random_point<Real>(random), y = random_point<Real>(random);
        f.measure_at(worst, x, y);
    }
    print(f.name, worst, true);
}

void measure(const Unary<float>& f, const Options& options) {
    Worst worst;
    for (const float x : kSpecial<float>)
        f.measure_at(worst, x);
    for (std::uint64_t u = 0; u <= 0xffffffffu; u += options.stride) {
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(u));
        f.measure_at(worst, x);
    }
    print(f.name, worst, false);
}

void measure(const Unary<double>& f, const Options& options) {
    Worst worst;
    for (const double x : kSpecial<double>)
        f.measure_at(worst, x);
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < options.samples; ++i) {
        const double x = random_point<double>(random);
        f.measure_at(worst, x);
    }
    print(f.name, worst, false);
}

template <class Table>
void measure_all(const Table& table, const Options& options) {
    for (const auto& f : table)
        if (options.wants(f.name))
            measure(f, options);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--stride") == 0 && i + 1 < argc)
            options.stride = std::strtoull(argv[++i], nullptr, 10);
        else if (std::strcmp(argv[i], "--samples") == 0 && i + 1 < argc)
            options.samples = std::strtoull(argv[++i], nullptr, 10);
        else if (std::strcmp(argv[i], "--limits") == 0)
            options.limits = true;
        else
            options.names.emplace_back(argv[i]);
    }
    measure_all(kFloatUnary, options);
    measure_all(kFloatBinary, options);
    measure_all(kDoubleUnary, options);
    measure_all(kDoubleBinary, options);
    return options.limits && beyond_limit ? 1 : 0;
}
