// Prices of European calls and puts by the formula of Black and Scholes, one thread an option, on a machine that has
// neither exponential nor logarithm: they are computed as a library of such a machine does it, by reduction of the
// range and a polynomial, after arguments for which that would be wrong or needless have been turned away. Those are
// the short and rarely taken branches of DWF07 section 6; others are options that expire today and prices far from the
// strike.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr float kRate = 0.02f;       ///< riskless, a year
constexpr float kVolatility = 0.30f; ///< a year

/// Prices are below 100. Single precision, the polynomial of the normal distribution (7.5e-8) and the functions below
/// (a few units in the last place) stay an order of magnitude below this.
constexpr double kTolerance = 2e-4;

// ---- device ----

/// e^x for a finite x.
__device__ float exponential(float x) {
    if (x > 88.7f)
        return INFINITY;
    if (x < -87.3f)
        return 0.0f;
    if (fabsf(x) < 0x1p-13f)
        return 1.0f + x;
    // x = n ln 2 + rest, with ln 2 in two parts, and |rest| up to ln 2 / 2.
    const float n = floorf(x * 1.44269504f + 0.5f);
    const float rest = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    const float e =
        1.0f +
        rest *
            (1.0f + rest * (0.5f + rest * (1.0f / 6 + rest * (1.0f / 24 + rest * (1.0f / 120 + rest * (1.0f / 720))))));
    return e * __int_as_float((static_cast<int>(n) + 127) << 23);
}

/// The natural logarithm of a positive x.
__device__ float logarithm(float x) {
    int bits = __float_as_int(x);
    int exponent = 0;
    if (bits < 0x00800000) { // below the normal numbers
        bits = __float_as_int(x * 0x1p25f);
        exponent = -25;
    }
    if (bits >= 0x7f800000)
        return x;
    exponent += (bits >> 23) - 127;
    float mantissa = __int_as_float((bits & 0x007fffff) | 0x3f800000);
    if (mantissa > 1.41421356f) {
        mantissa *= 0.5f;
        ++exponent;
    }
    const float beyond_one = mantissa - 1.0f;
    if (fabsf(beyond_one) < 0x1p-12f)
        return static_cast<float>(exponent) * 0.693147181f + beyond_one * (1.0f - 0.5f * beyond_one);
    // ln((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + ..., |s| up to 0.172
    const float s = beyond_one / (2.0f + beyond_one);
    const float square = s * s;
    const float series =
        2.0f * s * (1.0f + square * (1.0f / 3 + square * (1.0f / 5 + square * (1.0f / 7 + square * (1.0f / 9)))));
    return static_cast<float>(exponent) * 0.693147181f + series;
}

/// Cumulative normal distribution: Abramowitz and Stegun, formula 26.2.17, absolute error below 7.5e-8.
__device__ float normal_below(float d) {
    if (d > 6.0f)
        return 1.0f;
    if (d < -6.0f)
        return 0.0f;
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float polynomial =
        k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228f * exponential(-0.5f * d * d) * polynomial;
    return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes(float* call, float* put, const float* spot, const float* strike, const float* years,
                              int count) {
    for (int i = workload::thread_index(); i < count; i += workload::thread_count()) {
        const float s = spot[i];
        const float x = strike[i];
        const float t = years[i];
        if (t <= 0.0f) { // what the option is worth today
            call[i] = fmaxf(s - x, 0.0f);
            put[i] = fmaxf(x - s, 0.0f);
            continue;
        }
        const float deviation = kVolatility * sqrtf(t);
        const float d1 = (logarithm(s / x) + (kRate + 0.5f * kVolatility * kVolatility) * t) / deviation;
        const float below1 = normal_below(d1);
        const float below2 = normal_below(d1 - deviation);
        const float discounted = x * exponential(-kRate * t);
        call[i] = s * below1 - discounted * below2;
        put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
    }
}

// ---- reference ----

namespace {

struct Prices {
    double call;
    double put;
};

Prices reference(double s, double x, double t) {
    if (t == 0)
        return {std::max(s - x, 0.0), std::max(x - s, 0.0)};
    const double rate = kRate;
    const double volatility = kVolatility;
    const double deviation = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
    const double d2 = d1 - deviation;
    const auto normal_below = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    const double discounted = x * std::exp(-rate * t);
    return {s * normal_below(d1) - discounted * normal_below(d2),
            discounted * normal_below(-d2) - s * normal_below(-d1)};
}

struct Options {
    std::vector<float> spot;
    std::vector<float> strike;
    std::vector<float> years;
};

/// A book of options: up to two years in trading days, of which the last is today, and strikes around the spot.
Options random_options(std::size_t count, workload::Random& random) {
    constexpr std::uint32_t kTradingDays = 252;
    Options options;
    for (std::size_t i = 0; i < count; ++i) {
        const float spot = random.uniform(5.0f, 50.0f);
        options.spot.push_back(spot);
        options.strike.push_back(spot * random.uniform(0.5f, 1.9f));
        options.years.push_back(static_cast<float>(random.below(2 * kTradingDays)) / kTradingDays);
    }
    return options;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("black", "Call and put prices with exponential and logarithm in software",
                               {{"dwf", {512 << 10, 0, 1}, {16 << 10, 0, 1}}});
    line.size("options to price", 1, 1u << 26).threads().block().seed();
    const workload::Options options = line.parse(argc, argv);

    const std::size_t count = options.amount.size;
    workload::Random random(options.seed);
    const Options book = random_options(count, random);
    const workload::Grid grid = workload::grid_for(options, count);
    workload::DeviceArray<float> spot(book.spot);
    workload::DeviceArray<float> strike(book.strike);
    workload::DeviceArray<float> years(book.years);
    workload::DeviceArray<float> call(count);
    workload::DeviceArray<float> put(count);
    call.fill_bytes(0xff); // not a number: a price that no thread writes shall not pass
    put.fill_bytes(0xff);
    black_scholes<<<grid.blocks, grid.block>>>(call.data(), put.data(), spot.data(), strike.data(), years.data(),
                                               static_cast<int>(count));
    workload::finish_kernels();
    const std::vector<float> got_call = call.to_host();
    const std::vector<float> got_put = put.to_host();

    workload::Check check;
    for (std::size_t i = 0; i < count; ++i) {
        const Prices expected = reference(book.spot[i], book.strike[i], book.years[i]);
        check.near("call", i, got_call[i], expected.call, kTolerance);
        check.near("put", i, got_put[i], expected.put, kTolerance);
    }
    std::printf("black: %u threads, %zu options, largest error %.2e (tolerance %.0e)\n", grid.threads(), count,
                check.worst(), kTolerance);
    return check.finish();
}
