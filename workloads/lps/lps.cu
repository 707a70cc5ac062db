// Laplace's equation on a cube by Jacobi's method: each inner point becomes the mean of its six neighbours, points of
// the surface stay. A block owns a column of 32x4 points through the whole cube and goes along it from plane to plane,
// of which it keeps three in shared memory, with a halo of one point.
//
// The shape is that of LPS of the GPGPU-Sim suite: 100x100x100 points, 4x25 blocks (PRO Table II has 100) of 32x4
// threads, one iteration. Every operation is rounded once, in the order in which the reference has it, so the check is
// exact.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kX = 32;     ///< threads of a block, along a row
constexpr unsigned kY = 4; ///< and across rows, where the device takes as many
constexpr float kSixth = 1.0f / 6;

// ---- device ----

/// A plane's part in shared memory: the block's points and a halo of one.
struct Tile {
    float* points;
    __device__ float& at(int row, int column) const {
        return points[(row + 1) * (kX + 2) + column + 1];
    }
};

/// Its points, then the halo, a thread a point: first both long sides, then both short ones. Corners are not needed.
__device__ inline void load_plane(Tile tile, const float* plane, int n, int first_row, int first_column) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int rows = static_cast<int>(blockDim.y);
    if (first_row + y < n && first_column + x < n)
        tile.at(y, x) = plane[(first_row + y) * n + first_column + x];
#pragma unroll 1
    for (int i = y * kX + x; i < 2 * (kX + rows); i += rows * kX) {
        const int side = i - 2 * kX;
        const int row = side < 0 ? (i < kX ? -1 : rows) : side % rows;
        const int column = side < 0 ? i % kX : (side < rows ? -1 : kX);
        const int from_row = first_row + row;
        const int from_column = first_column + column;
        if (from_row >= 0 && from_row < n && from_column >= 0 && from_column < n)
            tile.at(row, column) = plane[from_row * n + from_column];
    }
}

__global__ void smooth(float* next, const float* points, int n) {
    extern __shared__ float planes[];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int rows = static_cast<int>(blockDim.y);
    const int first_row = static_cast<int>(blockIdx.y) * rows;
    const int first_column = static_cast<int>(blockIdx.x) * kX;
    const int row = first_row + y;
    const int column = first_column + x;
    const int tile_points = (rows + 2) * (kX + 2);
    const bool on_side = row == 0 || row == n - 1 || column == 0 || column == n - 1;
    Tile below{planes};
    Tile here{planes + tile_points};
    Tile above{planes + 2 * tile_points};
    load_plane(here, points, n, first_row, first_column);
#pragma unroll 1
    for (int z = 0; z < n; ++z) {
        if (z < n - 1)
            load_plane(above, points + (z + 1) * n * n, n, first_row, first_column);
        __syncthreads();
        if (row < n && column < n) {
            float value = here.at(y, x);
            if (!on_side && z > 0 && z < n - 1)
                value = ((here.at(y, x - 1) + here.at(y, x + 1)) + (here.at(y - 1, x) + here.at(y + 1, x)) +
                         (below.at(y, x) + above.at(y, x))) *
                        kSixth;
            next[(z * n + row) * n + column] = value;
        }
        __syncthreads();
        const Tile free = below;
        below = here;
        here = above;
        above = free;
    }
}

namespace {

std::vector<float> relax(const std::vector<float>& cube, std::size_t n, std::uint64_t iterations, dim3 blocks,
                         dim3 block) {
    workload::DeviceArray<float> now(cube);
    workload::DeviceArray<float> later(cube.size());
    later.fill_bytes(0xff); // not numbers
    workload::DeviceArray<float>* from = &now;
    workload::DeviceArray<float>* to = &later;
    const std::size_t shared = 3 * (block.y + 2) * (kX + 2) * sizeof(float);
    for (std::uint64_t i = 0; i < iterations; ++i) {
        smooth<<<blocks, block, shared>>>(to->data(), from->data(), static_cast<int>(n));
        workload::finish_kernels();
        std::swap(from, to);
    }
    return from->to_host();
}

// ---- reference ----

std::vector<float> reference(std::vector<float> cube, std::size_t n, std::uint64_t iterations) {
    const std::size_t plane = n * n;
    for (std::uint64_t i = 0; i < iterations; ++i) {
        const std::vector<float> old = cube;
        for (std::size_t z = 1; z + 1 < n; ++z) {
            for (std::size_t y = 1; y + 1 < n; ++y) {
                for (std::size_t at = z * plane + y * n + 1; at + 1 < z * plane + (y + 1) * n; ++at) {
                    const float in_row = old[at - 1] + old[at + 1];
                    const float in_plane = in_row + (old[at - n] + old[at + n]);
                    cube[at] = (in_plane + (old[at - plane] + old[at + plane])) * kSixth;
                }
            }
        }
    }
    return cube;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("lps", "Laplace's equation on a cube", {{"pro", {100, 0, 1}, {36, 0, 2}}});
    line.size("points of an edge of the cube", 1, 256).seed().iterations("iterations of Jacobi's method");
    const workload::Options options = line.parse(argc, argv);
    workload::require_block_of(kX, "lps", "the solver");

    const std::size_t n = options.amount.size;
    workload::Random random(options.seed);
    const std::vector<float> cube = random.uniform(n * n * n, 0.0f, 1.0f);
    const dim3 block(kX, std::min(kY, workload::most_block_threads() / kX));
    const dim3 blocks(static_cast<unsigned>(workload::groups_of(n, kX)),
                      static_cast<unsigned>(workload::groups_of(n, block.y)));
    workload::Check check;
    check.near("point", relax(cube, n, options.amount.iterations, blocks, block),
               reference(cube, n, options.amount.iterations), 0);
    std::printf("lps: %ux%u blocks of %ux%u threads, %zu points an edge, %llu iterations\n", blocks.x, blocks.y,
                block.x, block.y, n, static_cast<unsigned long long>(options.amount.iterations));
    return check.finish();
}
