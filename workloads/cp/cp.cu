// The electric potential of point charges on a plane, by direct summation: a thread goes through all atoms, which lie
// in constant memory, and adds up the potential at 8 points of a row.
//
// The shape is that of CP of the GPGPU-Sim suite: 8x32 blocks (PRO Table II has 256) of 16x8 threads; 8 points a thread
// (assumed) make 1024x256. 100 atoms are chosen.

#include <algorithm>
#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kX = 16;      ///< threads of a block, along a row
constexpr unsigned kY = 8;  ///< and across rows, where the device takes as many
constexpr int kPoints = 8;  ///< of a thread, kX apart
constexpr int kBlocksX = 8; //
constexpr int kColumns = kBlocksX * kX * kPoints;
constexpr float kSpacing = 0.125f; ///< of the points: coordinates are exact
constexpr std::size_t kMostAtoms = 4000;

// ---- device ----

/// x, y, square of z, and charge: the points have z = 0.
__constant__ float4 atoms[kMostAtoms];

__global__ void sum_potential(float* potential, int rows, int count) {
    const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int first = static_cast<int>(blockIdx.x) * kX * kPoints + static_cast<int>(threadIdx.x);
    if (row >= rows)
        return;
    const float y = kSpacing * static_cast<float>(row);
    float sum[kPoints] = {};
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
        const float4 atom = atoms[i];
        const float dy = y - atom.y;
        const float across = fmaf(dy, dy, atom.z);
#pragma unroll
        for (int point = 0; point < kPoints; ++point) {
            const float dx = kSpacing * static_cast<float>(first + point * kX) - atom.x;
            sum[point] = fmaf(atom.w, rsqrtf(fmaf(dx, dx, across)), sum[point]);
        }
    }
#pragma unroll
    for (int point = 0; point < kPoints; ++point)
        potential[row * kColumns + first + point * kX] = sum[point];
}

namespace {

struct Atom {
    float x;
    float y;
    float z;
    float charge;
};

std::vector<Atom> random_atoms(std::size_t count, std::size_t rows, workload::Random& random) {
    std::vector<Atom> result(count);
    for (Atom& atom : result)
        atom = {random.uniform(0.0f, kSpacing * kColumns), random.uniform(0.0f, kSpacing * static_cast<float>(rows)),
                random.uniform(1.0f, 10.0f), random.uniform(-1.0f, 1.0f)};
    return result;
}

std::vector<float> potential(const std::vector<Atom>& charges, std::size_t rows, dim3 blocks, dim3 block) {
    std::vector<float4> constants;
    for (const Atom& atom : charges)
        constants.push_back({atom.x, atom.y, atom.z * atom.z, atom.charge});
    CUDA_CHECK(cudaMemcpyToSymbol(atoms, constants.data(), constants.size() * sizeof(float4)));
    workload::DeviceArray<float> result(rows * kColumns);
    result.fill_bytes(0xff); // not numbers
    sum_potential<<<blocks, block>>>(result.data(), static_cast<int>(rows), static_cast<int>(constants.size()));
    workload::finish_kernels();
    return result.to_host();
}

// ---- reference ----

/// What single precision may do, in last places (2^-24) of a term charge / distance: dx, dy and the square of z are
/// rounded once and count twice, three roundings make the square of the distance, of which half remains under the root;
/// rsqrt may be off by 2 units in the last place, 4 of these; and one more for the sum's product. Below 10. The sum
/// itself is rounded once a term.
void check_point(workload::Check& check, std::size_t index, float got, const std::vector<Atom>& charges) {
    const double x = kSpacing * static_cast<double>(index % kColumns);
    const double y = kSpacing * static_cast<double>(index / kColumns);
    double sum = 0;
    double most = 0;
    for (const Atom& atom : charges) {
        const double term = atom.charge / std::hypot(x - atom.x, y - atom.y, static_cast<double>(atom.z));
        sum += term;
        most += std::fabs(term);
    }
    check.near("potential", index, got, sum, (10 + static_cast<double>(charges.size())) * 0x1p-24 * most);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("cp", "Electric potential of point charges on a plane",
                               {{"pro", {256, 0, 1}, {24, 0, 1}}});
    std::uint64_t count = 100;
    line.size("rows of 1024 points", 1, 1u << 16).seed();
    line.number("--atoms", count, 1, kMostAtoms, "point charges; default: 100");
    const workload::Options options = line.parse(argc, argv);
    workload::require_block_of(kX, "cp", "the sum");

    const std::size_t rows = options.amount.size;
    workload::Random random(options.seed);
    const std::vector<Atom> charges = random_atoms(count, rows, random);
    const dim3 block(kX, std::min(kY, workload::most_block_threads() / kX));
    const dim3 blocks(kBlocksX, static_cast<unsigned>(workload::groups_of(rows, block.y)));
    const std::vector<float> got = potential(charges, rows, blocks, block);
    workload::Check check;
    for (std::size_t i = 0; i < got.size(); ++i)
        check_point(check, i, got[i], charges);
    std::printf("cp: %ux%u blocks of %ux%u threads, %dx%zu points, %zu atoms, largest error %.1e\n", blocks.x, blocks.y,
                block.x, block.y, kColumns, rows, charges.size(), check.worst());
    return check.finish();
}
