// Flow of a liquid by the lattice-Boltzmann method: 19 velocities in three dimensions (D3Q19), collisions by relaxation
// (BGK). One thread a cell: it reads what has arrived there, collides it, and sends it on to the 19
// neighbours. Obstacles send everything back; the uppermost layer is driven at a fixed velocity. The box is periodic.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kVelocities = 19;
constexpr float kRelaxation = 1.85f; ///< a step; the liquid is thin
constexpr float kDrivenX = 0.05f;    ///< cells a step
constexpr float kDrivenY = 0.02f;

enum Kind : unsigned char { kLiquid, kObstacle, kDriven };

/// Of velocity q, in cells a step. Velocities 2 k - 1 and 2 k are opposite.
struct Velocity {
    int x;
    int y;
    int z;
};

__host__ __device__ constexpr Velocity velocity(int q) {
    constexpr Velocity kAll[kVelocities] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                            {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                            {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                            {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
    return kAll[q];
}

__host__ __device__ constexpr int opposite(int q) {
    return q == 0 ? 0 : ((q - 1) ^ 1) + 1;
}

/// The share of velocity q in a liquid at rest.
__host__ __device__ constexpr double weight(int q) {
    return q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36;
}

// ---- device ----

/// From 0 to n, not including n, on a ring.
__device__ inline int on_ring(int i, int n) {
    if (i < 0)
        return i + n;
    return i >= n ? i - n : i;
}

/// `flow` has the densities of one velocity after those of another; within, x runs fastest.
template <typename Real>
__global__ void step(Real* next, const Real* flow, const unsigned char* kinds, int n) {
    const int cells = n * n * n;
    for (int cell = workload::thread_index(); cell < cells; cell += workload::thread_count()) {
        Real density[kVelocities];
#pragma unroll
        for (int q = 0; q < kVelocities; ++q)
            density[q] = flow[q * cells + cell];

        const unsigned char kind = kinds[cell];
        if (kind == kObstacle) {
#pragma unroll
            for (int q = 1; q < kVelocities; q += 2) {
                const Real kept = density[q];
                density[q] = density[q + 1];
                density[q + 1] = kept;
            }
        } else {
            Real total = 0;
            Real x = 0;
            Real y = 0;
            Real z = 0;
#pragma unroll
            for (int q = 0; q < kVelocities; ++q) {
                const Velocity v = velocity(q);
                total += density[q];
                x += static_cast<Real>(v.x) * density[q];
                y += static_cast<Real>(v.y) * density[q];
                z += static_cast<Real>(v.z) * density[q];
            }
            x /= total;
            y /= total;
            z /= total;
            if (kind == kDriven) {
                x = kDrivenX;
                y = kDrivenY;
                z = 0;
            }
            const Real still = 1 - Real(1.5) * (x * x + y * y + z * z);
#pragma unroll
            for (int q = 0; q < kVelocities; ++q) {
                const Velocity v = velocity(q);
                const Real along = static_cast<Real>(v.x) * x + static_cast<Real>(v.y) * y + static_cast<Real>(v.z) * z;
                const Real balanced = static_cast<Real>(weight(q)) * total * (along * (3 + Real(4.5) * along) + still);
                density[q] += kRelaxation * (balanced - density[q]);
            }
        }

        const int x = cell % n;
        const int y = cell / n % n;
        const int z = cell / (n * n);
#pragma unroll
        for (int q = 0; q < kVelocities; ++q) {
            const Velocity v = velocity(q);
            const int to = (on_ring(z + v.z, n) * n + on_ring(y + v.y, n)) * n + on_ring(x + v.x, n);
            next[q * cells + to] = density[q];
        }
    }
}

namespace {

struct Box {
    int n; ///< cells of a side
    std::vector<unsigned char> kinds;
    std::vector<float> flow;

    std::size_t cells() const {
        return kinds.size();
    }
};

template <typename Number>
Number balanced(int q, Number total, Number x, Number y, Number z) {
    const Velocity v = velocity(q);
    const Number along = v.x * x + v.y * y + v.z * z;
    return static_cast<Number>(weight(q)) * total *
           (1 + 3 * along + Number(4.5) * along * along - Number(1.5) * (x * x + y * y + z * z));
}

template <typename Real>
std::vector<Real> simulate(const Box& box, int steps, const workload::Grid& grid) {
    workload::DeviceArray<Real> now(std::vector<Real>(box.flow.begin(), box.flow.end()));
    workload::DeviceArray<Real> later(box.flow.size());
    workload::DeviceArray<unsigned char> kinds(box.kinds);
    later.fill_bytes(0xff); // not a number: a density that no thread writes shall not pass
    workload::DeviceArray<Real>* from = &now;
    workload::DeviceArray<Real>* to = &later;
    for (int done = 0; done < steps; ++done) {
        step<<<grid.blocks, grid.block>>>(to->data(), from->data(), kinds.data(), box.n);
        workload::finish_kernels();
        std::swap(from, to);
    }
    return from->to_host();
}

// ---- reference ----

/// In double precision, in two sweeps: all cells collide, then every cell fetches what comes to it.
std::vector<double> reference(const Box& box, int steps) {
    const std::size_t n = static_cast<std::size_t>(box.n);
    const std::size_t cells = box.cells();
    std::vector<double> flow(box.flow.begin(), box.flow.end());
    std::vector<double> collided(flow.size());
    for (int done = 0; done < steps; ++done) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            double total = 0;
            double momentum[3] = {};
            for (int q = 0; q < kVelocities; ++q) {
                const double density = flow[static_cast<std::size_t>(q) * cells + cell];
                total += density;
                momentum[0] += velocity(q).x * density;
                momentum[1] += velocity(q).y * density;
                momentum[2] += velocity(q).z * density;
            }
            const bool driven = box.kinds[cell] == kDriven;
            const double x = driven ? kDrivenX : momentum[0] / total;
            const double y = driven ? kDrivenY : momentum[1] / total;
            const double z = driven ? 0 : momentum[2] / total;
            for (int q = 0; q < kVelocities; ++q) {
                const std::size_t of_q = static_cast<std::size_t>(q) * cells;
                const double density = flow[of_q + cell];
                collided[of_q + cell] =
                    box.kinds[cell] == kObstacle
                        ? flow[static_cast<std::size_t>(opposite(q)) * cells + cell]
                        : (1 - double{kRelaxation}) * density + double{kRelaxation} * balanced(q, total, x, y, z);
            }
        }
        for (int q = 0; q < kVelocities; ++q) {
            const Velocity v = velocity(q);
            const auto before = [n](std::size_t i, int by) {
                return (i + 1 + n - static_cast<std::size_t>(1 + by)) % n;
            };
            const std::size_t of_q = static_cast<std::size_t>(q) * cells;
            for (std::size_t cell = 0; cell < cells; ++cell) {
                const std::size_t from =
                    (before(cell / (n * n), v.z) * n + before(cell / n % n, v.y)) * n + before(cell % n, v.x);
                flow[of_q + cell] = collided[of_q + from];
            }
        }
    }
    return flow;
}

// ---- input ----

/// Spheres as obstacles, some of which overlap, in a liquid that is stirred at random.
Box random_box(std::size_t side, workload::Random& random) {
    Box box{static_cast<int>(side), std::vector<unsigned char>(side * side * side, kLiquid), {}};
    const int n = box.n;
    for (int sphere = 0; sphere < 12; ++sphere) {
        const auto place = [&] { return static_cast<int>(random.below(static_cast<std::uint32_t>(n))); };
        const int middle[3] = {place(), place(), place()};
        const int radius = n / 16 + static_cast<int>(random.below(static_cast<std::uint32_t>(n / 8 + 1)));
        for (std::size_t cell = 0; cell < box.cells(); ++cell) {
            const int i = static_cast<int>(cell);
            const int dx = i % n - middle[0];
            const int dy = i / n % n - middle[1];
            const int dz = i / (n * n) - middle[2];
            if (dx * dx + dy * dy + dz * dz < radius * radius)
                box.kinds[cell] = kObstacle;
        }
    }
    for (std::size_t cell = side * side * (side - 1); cell < box.cells(); ++cell)
        box.kinds[cell] = kDriven;

    box.flow.resize(kVelocities * box.cells());
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const bool moves = box.kinds[cell] != kObstacle;
        const auto speed = [&] { return moves ? random.uniform(-0.03f, 0.03f) : 0.0f; };
        const float x = speed();
        const float y = speed();
        const float z = speed();
        for (int q = 0; q < kVelocities; ++q)
            box.flow[static_cast<std::size_t>(q) * box.cells() + cell] = balanced(q, 1.0f, x, y, z);
    }
    return box;
}

template <typename Real>
int run(const workload::Options& options) {
    workload::Random random(options.seed);
    const Box box = random_box(options.amount.size, random);
    const int steps = static_cast<int>(options.amount.iterations);
    const workload::Grid grid = workload::grid_for(options, box.cells());
    const std::vector<Real> got = simulate<Real>(box, steps, grid);
    const std::vector<double> expected = reference(box, steps);

    // Some 32 operations on numbers up to 1 make a density of a step, each rounded by the unit roundoff at most; those
    // of the reference are, too.
    const double tolerance = steps * 32 * (workload::unit_roundoff<Real>() + workload::unit_roundoff<double>());
    workload::Check check;
    check.near("density", got, expected, tolerance);
    std::printf("lbm: %u threads, %d^3 cells, %d steps, largest error %.1e (tolerance %.1e)\n", grid.threads(), box.n,
                steps, check.worst(), tolerance);
    return check.finish();
}

} // namespace

int main(int argc, char** argv) {
    bool single = false;
    workload::CommandLine line("lbm", "Flow of a liquid by the lattice-Boltzmann method, D3Q19",
                               {{"dwf", {32, 0, 8}, {12, 0, 3}}});
    line.size("cells of each side of the box", 1, 256)
        .threads()
        .block()
        .seed()
        .iterations("time steps")
        .flag("--single", single, "single precision in place of double, which SPEC has");
    const workload::Options options = line.parse(argc, argv);
    return single ? run<float>(options) : run<double>(options);
}
