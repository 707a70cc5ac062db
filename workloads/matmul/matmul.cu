// Product of two square integer matrices, C = A * B. Two kernels:
//   classic  one thread walks a row of A and a column of B for every element of C; elements are dealt to the threads
//            of the grid round-robin. Suite lwm: 1024 persistent threads; suite dwf: one thread an element.
//   tiled    (--tiled) a block computes square tiles of C from tiles of A and B in shared memory.
// Arithmetic is modulo 2^32, so the check is exact.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

// ---- device ----

__global__ void multiply_classic(unsigned* c, const unsigned* a, const unsigned* b, int n) {
    for (int element = workload::thread_index(); element < n * n; element += workload::thread_count()) {
        const unsigned* const row = a + element / n * n;
        const unsigned* const column = b + element % n;
        unsigned sum = 0;
#pragma unroll 1
        for (int k = 0; k < n; ++k)
            sum += row[k] * column[k * n];
        c[element] = sum;
    }
}

/// A block has kTile * kTile threads, one for every element of a tile. Elements beyond the matrix count as 0.
template <int kTile>
__global__ void multiply_tiled(unsigned* c, const unsigned* a, const unsigned* b, int n) {
    __shared__ unsigned tile_a[kTile][kTile];
    __shared__ unsigned tile_b[kTile][kTile];
    const int x = static_cast<int>(threadIdx.x) % kTile;
    const int y = static_cast<int>(threadIdx.x) / kTile;
    const int tiles = (n + kTile - 1) / kTile;
    for (int tile = static_cast<int>(blockIdx.x); tile < tiles * tiles; tile += static_cast<int>(gridDim.x)) {
        const int row = tile / tiles * kTile + y;
        const int column = tile % tiles * kTile + x;
        unsigned sum = 0;
#pragma unroll 1
        for (int k = 0; k < n; k += kTile) {
            tile_a[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
            tile_b[y][x] = k + y < n && column < n ? b[(k + y) * n + column] : 0;
            __syncthreads();
            for (int i = 0; i < kTile; ++i)
                sum += tile_a[y][i] * tile_b[i][x];
            __syncthreads();
        }
        if (row < n && column < n)
            c[row * n + column] = sum;
    }
}

// ---- reference ----

namespace {

std::vector<unsigned> reference(const std::vector<unsigned>& a, const std::vector<unsigned>& b, std::size_t n) {
    std::vector<unsigned> c(n * n);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t column = 0; column < n; ++column)
                c[row * n + column] += a[row * n + k] * b[k * n + column];
    return c;
}

/// The largest kernel whose block, a square of a power of two, fits into `block` threads.
void launch_tiled(const workload::Grid& grid, unsigned* c, const unsigned* a, const unsigned* b, int n) {
    if (grid.block >= 256) {
        multiply_tiled<16><<<std::max(1u, grid.threads() / 256), 256>>>(c, a, b, n);
    } else if (grid.block >= 64) {
        multiply_tiled<8><<<std::max(1u, grid.threads() / 64), 64>>>(c, a, b, n);
    } else {
        multiply_tiled<4><<<std::max(1u, grid.threads() / 16), 16>>>(c, a, b, n);
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("matmul", "Product of two square integer matrices",
                               {{"lwm", {256, 1024, 1}, {64, 1024, 1}}, {"dwf", {256, 0, 1}, {64, 0, 1}}});
    bool tiled = false;
    line.size("rows and columns of the matrices", 1, 16384).threads().block().seed();
    line.flag("--tiled", tiled, "use shared memory, tiles of 16, 8 or 4 elements a side as the block allows");
    const workload::Options options = line.parse(argc, argv);

    const std::size_t n = options.amount.size;
    workload::Random random(options.seed);
    std::vector<unsigned> a(n * n);
    std::vector<unsigned> b(n * n);
    for (unsigned& value : a)
        value = random.below(1u << 16);
    for (unsigned& value : b)
        value = random.below(1u << 16);

    const workload::Grid grid = workload::grid_for(options, n * n);
    workload::DeviceArray<unsigned> device_a(a);
    workload::DeviceArray<unsigned> device_b(b);
    workload::DeviceArray<unsigned> device_c(n * n);
    device_c.fill_bytes(0xff); // an element that no thread writes shall not pass
    if (tiled) {
        launch_tiled(grid, device_c.data(), device_a.data(), device_b.data(), static_cast<int>(n));
    } else {
        multiply_classic<<<grid.blocks, grid.block>>>(device_c.data(), device_a.data(), device_b.data(),
                                                      static_cast<int>(n));
    }
    workload::finish_kernels();

    workload::Check check;
    check.equal("c", device_c.to_host(), reference(a, b, n));
    std::printf("matmul: %s, %u threads, %zux%zu\n", tiled ? "tiled" : "classic", grid.threads(), n, n);
    return check.finish();
}
