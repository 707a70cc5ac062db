// The cheapest path through a grid from its first row to each cell of its last, by dynamic programming: a step goes to
// the row below, straight or to one side. A launch advances several rows. A block keeps a piece of the row in shared
// memory with a margin on each side, of which every step loses one cell, so that blocks need not meet between rows.
//
// The shape is that of Rodinia's pathfinder: 100 rows of 100,000 cells, 20 rows a launch, blocks of 256 threads of
// which 216 hold a cell beyond the margins, so 463 blocks (PRO Table II). A smaller block has smaller margins.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kMargin = 20;     ///< rows of a launch
constexpr unsigned kCosts = 10; ///< a cell costs 0 to 9

// ---- device ----

/// `steps` steps, at most `margin`, into the rows that begin at `walls`.
__global__ void advance(int* next, const int* cost, const int* walls, int columns, int steps, int margin) {
    extern __shared__ int known[]; // of every thread
    const int x = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int column = static_cast<int>(blockIdx.x) * (threads - 2 * margin) + x - margin;
    const int from_edge = min(x, threads - 1 - x);
    const bool inside = column >= 0 && column < columns;
    const int left = column > 0 ? x - 1 : x;
    const int right = column < columns - 1 ? x + 1 : x;
    int here = 0;
    if (inside)
        here = cost[column];
    known[x] = here;
    __syncthreads();
#pragma unroll 1
    for (int step = 1; step <= steps; ++step) {
        const bool reaches = inside && from_edge >= step; // both neighbours are known in the row before
        if (reaches)
            here = min(min(known[left], here), known[right]) + walls[(step - 1) * columns + column];
        __syncthreads();
        if (reaches)
            known[x] = here;
        __syncthreads();
    }
    if (inside && from_edge >= margin)
        next[column] = here;
}

namespace {

struct Terrain {
    std::size_t columns;
    std::size_t rows;
    std::vector<int> walls; ///< by row
};

std::vector<int> find_paths(const Terrain& terrain, unsigned blocks, unsigned block, std::size_t margin) {
    const std::size_t columns = terrain.columns;
    workload::DeviceArray<int> walls(terrain.walls);
    workload::DeviceArray<int> now(std::vector<int>(terrain.walls.begin(), terrain.walls.begin() + columns));
    workload::DeviceArray<int> later(columns);
    later.fill_bytes(0xff);
    workload::DeviceArray<int>* from = &now;
    workload::DeviceArray<int>* to = &later;
    for (std::size_t row = 1; row < terrain.rows; row += margin) {
        const std::size_t steps = std::min(margin, terrain.rows - row);
        advance<<<blocks, block, block * sizeof(int)>>>(to->data(), from->data(), walls.data() + row * columns,
                                                        static_cast<int>(columns), static_cast<int>(steps),
                                                        static_cast<int>(margin));
        workload::finish_kernels();
        std::swap(from, to);
    }
    return from->to_host();
}

// ---- reference ----

/// Row by row, from each cell to the up to three that it leads to.
std::vector<int> reference(const Terrain& terrain) {
    constexpr int kFar = 1 << 30;
    const std::size_t columns = terrain.columns;
    std::vector<int> cost(terrain.walls.begin(), terrain.walls.begin() + columns);
    for (std::size_t row = 1; row < terrain.rows; ++row) {
        std::vector<int> next(columns, kFar);
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t last = std::min(column + 1, columns - 1);
            for (std::size_t to = column == 0 ? 0 : column - 1; to <= last; ++to)
                next[to] = std::min(next[to], cost[column] + terrain.walls[row * columns + to]);
        }
        cost = next;
    }
    return cost;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("pathfinder", "Cheapest paths through a grid, several rows a kernel",
                               {{"pro", {100'000, 0, 100}, {8'192, 0, 24}}});
    line.size("cells of a row", 1, 1u << 20).block().seed().iterations("rows of the grid");
    const workload::Options options = line.parse(argc, argv);
    const std::uint64_t most_rows = (std::uint64_t{1} << 28) / options.amount.size;
    if (options.amount.iterations > most_rows) {
        std::fprintf(stderr, "pathfinder: error: --iterations %llu: with %llu cells a row at most %llu rows\n",
                     static_cast<unsigned long long>(options.amount.iterations),
                     static_cast<unsigned long long>(options.amount.size), static_cast<unsigned long long>(most_rows));
        return EXIT_FAILURE;
    }

    const unsigned block = workload::block_threads(options);
    if (block < 3) {
        std::fprintf(stderr, "pathfinder: error: --block %u: a cell and a margin of one on each side take 3 threads\n",
                     block);
        return EXIT_FAILURE;
    }
    const std::size_t margin = std::clamp<std::size_t>(block / 4, 1, kMargin);
    Terrain terrain{options.amount.size, options.amount.iterations, {}};
    terrain.walls.resize(terrain.columns * terrain.rows);
    workload::Random random(options.seed);
    for (int& wall : terrain.walls)
        wall = static_cast<int>(random.below(kCosts));

    const auto blocks = static_cast<unsigned>(workload::groups_of(terrain.columns, block - 2 * margin));
    workload::Check check;
    check.equal("cost", find_paths(terrain, blocks, block, margin), reference(terrain));
    std::printf("pathfinder: %u blocks of %u threads, %zu rows of %zu cells, %zu rows a kernel\n", blocks, block,
                terrain.rows, terrain.columns, margin);
    return check.finish();
}
