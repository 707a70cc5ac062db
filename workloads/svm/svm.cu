// The kernel computation of a support vector machine: the Gram matrix of the radial basis function,
// K[i][j] = exp(-gamma |x_i - x_j|^2), over all pairs of vectors. Vectors are rows in memory, so neighbouring threads
// read rows apart, of x_i where each has a tile of the matrix, of x_j where they take its elements in turn: the
// divergent accesses that MAWS 7.1 says the program has.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

// ---- device ----

__global__ void rbf_gram(float* gram, const float* vectors, int count, int dimensions, float gamma,
                         workload::Deal deal) {
    const workload::Share share = workload::share_of(count * count, deal);
    for (int element = share.first; element < share.end; element += share.step) {
        const float* const a = vectors + element / count * dimensions;
        const float* const b = vectors + element % count * dimensions;
        float distance = 0; // squared
#pragma unroll 1
        for (int d = 0; d < dimensions; ++d) {
            const float difference = a[d] - b[d];
            distance += difference * difference;
        }
        gram[element] = expf(-gamma * distance);
    }
}

// ---- reference ----

namespace {

double reference(const float* a, const float* b, std::size_t dimensions, double gamma) {
    double distance = 0;
    for (std::size_t d = 0; d < dimensions; ++d)
        distance += (double{a[d]} - double{b[d]}) * (double{a[d]} - double{b[d]});
    return std::exp(-gamma * distance);
}

/// With u = 2^-24, a squared distance of d dimensions has a relative error of at most (d + 2) u, and its product with
/// gamma one more u. That moves exp(-t) by t exp(-t) <= 0.37 of it; expf adds a few u. In all below (d + 8) u.
double tolerance(std::size_t dimensions) {
    return static_cast<double>(dimensions + 8) * 0x1p-24;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line(
        "svm", "Gram matrix of the radial basis function over pairs of vectors",
        {{"maws", {1024, workload::kDeviceThreads, 1}, {96, workload::kDeviceThreads, 1}, workload::Deal::Tiles}});
    std::uint64_t given_dimensions = 20;
    line.size("vectors", 1, 8192).threads().block().seed().deal();
    line.number("--dimensions", given_dimensions, 1, 4096, "numbers of a vector; default: 20");
    const workload::Options options = line.parse(argc, argv);

    const std::size_t count = options.amount.size;
    const std::size_t dimensions = given_dimensions;
    // 1 / dimensions, the usual choice for features scaled to [-1, 1], spreads the results over (0.1, 1].
    const float gamma = 1.0f / static_cast<float>(dimensions);
    workload::Random random(options.seed);
    std::vector<float> vectors(count * dimensions);
    for (float& value : vectors)
        value = random.uniform(-1.0f, 1.0f);

    const workload::Grid grid = workload::grid_for(options, count * count);
    workload::DeviceArray<float> device_vectors(vectors);
    workload::DeviceArray<float> device_gram(count * count);
    device_gram.fill_bytes(0xff); // NaN: an element that no thread writes shall not pass
    rbf_gram<<<grid.blocks, grid.block>>>(device_gram.data(), device_vectors.data(), static_cast<int>(count),
                                          static_cast<int>(dimensions), gamma, options.deal);
    workload::finish_kernels();
    const std::vector<float> gram = device_gram.to_host();

    workload::Check check;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            const double expected =
                reference(&vectors[i * dimensions], &vectors[j * dimensions], dimensions, double{gamma});
            check.near("gram", i * count + j, double{gram[i * count + j]}, expected, tolerance(dimensions));
        }
    }
    std::printf("svm: %u threads, %zu vectors of %zu dimensions, largest error %.2e (tolerance %.1e)\n", grid.threads(),
                count, dimensions, check.worst(), tolerance(dimensions));
    return check.finish();
}
