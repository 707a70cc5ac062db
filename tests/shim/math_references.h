// References in long double for functions that the C library lacks, and what errors are counted in where a function has
// zeros that no fixed number of bits comes close to.
#pragma once

#include <cmath>
#include <vector>

namespace reference {

inline constexpr long double kPi = 3.14159265358979323846264338327950288L;
inline constexpr long double kInfinity = __builtin_infl();

// The derivative of erf is 1 / this.
inline long double error_step(long double z) {
    return std::sqrt(kPi) / 2 * std::exp(z * z);
}
// Newton's method on log(erfc(z)) - log(y), 0 < y <= 1/2.
inline long double erfcinv_tail(long double y) {
    long double z = std::sqrt(-std::log(y));
    for (int i = 0; i < 50; ++i) {
        const long double tail = std::erfc(z);
        const long double step = std::log(tail / y) * tail * error_step(z);
        z += step;
        if (std::fabs(step) < 1e-14L * z) // it converges quadratically: the next step would be nothing
            break;
    }
    return z;
}
inline long double erfinv(long double x) {
    const long double a = std::fabs(x);
    if (!(a < 1))
        return a == 1 ? x * kInfinity : __builtin_nanl("");
    if (a > 0.5L)
        return std::copysign(erfcinv_tail(1 - a), x);
    long double z = x * std::sqrt(kPi) / 2;
    for (int i = 0; i < 6 && a > 1e-12L; ++i)
        z -= (std::erf(z) - x) * error_step(z);
    return z;
}
inline long double erfcinv(long double y) {
    if (!(y > 0 && y < 2))
        return y == 0 ? kInfinity : y == 2 ? -kInfinity : __builtin_nanl("");
    return y < 0.5L ? erfcinv_tail(y) : y > 1.5L ? -erfcinv_tail(2 - y) : erfinv(1 - y);
}
inline long double normcdfinv(long double p) {
    return std::sqrt(2.0L) * -erfcinv(2 * p) + 0.0L;
}
inline long double erfcx(long double x) {
    if (x < -200)
        return kInfinity;
    if (x < 100) { // e^(square + lost) erfc(x)
        const long double square = x * x;
        return std::exp(square) * (1 + std::fma(x, x, -square)) * std::erfc(x);
    }
    const long double t = 0.5L / (x * x);
    long double sum = 1;
    for (int k = 13; k > 0; k -= 2)
        sum = 1 - t * static_cast<long double>(k) * sum;
    return std::isnan(x) ? x : sum / (x * std::sqrt(kPi));
}

// The series, all of whose terms have one sign.
inline long double bessel_i(int order, long double x) {
    if (std::fabs(x) > 1000)
        return order == 0 ? kInfinity : std::copysign(kInfinity, x);
    long double term = order == 0 ? 1 : x / 2, sum = term;
    for (long double k = 1; std::fabs(term) > std::fabs(sum) * 1e-22L; ++k) {
        term *= x / 2 * (x / 2) / (k * (k + order));
        sum += term;
    }
    return sum;
}
// An infinite coordinate wins over one that is not a number.
template <class Real>
long double length(const std::vector<Real>& coordinates) {
    long double sum = 0;
    bool infinite = false;
    for (const Real c : coordinates) {
        infinite = infinite || std::isinf(c);
        sum += static_cast<long double>(c) * static_cast<long double>(c);
    }
    return infinite ? kInfinity : std::sqrt(sum);
}
inline long double length(std::initializer_list<float> coordinates) {
    return length(std::vector<float>(coordinates));
}
inline long double length(std::initializer_list<double> coordinates) {
    return length(std::vector<double>(coordinates));
}

// Bessel functions beyond `from`: the height of the wave. Before that the value itself.
inline long double wave_height(long double x, long double from) {
    return std::fabs(x) > from ? std::sqrt(2 / (kPi * std::fabs(x))) : 0;
}
inline long double wave_beyond_8(long double x) {
    return wave_height(x, 8);
}
// log Gamma where it goes through 0 between its poles: 1, or the logarithm of Gamma of the other sign, which is part of
// the sum.
inline long double lgamma_least(long double x) {
    return x > -10.001L && x < -2.264L ? std::fmax(std::lgamma(-x), 1.0L) : 0;
}

} // namespace reference
