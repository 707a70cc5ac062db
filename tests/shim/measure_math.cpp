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

#include "detail/math_double_misc.h"
#include "detail/math_double_trig.h"
#include "detail/math_float_misc.h"
#include "detail/math_float_trig.h"

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

template <class Real>
double error_in_ulp(Real got, long double want) {
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
    return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / spacing<Real>(want));
}

template <class Real>
void note(Worst& worst, Real x, Real y, Real got, long double want) {
    ++worst.points;
    const double e = error_in_ulp(got, want);
    if (!(e <= worst.ulp)) {
        worst = {e, static_cast<double>(x), static_cast<double>(y), static_cast<double>(got), worst.points};
    }
}

template <class Real>
struct Unary {
    const char* name;
    Real (*got)(Real);
    long double (*want)(Real);
};
template <class Real>
struct Binary {
    const char* name;
    Real (*got)(Real, Real);
    long double (*want)(Real, Real);
};

// References. Float functions: double is enough, to 2^-28 of a unit.
#define FLOAT_REFERENCE(name, expression)                                                                              \
    {                                                                                                                  \
#name "f", [](float x) { return heddle_math::name(x); }, [](float f) -> long double {                             \
         [[maybe_unused]] const double x = f;                                                                          \
         return expression;                                                                                            \
     }    \
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
};
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
};

#define DOUBLE_REFERENCE(name, expression)                                                                             \
    {                                                                                                                  \
#name, [](double x) { return heddle_math::name(x); }, [](double d) -> long double {                               \
         [[maybe_unused]] const long double x = d;                                                                     \
         return expression;                                                                                            \
     }    \
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

// Functions whose largest error is beyond this fail a run with --limits. docs/cuda-math.md has the measured numbers.
double limit_of(const std::string& name) {
    if (name.starts_with("erfc") || name.starts_with("normcdf"))
        return 5.5;
    return name == "fmod" || name == "fmodf" || name == "remainder" || name == "remainderf" || name == "ldexp" ||
                   name == "ldexpf" || name.starts_with("round") || name.starts_with("nearbyint")
               ? 0
               : 2.5;
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
        return std::bit_cast<Real>(static_cast<Bits>(random()));
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
            note(worst, x, y, f.got(x, y), f.want(x, y));
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < options.samples; ++i) {
        const Real x = random_point<Real>(random), y = random_point<Real>(random);
        note(worst, x, y, f.got(x, y), f.want(x, y));
    }
    print(f.name, worst, true);
}

void measure(const Unary<float>& f, const Options& options) {
    Worst worst;
    for (const float x : kSpecial<float>)
        note(worst, x, 0.0f, f.got(x), f.want(x));
    for (std::uint64_t u = 0; u <= 0xffffffffu; u += options.stride) {
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(u));
        note(worst, x, 0.0f, f.got(x), f.want(x));
    }
    print(f.name, worst, false);
}

void measure(const Unary<double>& f, const Options& options) {
    Worst worst;
    for (const double x : kSpecial<double>)
        note(worst, x, 0.0, f.got(x), f.want(x));
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < options.samples; ++i) {
        const double x = random_point<double>(random);
        note(worst, x, 0.0, f.got(x), f.want(x));
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
