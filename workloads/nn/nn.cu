// A convolutional neural network that reads digits, four layers of which each is a kernel: 6 maps of 13x13 units from
// an image of 29x29, 50 maps of 5x5, 100 units and 10 units. Units of the first two layers look at 5x5 of a map, every
// second one; those of the others at all. A block computes a map, or a unit, of one image, a thread a unit: blocks of
// 13x13, 5x5, 1 and 1 threads.
//
// The shape is that of NN of the GPGPU-Sim suite with 28 images: 168, 1400, 2800 and 280 blocks (PRO Table II). Weights
// and images are random, so the answers mean nothing. Each layer is checked in double precision from the device's own
// results of the layer before, with the tolerance that check_layer derives.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kField = 5;  ///< a unit of a map sees so many units square
constexpr int kStride = 2; ///< between the fields of neighbours
constexpr int kImage = 29; ///< units of a side
constexpr int kSide1 = (kImage - kField) / kStride + 1;
constexpr int kSide2 = (kSide1 - kField) / kStride + 1;
constexpr int kMaps1 = 6;
constexpr int kMaps2 = 50;
constexpr int kUnits3 = 100;
constexpr int kUnits4 = 10;
constexpr int kFan2 = kMaps2 * kSide2 * kSide2; ///< inputs of a unit of the third layer
constexpr float kHeight = 1.7159f;              ///< of the activation
constexpr float kSteepness = 2.0f / 3;
static_assert(kSide1 == 13 && kSide2 == 5);

// ---- device ----

__device__ inline float activation(float sum) {
    return kHeight * tanhf(kSteepness * sum);
}

/// A layer of maps, from kMaps of kSide units a side. The weights of a map: the bias, then those of each map before.
template <int kMaps, int kSide>
__global__ void convolve(float* out, const float* in, const float* weights) {
    const int side = static_cast<int>(blockDim.x);
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int map = static_cast<int>(blockIdx.x);
    const int maps = static_cast<int>(gridDim.x);
    const int image = static_cast<int>(blockIdx.y);
    const float* weight = weights + map * (kMaps * kField * kField + 1);
    const float* field = in + image * kMaps * kSide * kSide + y * kStride * kSide + x * kStride;
    float sum = *weight++;
#pragma unroll 1
    for (int before = 0; before < kMaps; ++before) {
#pragma unroll
        for (int i = 0; i < kField * kField; ++i)
            sum = fmaf(weight[i], field[i / kField * kSide + i % kField], sum);
        weight += kField * kField;
        field += kSide * kSide;
    }
    out[((image * maps + map) * side + y) * side + x] = activation(sum);
}

/// A layer whose units see all kFan units of the one before.
template <int kFan>
__global__ void connect(float* out, const float* in, const float* weights) {
    const int unit = static_cast<int>(blockIdx.x);
    const int image = static_cast<int>(blockIdx.y);
    const float* const weight = weights + unit * (kFan + 1);
    float sum = weight[0];
#pragma unroll 25
    for (int i = 0; i < kFan; ++i)
        sum = fmaf(weight[i + 1], in[image * kFan + i], sum);
    out[image * static_cast<int>(gridDim.x) + unit] = activation(sum);
}

namespace {

/// For each unit or map one bias and `fan` weights, of a size that keeps sums around 1.
std::vector<float> random_weights(std::size_t units, std::size_t fan, workload::Random& random) {
    const float most = 2.0f / std::sqrt(static_cast<float>(fan));
    return random.uniform(units * (fan + 1), -most, most);
}

struct Network {
    std::vector<float> weights1;
    std::vector<float> weights2;
    std::vector<float> weights3;
    std::vector<float> weights4;
};

/// Outputs of the layers, by image.
struct Outputs {
    std::vector<float> layer1;
    std::vector<float> layer2;
    std::vector<float> layer3;
    std::vector<float> layer4;
};

Outputs run_network(const Network& network, const std::vector<float>& images, unsigned count) {
    workload::DeviceArray<float> in(images);
    workload::DeviceArray<float> weights1(network.weights1);
    workload::DeviceArray<float> weights2(network.weights2);
    workload::DeviceArray<float> weights3(network.weights3);
    workload::DeviceArray<float> weights4(network.weights4);
    workload::DeviceArray<float> out1(std::size_t{count} * kMaps1 * kSide1 * kSide1);
    workload::DeviceArray<float> out2(std::size_t{count} * kFan2);
    workload::DeviceArray<float> out3(std::size_t{count} * kUnits3);
    workload::DeviceArray<float> out4(std::size_t{count} * kUnits4);
    for (workload::DeviceArray<float>* out : {&out1, &out2, &out3, &out4})
        out->fill_bytes(0xff); // not numbers
    convolve<1, kImage><<<dim3(kMaps1, count), dim3(kSide1, kSide1)>>>(out1.data(), in.data(), weights1.data());
    convolve<kMaps1, kSide1><<<dim3(kMaps2, count), dim3(kSide2, kSide2)>>>(out2.data(), out1.data(), weights2.data());
    connect<kFan2><<<dim3(kUnits3, count), 1>>>(out3.data(), out2.data(), weights3.data());
    connect<kUnits3><<<dim3(kUnits4, count), 1>>>(out4.data(), out3.data(), weights4.data());
    workload::finish_kernels();
    return {out1.to_host(), out2.to_host(), out3.to_host(), out4.to_host()};
}

// ---- reference ----

/// A fully connected layer is one whose maps and fields are a single unit.
struct Layer {
    const char* name;
    std::size_t maps_in;
    std::size_t side_in;
    std::size_t maps;
    std::size_t side;
    std::size_t field;
};

/// The unit's sum is rounded once a term, and tanhf (1.42 units in the last place), its argument and the product with
/// kHeight add less than 6 last places (2^-24) of the most that an activation can be; the activation's slope is at most
/// kHeight kSteepness.
void check_unit(workload::Check& check, const Layer& layer, std::size_t index, float got, const float* in,
                const float* weight) {
    const std::size_t x = index % layer.side;
    const std::size_t y = index / layer.side % layer.side;
    double sum = *weight++;
    double most = std::fabs(sum);
    for (std::size_t map = 0; map < layer.maps_in; ++map) {
        for (std::size_t i = 0; i < layer.field; ++i) {
            for (std::size_t j = 0; j < layer.field; ++j) {
                const std::size_t at = (map * layer.side_in + y * kStride + i) * layer.side_in + x * kStride + j;
                const double term = static_cast<double>(*weight++) * in[at];
                sum += term;
                most += std::fabs(term);
            }
        }
    }
    const double terms = static_cast<double>(layer.maps_in * layer.field * layer.field);
    const double tolerance = (kHeight * kSteepness * terms * most + 6 * kHeight) * 0x1p-24;
    check.near(layer.name, index, got, kHeight * std::tanh(kSteepness * sum), tolerance);
}

void check_layer(workload::Check& check, const Layer& layer, const std::vector<float>& got,
                 const std::vector<float>& in, const std::vector<float>& weights) {
    const std::size_t image_in = layer.maps_in * layer.side_in * layer.side_in;
    const std::size_t map_units = layer.side * layer.side;
    const std::size_t map_weights = layer.maps_in * layer.field * layer.field + 1;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t image = i / (layer.maps * map_units);
        const std::size_t map = i / map_units % layer.maps;
        check_unit(check, layer, i, got[i], &in[image * image_in], &weights[map * map_weights]);
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("nn", "A convolutional neural network that reads digits",
                               {{"pro", {28, 0, 1}, {1, 0, 1}}});
    line.size("images", 1, 4096).seed();
    const workload::Options options = line.parse(argc, argv);
    workload::require_block_of(kSide1 * kSide1, "nn", "the first layer");

    const auto count = static_cast<unsigned>(options.amount.size);
    workload::Random random(options.seed);
    const std::vector<float> images = random.uniform(std::size_t{count} * kImage * kImage, -1.0f, 1.0f);
    Network network;
    network.weights1 = random_weights(kMaps1, kField * kField, random);
    network.weights2 = random_weights(kMaps2, kMaps1 * kField * kField, random);
    network.weights3 = random_weights(kUnits3, kFan2, random);
    network.weights4 = random_weights(kUnits4, kUnits3, random);

    const Outputs got = run_network(network, images, count);
    workload::Check check;
    check_layer(check, {"layer 1", 1, kImage, kMaps1, kSide1, kField}, got.layer1, images, network.weights1);
    check_layer(check, {"layer 2", kMaps1, kSide1, kMaps2, kSide2, kField}, got.layer2, got.layer1, network.weights2);
    check_layer(check, {"layer 3", kFan2, 1, kUnits3, 1, 1}, got.layer3, got.layer2, network.weights3);
    check_layer(check, {"layer 4", kUnits3, 1, kUnits4, 1, 1}, got.layer4, got.layer3, network.weights4);
    std::printf("nn: %u, %u, %u and %u blocks, %u images, largest error %.1e\n", kMaps1 * count, kMaps2 * count,
                kUnits3 * count, kUnits4 * count, count, check.worst());
    return check.finish();
}
