// The verdict of a workload: PASS, or the first few values that differ from the reference.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace workload {

/// The largest relative error of rounding to nearest: 2^-24 of float, 2^-53 of double.
template <typename Real>
constexpr double unit_roundoff() {
    return std::numeric_limits<Real>::epsilon() / 2;
}

class Check {
public:
    /// Integers must be the same.
    template <typename T>
    void equal(const char* what, const std::vector<T>& got, const std::vector<T>& expected) {
        for (std::size_t i = 0; i < expected.size(); ++i)
            equal(what, i, static_cast<long long>(got[i]), static_cast<long long>(expected[i]));
    }
    void equal(const char* what, std::size_t index, long long got, long long expected) {
        if (got != expected && differs())
            std::printf("%s[%zu]: got %lld, expected %lld\n", what, index, got, expected);
    }

    /// Floating-point values must be within an absolute tolerance; a NaN never is.
    template <typename T, typename U>
    void near(const char* what, const std::vector<T>& got, const std::vector<U>& expected, double tolerance) {
        for (std::size_t i = 0; i < expected.size(); ++i)
            near(what, i, static_cast<double>(got[i]), static_cast<double>(expected[i]), tolerance);
    }
    void near(const char* what, std::size_t index, double got, double expected, double tolerance) {
        const double error = std::fabs(got - expected);
        if (error > worst_)
            worst_ = error;
        if (!(error <= tolerance) && differs())
            std::printf("%s[%zu]: got %.9g, expected %.9g within %g\n", what, index, got, expected, tolerance);
    }

    /// The largest difference that near() has seen.
    double worst() const {
        return worst_;
    }

    bool passed() const {
        return differences_ == 0;
    }

    /// Prints the verdict; returns the program's exit status.
    int finish() const {
        if (passed())
            std::printf("PASS\n");
        else
            std::printf("FAIL: %zu values differ from the reference\n", differences_);
        return passed() ? EXIT_SUCCESS : EXIT_FAILURE;
    }

private:
    /// Counts a difference; whether it is one of the few that are printed.
    bool differs() {
        return ++differences_ <= 8;
    }

    std::size_t differences_ = 0;
    double worst_ = 0;
};

} // namespace workload
