// Temperatures on a chip over time: an explicit solver of heat flow on a square grid, with the physics of Rodinia's
// hotspot. Two kernels:
//
// - step_plain, of suites lwm and maws: one step a launch. Threads share the cells and read the neighbours from
//   global memory.
// - step_tiled, of suite pro: two steps a launch. A block of 16x16 threads computes a tile of 12x12 cells in shared
//   memory, with a margin of two cells on each side that overlaps the neighbours' tiles, so that the first step is
//   computed for one cell of the margin too. A grid of 512x512 has 43x43 = 1849 tiles, the blocks of PRO Table II.
//
// Every operation is rounded once, in the order in which the reference has it, so the check is exact. Suites lwm and
// maws are double, as Rodinia's program for CPUs is, and suite pro single, as the one for GPUs is.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kTile = 16;                    ///< threads of a block of the tiled kernel, a side
constexpr int kPyramid = 2;                  ///< steps of a launch of the tiled kernel
constexpr int kInner = kTile - 2 * kPyramid; ///< cells that such a block computes, a side
constexpr float kAmbient = 80.0f;            ///< temperature around the chip

/// What the heat balance of a cell is multiplied with.
template <typename Real>
struct Coefficients {
    Real step;         ///< time step over heat capacity
    Real per_neighbor; ///< 1 / thermal resistance to the next cell; cells are square
    Real per_ambient;  ///< 1 / thermal resistance to the ambient
};

// ---- device ----

template <typename Real>
__device__ inline Real next_temperature(Real here, Real north, Real south, Real west, Real east, Real power,
                                        Coefficients<Real> by) {
    const Real vertical = fma(Real(-2), here, north + south);
    const Real horizontal = fma(Real(-2), here, west + east);
    Real heat = fma(vertical, by.per_neighbor, power);
    heat = fma(horizontal, by.per_neighbor, heat);
    heat = fma(kAmbient - here, by.per_ambient, heat);
    return fma(by.step, heat, here);
}

/// One step. Where a neighbour would lie outside the grid, the cell itself stands for it: no heat flows there. The four
/// tests are the non-loop branches of MAWS Table 2, which seldom diverge.
template <typename Real>
__global__ void step_plain(Real* next, const Real* temperature, const Real* power, int n, Coefficients<Real> by,
                           workload::Deal deal) {
    const workload::Share share = workload::share_of(n * n, deal);
    for (int cell = share.first; cell < share.end; cell += share.step) {
        const int row = cell / n;
        const int column = cell % n;
        const Real here = temperature[cell];
        Real north = here;
        Real south = here;
        Real west = here;
        Real east = here;
        if (row > 0)
            north = temperature[cell - n];
        if (row < n - 1)
            south = temperature[cell + n];
        if (column > 0)
            west = temperature[cell - 1];
        if (column < n - 1)
            east = temperature[cell + 1];
        next[cell] = next_temperature(here, north, south, west, east, power[cell], by);
    }
}

/// `steps` steps, at most kPyramid.
__global__ void step_tiled(float* next, const float* temperature, const float* power, int n, int steps,
                           Coefficients<float> by, workload::Deal deal) {
    __shared__ float tile[kTile][kTile];
    const int x = static_cast<int>(threadIdx.x) % kTile;
    const int y = static_cast<int>(threadIdx.x) / kTile;
    const int from_edge = min(min(x, kTile - 1 - x), min(y, kTile - 1 - y));
    const int tiles = (n + kInner - 1) / kInner;
    const workload::Share share =
        workload::share_of(tiles * tiles, deal, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x));
    for (int t = share.first; t < share.end; t += share.step) {
        const int row = t / tiles * kInner + y - kPyramid;
        const int column = t % tiles * kInner + x - kPyramid;
        const bool inside = row >= 0 && row < n && column >= 0 && column < n;
        float here = 0.0f;
        float heating = 0.0f;
        if (inside) {
            here = temperature[row * n + column];
            heating = power[row * n + column];
        }
        tile[y][x] = here;
        __syncthreads();
#pragma unroll 1
        for (int step = 1; step <= steps; ++step) {
            const bool known = inside && from_edge >= step; // all neighbours are, at the step before
            if (known) {
                const float north = row > 0 ? tile[y - 1][x] : here;
                const float south = row < n - 1 ? tile[y + 1][x] : here;
                const float west = column > 0 ? tile[y][x - 1] : here;
                const float east = column < n - 1 ? tile[y][x + 1] : here;
                here = next_temperature(here, north, south, west, east, heating, by);
            }
            __syncthreads();
            if (known)
                tile[y][x] = here;
            __syncthreads();
        }
        if (inside && from_edge >= kPyramid)
            next[row * n + column] = here;
    }
}

namespace {

/// Rodinia's chip: 16 x 16 x 0.5 mm of silicon, of whose heat capacity half counts, and a time step in which no cell
/// warms by more than 0.001 degrees at the highest power density. Cells of an n x n grid.
template <typename Real>
Coefficients<Real> coefficients(int n) {
    constexpr double kSide = 0.016;          // m
    constexpr double kThickness = 0.0005;    // m
    constexpr double kHeatCapacity = 1.75e6; // J/(m3 K)
    constexpr double kCapacityShare = 0.5;
    constexpr double kConductivity = 100;     // W/(m K)
    constexpr double kMostPowerDensity = 3e6; // W/m2
    constexpr double kPrecision = 0.001;      // K
    const double cell = kSide / n;
    const double capacity = kCapacityShare * kHeatCapacity * kThickness * cell * cell;
    const double most_slope = kMostPowerDensity / (kCapacityShare * kThickness * kHeatCapacity);
    const double step = kPrecision / most_slope;
    return {static_cast<Real>(step / capacity), static_cast<Real>(2 * kConductivity * kThickness),
            static_cast<Real>(kConductivity * cell * cell / kThickness)};
}

template <typename Real>
struct Chip {
    int n; ///< cells of a side
    std::vector<Real> temperature;
    std::vector<Real> power;
};

template <typename Real>
Chip<Real> random_chip(std::size_t n, workload::Random& random) {
    Chip<Real> chip{static_cast<int>(n), std::vector<Real>(n * n), std::vector<Real>(n * n)};
    for (Real& value : chip.temperature)
        value = random.uniform(323.0f, 333.0f);
    for (Real& value : chip.power)
        value = random.uniform(0.0f, 0.005f);
    return chip;
}

template <typename Real>
std::vector<Real> simulate(const Chip<Real>& chip, int iterations, const workload::Grid& grid, workload::Deal deal,
                           bool tiled) {
    workload::DeviceArray<Real> now(chip.temperature);
    workload::DeviceArray<Real> later(chip.temperature.size());
    workload::DeviceArray<Real> power(chip.power);
    later.fill_bytes(0xff); // not a number: a cell that no thread writes shall not pass
    workload::DeviceArray<Real>* from = &now;
    workload::DeviceArray<Real>* to = &later;
    const Coefficients<Real> by = coefficients<Real>(chip.n);
    for (int done = 0; done < iterations;) {
        const int steps = tiled ? std::min(kPyramid, iterations - done) : 1;
        if constexpr (std::is_same_v<Real, float>)
            if (tiled)
                step_tiled<<<grid.blocks, grid.block>>>(to->data(), from->data(), power.data(), chip.n, steps, by,
                                                        deal);
        if (!tiled)
            step_plain<<<grid.blocks, grid.block>>>(to->data(), from->data(), power.data(), chip.n, by, deal);
        workload::finish_kernels();
        std::swap(from, to);
        done += steps;
    }
    return from->to_host();
}

// ---- reference ----

/// The grid with a frame of one cell, which repeats the outermost cells before each step.
template <typename Real>
class Framed {
public:
    Framed(const std::vector<Real>& cells, std::size_t n) : n_(n), cells_((n + 2) * (n + 2)) {
        for (std::size_t i = 0; i < n * n; ++i)
            at(i / n + 1, i % n + 1) = cells[i];
    }
    Real& at(std::size_t row, std::size_t column) {
        return cells_[row * (n_ + 2) + column];
    }
    void repeat_outermost() {
        for (std::size_t i = 1; i <= n_; ++i) {
            at(0, i) = at(1, i);
            at(n_ + 1, i) = at(n_, i);
            at(i, 0) = at(i, 1);
            at(i, n_ + 1) = at(i, n_);
        }
    }

private:
    std::size_t n_;
    std::vector<Real> cells_;
};

template <typename Real>
std::vector<Real> reference(const Chip<Real>& chip, int iterations) {
    const auto n = static_cast<std::size_t>(chip.n);
    const Coefficients<Real> by = coefficients<Real>(chip.n);
    std::vector<Real> result = chip.temperature;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        Framed<Real> t(result, n);
        t.repeat_outermost();
        for (std::size_t row = 1; row <= n; ++row) {
            for (std::size_t column = 1; column <= n; ++column) {
                const std::size_t cell = (row - 1) * n + column - 1;
                const Real here = t.at(row, column);
                const Real down = std::fma(Real(-2), here, t.at(row - 1, column) + t.at(row + 1, column));
                const Real across = std::fma(Real(-2), here, t.at(row, column - 1) + t.at(row, column + 1));
                const Real from_rows = std::fma(down, by.per_neighbor, chip.power[cell]);
                const Real from_all = std::fma(across, by.per_neighbor, from_rows);
                result[cell] = std::fma(by.step, std::fma(kAmbient - here, by.per_ambient, from_all), here);
            }
        }
    }
    return result;
}

/// The tiled kernel needs a thread for every cell of a tile.
void require_tile_block(const workload::Grid& grid, unsigned asked) {
    constexpr unsigned kThreads = kTile * kTile;
    if (grid.block == kThreads)
        return;
    std::fprintf(stderr, "hotspot: error: suite pro: the tiled kernel runs in blocks of %u threads, ", kThreads);
    if (asked != 0)
        std::fprintf(stderr, "--block is %u\n", asked);
    else
        std::fprintf(stderr, "a block of this device holds at most %u\n", grid.block);
    std::exit(EXIT_FAILURE);
}

template <typename Real>
int run(const workload::Options& options) {
    const bool tiled = options.suite == "pro";
    const std::size_t n = options.amount.size;
    const std::size_t tiles = (n + kInner - 1) / kInner;
    const workload::Grid grid = workload::grid_for(options, tiled ? tiles * tiles * kTile * kTile : n * n);
    if (tiled)
        require_tile_block(grid, options.block);

    workload::Random random(options.seed);
    const Chip<Real> chip = random_chip<Real>(n, random);
    const int iterations = static_cast<int>(options.amount.iterations);
    const std::vector<Real> got = simulate(chip, iterations, grid, options.deal, tiled);
    const std::vector<Real> expected = reference(chip, iterations);

    workload::Check check;
    for (std::size_t cell = 0; cell < expected.size(); ++cell)
        check.near("temperature", cell, got[cell], expected[cell], 0);
    std::printf("hotspot: %s, %u blocks of %u threads, %zux%zu cells, %d steps\n", tiled ? "tiled" : "plain",
                grid.blocks, grid.block, n, n, iterations);
    return check.finish();
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line(
        "hotspot", "Temperatures on a chip over time",
        {{"lwm", {512, 1024, 12}, {128, 1024, 4}},
         {"maws", {300, workload::kDeviceThreads, 100}, {100, workload::kDeviceThreads, 4}, workload::Deal::Tiles},
         {"pro", {512, 0, 2}, {100, 0, 3}}});
    bool single = false;
    // Step over capacity and resistance is 0.034 (size / 512)^2; beyond 1/4 the solver is unstable.
    line.size("rows and columns of the grid", 1, 1024).threads().block().seed().deal().iterations("time steps");
    line.flag("--single", single, "single precision in place of double; suite pro has no other");
    const workload::Options options = line.parse(argc, argv);
    return single || options.suite == "pro" ? run<float>(options) : run<double>(options);
}
