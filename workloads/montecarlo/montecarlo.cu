// Prices of European calls by simulation. Two kernels:
//
// - sample_normal: normally distributed numbers, the quantiles of evenly spaced probabilities by Moro's approximation.
// - price: a block an option. Each thread adds up what its paths pay, and the squares; a tree in shared memory adds up
//   the threads' sums.
//
// The shape is that of the CUDA SDK's MonteCarlo with one block an option: 128 blocks of 128 threads, and 256 blocks of
// 256 threads for 256 options (PRO Table II has 128 and 256). The SDK has 2^18 paths; 2^16 are chosen here.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr unsigned kSampleBlocks = 128;
constexpr unsigned kSampleThreads = 128;
constexpr int kSums = 256;              ///< accumulators of a block, a power of two
constexpr float kRate = 0.06f;          ///< riskless, a year
constexpr float kVolatility = 0.10f;    ///< a year
constexpr double kLastPlace = 0x1p-24;  ///< rounding of a single, relative
constexpr double kSampleError = 5.0e-6; ///< see check_samples

struct Option {
    float spot;
    float strike;
    float deviation; ///< of the logarithm of the price at the end
    float drift;     ///< of it
};

struct Sums {
    float payment;
    float square;
};

// ---- device ----

/// The `count` numbers whose probabilities lie `distance` / 2^32 apart.
__global__ void sample_normal(float* samples, unsigned distance, int count) {
    for (int i = workload::thread_index(); i < count; i += workload::thread_count()) {
        const unsigned probability = distance * static_cast<unsigned>(i + 1);
        const bool upper = probability >= 0x80000000u;
        const float below = static_cast<float>(upper ? ~probability : probability) * 0x1p-32f; // in the lower half
        const float y = 0.5f - below;
        float z = 0.0f;
        if (y < 0.42f) {
            const float square = y * y;
            float above = fmaf(-25.44106049637f, square, 41.39119773534f);
            above = fmaf(above, square, -18.61500062529f);
            above = fmaf(above, square, 2.50662823884f);
            float under = fmaf(3.13082909833f, square, -21.06224101826f);
            under = fmaf(under, square, 23.08336743743f);
            under = fmaf(under, square, -8.4735109309f);
            under = fmaf(under, square, 1.0f);
            z = y * above / under;
        } else {
            const float x = logf(-logf(below));
            z = fmaf(0.0000003960315187f, x, 0.0000002888167364f);
            z = fmaf(z, x, 0.0000321767881768f);
            z = fmaf(z, x, 0.0003951896511919f);
            z = fmaf(z, x, 0.0038405729373609f);
            z = fmaf(z, x, 0.0276438810333863f);
            z = fmaf(z, x, 0.1607979714918209f);
            z = fmaf(z, x, 0.9761690190917186f);
            z = fmaf(z, x, 0.3374754822726147f);
        }
        samples[i] = upper ? z : -z;
    }
}

__global__ void price(Sums* result, const Option* options, const float* samples, int paths) {
    __shared__ float payments[kSums];
    __shared__ float squares[kSums];
    const Option option = options[blockIdx.x];
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
#pragma unroll 1
    for (int sum = thread; sum < kSums; sum += threads) {
        float payment = 0.0f;
        float square = 0.0f;
#pragma unroll 1
        for (int path = sum; path < paths; path += kSums) {
            const float end = option.spot * expf(fmaf(option.deviation, samples[path], option.drift));
            const float pays = fmaxf(end - option.strike, 0.0f);
            payment += pays;
            square = fmaf(pays, pays, square);
        }
        payments[sum] = payment;
        squares[sum] = square;
    }
#pragma unroll 1
    for (int stride = kSums / 2; stride > 0; stride /= 2) {
        __syncthreads();
        for (int sum = thread; sum < stride; sum += threads) {
            payments[sum] += payments[sum + stride];
            squares[sum] += squares[sum + stride];
        }
    }
    if (thread == 0)
        result[blockIdx.x] = {payments[0], squares[0]};
}

namespace {

std::vector<Option> random_options(std::size_t count, workload::Random& random) {
    std::vector<Option> options(count);
    for (Option& option : options) {
        const float years = random.uniform(1.0f, 5.0f);
        option.spot = random.uniform(5.0f, 50.0f);
        option.strike = random.uniform(10.0f, 25.0f);
        option.deviation = kVolatility * std::sqrt(years);
        option.drift = (kRate - 0.5f * kVolatility * kVolatility) * years;
    }
    return options;
}

// ---- reference ----

/// Where the normal distribution has this probability below it: Newton's method on the error function.
double quantile(double probability) {
    if (probability > 0.5)
        return -quantile(1.0 - probability);
    double z = 0;
    for (int i = 0; i < 30; ++i) {
        const double below = 0.5 * std::erfc(-z / std::sqrt(2.0));
        const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::acos(-1.0));
        z -= (below - probability) / density;
    }
    return z;
}

/// Moro's approximation is good to 3e-9. What single precision adds: in the middle the numerator, at least 0.37, and
/// the denominator, at least 0.11, are off by 2.5e-7 and 1e-7 and the square of y moves both by as much again, 2.6e-6
/// of a result up to 1.41; beyond, each of 8 steps of the polynomial rounds a value up to 5 (2.4e-6) and x, off by two
/// last places, moves it at a slope up to 3 (0.9e-6).
void check_samples(workload::Check& check, const std::vector<float>& got, const std::vector<double>& expected) {
    check.near("sample", got, expected, kSampleError);
}

void check_option(workload::Check& check, std::size_t index, const Option& option, Sums got,
                  const std::vector<double>& samples) {
    double payment = 0;
    double square = 0;
    double ends = 0; // upper bounds of both
    double end_squares = 0;
    for (const double sample : samples) {
        const double end = option.spot * std::exp(option.deviation * sample + option.drift);
        const double pays = end > option.strike ? end - option.strike : 0.0;
        payment += pays;
        square += pays * pays;
        ends += end;
        end_squares += end * end;
    }
    // Of each path: the sample, the exponent (below 2, rounded once), expf and the product, then the difference: at
    // most 5 last places of the end beside the sample's error, and twice all this of a square, itself rounded once. Of
    // each sum: as many additions as a thread has paths, and the tree's.
    const double path = option.deviation * kSampleError + 5 * kLastPlace;
    const double adding = (static_cast<double>(samples.size()) / kSums + 1 + std::log2(kSums)) * kLastPlace;
    check.near("payment", index, got.payment, payment, (path + adding) * ends);
    check.near("square", index, got.square, square, (2 * path + kLastPlace + adding) * end_squares);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("montecarlo", "Prices of European calls by simulation",
                               {{"pro", {256, 0, 1}, {16, 0, 1}}});
    std::uint64_t asked = 0;
    line.size("options to price, a block each", 1, 1u << 16).block().seed();
    line.number("--paths", asked, 1, 1u << 20, "paths of each option; default: 65536 (quick 8192)");
    const workload::Options options = line.parse(argc, argv);
    const std::size_t paths = asked != 0 ? asked : options.quick ? 8192 : 65'536;

    workload::Random random(options.seed);
    const std::vector<Option> calls = random_options(options.amount.size, random);
    const auto blocks = static_cast<unsigned>(calls.size());
    const unsigned block = workload::block_threads(options);
    const unsigned sample_block = std::min(block, kSampleThreads);
    const unsigned distance = 0xffffffffu / static_cast<unsigned>(paths + 1);
    workload::DeviceArray<float> samples(paths);
    workload::DeviceArray<Option> device_calls(calls);
    workload::DeviceArray<Sums> sums(calls.size());
    samples.fill_bytes(0xff); // not numbers
    sums.fill_bytes(0xff);
    sample_normal<<<kSampleBlocks, sample_block>>>(samples.data(), distance, static_cast<int>(paths));
    price<<<blocks, block>>>(sums.data(), device_calls.data(), samples.data(), static_cast<int>(paths));
    workload::finish_kernels();

    std::vector<double> expected(paths);
    for (std::size_t i = 0; i < paths; ++i)
        expected[i] = quantile(static_cast<double>(distance * static_cast<std::uint64_t>(i + 1)) * 0x1p-32);
    workload::Check check;
    check_samples(check, samples.to_host(), expected);
    const double worst_sample = check.worst();
    const std::vector<Sums> got = sums.to_host();
    for (std::size_t i = 0; i < calls.size(); ++i)
        check_option(check, i, calls[i], got[i], expected);
    std::printf("montecarlo: %u and %u blocks of %u and %u threads, %zu options, %zu paths; largest error of a sample "
                "%.1e (tolerance %.0e)\n",
                kSampleBlocks, blocks, sample_block, block, calls.size(), paths, worst_sample, kSampleError);
    return check.finish();
}
