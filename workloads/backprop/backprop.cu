// One step of training a neural network of three layers by back-propagation: many input units, 16 hidden ones, one
// output. The device does what touches the weights between input and hidden units, a block of 16x16 threads for 16
// input units:
//
// - forward: the products of 16 units with their weights, added up over the units by a tree in shared memory.
// - adjust: the weights move along the errors of the hidden units, with momentum.
//
// The host adds up the blocks' sums and does the output layer. The shape is that of Rodinia's backprop with 65,536
// input units, hence 4096 blocks (PRO Table II); row 0 of the weights is the bias, so rows have 17 columns and begin at
// no multiple of a cache line. Every operation of the device is rounded once, in the order in which the reference has
// it, so its check is exact.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kHidden = 16;         ///< hidden units; input units of a block
constexpr int kRow = kHidden + 1;   ///< column 0 is the hidden layer's own bias, which has no inputs
constexpr float kRate = 0.3f;       ///< of learning
constexpr float kMomentum = 0.3f;   ///< share of the last change that is made again
constexpr float kMostWeight = 0.1f; ///< so that hidden units do not saturate at once

// ---- device ----

/// Unit 0 is the bias: a block begins behind it. `sums` has kHidden a block.
__global__ void forward(float* sums, const float* units, const float* weights) {
    __shared__ float unit[kHidden];
    __shared__ float product[kHidden][kHidden];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.x) * kHidden + y + 1;
    if (x == 0)
        unit[y] = units[row];
    __syncthreads();
    product[y][x] = weights[row * kRow + x + 1];
    __syncthreads();
    product[y][x] *= unit[y];
    __syncthreads();
#pragma unroll 1
    for (int step = 1; step < kHidden; step *= 2) {
        if (y % (2 * step) == 0)
            product[y][x] += product[y + step][x];
        __syncthreads();
    }
    if (x == 0)
        sums[static_cast<int>(blockIdx.x) * kHidden + y] = product[0][y];
}

/// `errors` and `changes` are laid out as rows of the weights and as the weights.
__global__ void adjust(float* weights, float* changes, const float* units, const float* errors) {
    const int x = static_cast<int>(threadIdx.x) + 1;
    const int row = static_cast<int>(blockIdx.x) * kHidden + static_cast<int>(threadIdx.y) + 1;
    const int at = row * kRow + x;
    const float change = fmaf(kMomentum, changes[at], kRate * errors[x] * units[row]);
    weights[at] += change;
    changes[at] = change;
    __syncthreads();
    if (row == 1) { // the first row of the first block also has the bias
        const float bias_change = fmaf(kMomentum, changes[x], kRate * errors[x]);
        weights[x] += bias_change;
        changes[x] = bias_change;
    }
}

namespace {

struct Network {
    std::size_t inputs;
    std::vector<float> units;   ///< 1, then the input
    std::vector<float> weights; ///< to the hidden units
    std::vector<float> changes; ///< the last ones of these weights
    std::vector<float> out;     ///< weights of bias and hidden units to the output
    float target;
};

Network random_network(std::size_t inputs, workload::Random& random) {
    const std::size_t weights = (inputs + 1) * kRow;
    Network network{inputs, random.uniform(inputs + 1, 0.0f, 1.0f), {}, {}, {}, 0.1f};
    network.units[0] = 1.0f;
    network.weights = random.uniform(weights, -kMostWeight, kMostWeight);
    network.changes = random.uniform(weights, -kMostWeight, kMostWeight);
    network.out = random.uniform(kRow, -1.0f, 1.0f);
    return network;
}

double squash(double sum) {
    return 1.0 / (1.0 + std::exp(-sum));
}

/// Errors of the hidden units, at 1 to kHidden, from what they get.
std::vector<float> hidden_errors(const Network& network, const std::vector<double>& hidden_sums) {
    double out_sum = network.out[0];
    std::vector<double> hidden(kRow);
    for (std::size_t unit = 1; unit < kRow; ++unit) {
        hidden[unit] = squash(hidden_sums[unit]);
        out_sum += hidden[unit] * network.out[unit];
    }
    const double out = squash(out_sum);
    const double out_error = out * (1.0 - out) * (network.target - out);
    std::vector<float> errors(kRow);
    for (std::size_t unit = 1; unit < kRow; ++unit)
        errors[unit] = static_cast<float>(hidden[unit] * (1.0 - hidden[unit]) * out_error * network.out[unit]);
    return errors;
}

struct Trained {
    std::vector<float> sums;         ///< of every block
    std::vector<double> hidden_sums; ///< of all blocks, and the bias
    std::vector<float> errors;       ///< of the hidden units
    std::vector<float> weights;
    std::vector<float> changes;
};

Trained train(const Network& network) {
    const auto blocks = static_cast<unsigned>(network.inputs / kHidden);
    const dim3 block(kHidden, kHidden);
    workload::DeviceArray<float> units(network.units);
    workload::DeviceArray<float> weights(network.weights);
    workload::DeviceArray<float> changes(network.changes);
    workload::DeviceArray<float> sums(network.inputs);
    sums.fill_bytes(0xff); // not a number
    forward<<<blocks, block>>>(sums.data(), units.data(), weights.data());
    workload::finish_kernels();

    Trained trained;
    trained.sums = sums.to_host();
    trained.hidden_sums.assign(network.weights.begin(), network.weights.begin() + kRow);
    for (std::size_t i = 0; i < network.inputs; ++i)
        trained.hidden_sums[i % kHidden + 1] += trained.sums[i];
    trained.errors = hidden_errors(network, trained.hidden_sums);

    workload::DeviceArray<float> errors(trained.errors);
    adjust<<<blocks, block>>>(weights.data(), changes.data(), units.data(), errors.data());
    workload::finish_kernels();
    trained.weights = weights.to_host();
    trained.changes = changes.to_host();
    return trained;
}

// ---- reference ----

/// Sum over the input units `first` to `first` + `count`, in halves.
float hidden_sum(const Network& network, std::size_t hidden, std::size_t first, std::size_t count) {
    if (count == 1)
        return network.units[first] * network.weights[first * kRow + hidden];
    return hidden_sum(network, hidden, first, count / 2) + hidden_sum(network, hidden, first + count / 2, count / 2);
}

void check_forward(workload::Check& check, const Network& network, const Trained& trained) {
    std::vector<double> whole(network.weights.begin(), network.weights.begin() + kRow);
    for (std::size_t block = 0; block < network.inputs / kHidden; ++block) {
        for (std::size_t hidden = 1; hidden < kRow; ++hidden)
            check.near("sum", block * kHidden + hidden - 1, trained.sums[block * kHidden + hidden - 1],
                       hidden_sum(network, hidden, block * kHidden + 1, kHidden), 0);
    }
    for (std::size_t unit = 1; unit <= network.inputs; ++unit) {
        for (std::size_t hidden = 1; hidden < kRow; ++hidden)
            whole[hidden] += static_cast<double>(network.units[unit]) * network.weights[unit * kRow + hidden];
    }
    // A product, and on each level of a block's tree all additions together, are off by at most 2^-24 of what the
    // products can come to, kHidden kMostWeight.
    const double block_error = (1 + std::log2(kHidden)) * kHidden * kMostWeight * 0x1p-24;
    check.near("hidden sum", trained.hidden_sums, whole, block_error * static_cast<double>(network.inputs) / kHidden);
}

void check_adjust(workload::Check& check, const Network& network, const Trained& trained) {
    for (std::size_t unit = 0; unit <= network.inputs; ++unit) {
        for (std::size_t hidden = 0; hidden < kRow; ++hidden) {
            const std::size_t at = unit * kRow + hidden;
            float change = network.changes[at];
            float weight = network.weights[at];
            if (hidden != 0) {
                const float gradient = kRate * trained.errors[hidden] * network.units[unit];
                change = std::fma(kMomentum, change, gradient);
                weight += change;
            }
            check.near("change", at, trained.changes[at], change, 0);
            check.near("weight", at, trained.weights[at], weight, 0);
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("backprop", "A step of training a neural network by back-propagation",
                               {{"pro", {65'536, 0, 1}, {4'096, 0, 1}}});
    line.size("input units, a multiple of 16", 1, 1u << 22).seed();
    const workload::Options options = line.parse(argc, argv);
    if (options.amount.size % kHidden != 0) {
        std::fprintf(stderr, "backprop: error: --size %llu: the number of input units must be a multiple of %d\n",
                     static_cast<unsigned long long>(options.amount.size), kHidden);
        return EXIT_FAILURE;
    }
    workload::require_block_of(kHidden * kHidden, "backprop", "each kernel");

    workload::Random random(options.seed);
    const Network network = random_network(options.amount.size, random);
    const Trained trained = train(network);
    workload::Check check;
    check_forward(check, network, trained);
    check_adjust(check, network, trained);
    std::printf("backprop: %zu blocks of %d threads, %zu input units\n", network.inputs / kHidden, kHidden * kHidden,
                network.inputs);
    return check.finish();
}
