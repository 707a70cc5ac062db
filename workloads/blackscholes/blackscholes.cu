// Prices of European calls and puts by the formula of Black and Scholes, in single precision. The threads are
// persistent and stride over the options.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr float kRate = 0.02f;       ///< riskless, a year
constexpr float kVolatility = 0.30f; ///< a year

/// Prices are at most 100. Single precision, the polynomial below (7.5e-8) and the device's expf and logf (a few units
/// in the last place) stay an order of magnitude below this.
constexpr double kTolerance = 2e-4;

// ---- device ----

/// Cumulative normal distribution: Abramowitz and Stegun, formula 26.2.17, absolute error below 7.5e-8.
__device__ inline float normal_below(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float polynomial =
        k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228f * expf(-0.5f * d * d) * polynomial;
    return d > 0.0f ? 1.0f - tail : tail;
}

/// Prices `count` options `iterations` times over; `spot` and `strike` are prices, `years` the time to expiry.
__global__ void black_scholes(float* call, float* put, const float* spot, const float* strike, const float* years,
                              int count, int iterations) {
    for (int pass = 0; pass < iterations; ++pass) {
        for (int i = workload::thread_index(); i < count; i += workload::thread_count()) {
            const float s = spot[i];
            const float x = strike[i];
            const float t = years[i];
            const float deviation = kVolatility * sqrtf(t);
            const float d1 = (logf(s / x) + (kRate + 0.5f * kVolatility * kVolatility) * t) / deviation;
            const float d2 = d1 - deviation;
            const float below1 = normal_below(d1);
            const float below2 = normal_below(d2);
            const float discounted = x * expf(-kRate * t);
            call[i] = s * below1 - discounted * below2;
            put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
        }
    }
}

// ---- reference ----

namespace {

struct Prices {
    double call;
    double put;
};

Prices reference(double s, double x, double t) {
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

std::vector<float> random_floats(std::size_t count, float low, float high, workload::Random& random) {
    std::vector<float> values(count);
    for (float& value : values)
        value = random.uniform(low, high);
    return values;
}

} // namespace

int main(int argc, char** argv) {
    // Two passes come to some 140 million instructions, within the 100 to 200 million of LWM11 section 4.
    workload::CommandLine line("blackscholes", "Call and put prices by the Black-Scholes formula",
                               {{"lwm", {512 * 1024, 1024, 2}, {16 * 1024, 1024, 1}}});
    line.size("options to price", 1, 1u << 28).threads().block().seed().iterations("times every option is priced");
    const workload::Options options = line.parse(argc, argv);

    const std::size_t count = options.amount.size;
    workload::Random random(options.seed);
    const std::vector<float> spot = random_floats(count, 5.0f, 30.0f, random);
    const std::vector<float> strike = random_floats(count, 1.0f, 100.0f, random);
    const std::vector<float> years = random_floats(count, 0.25f, 10.0f, random);

    const workload::Grid grid = workload::grid_for(options, count);
    workload::DeviceArray<float> device_spot(spot);
    workload::DeviceArray<float> device_strike(strike);
    workload::DeviceArray<float> device_years(years);
    workload::DeviceArray<float> call(count);
    workload::DeviceArray<float> put(count);
    black_scholes<<<grid.blocks, grid.block>>>(call.data(), put.data(), device_spot.data(), device_strike.data(),
                                               device_years.data(), static_cast<int>(count),
                                               static_cast<int>(options.amount.iterations));
    workload::finish_kernels();
    const std::vector<float> got_call = call.to_host();
    const std::vector<float> got_put = put.to_host();

    workload::Check check;
    for (std::size_t i = 0; i < count; ++i) {
        const Prices expected = reference(spot[i], strike[i], years[i]);
        check.near("call", i, got_call[i], expected.call, kTolerance);
        check.near("put", i, got_put[i], expected.put, kTolerance);
    }
    std::printf("blackscholes: %u threads, %zu options, largest error %.2e (tolerance %.0e)\n", grid.threads(), count,
                check.worst(), kTolerance);
    return check.finish();
}
