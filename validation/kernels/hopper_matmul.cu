// The product of matrices of bf16 with sums of f32, 4096 x 4096 x 4096, whose rate on an H100 is published
// (pranjalssh/fast.cu, its eleventh kernel): C by columns = A by rows x B by columns. 64 clusters of two blocks, one
// block an SM, go through tiles of 128 x 256 elements of C, which a cluster takes in pairs down, along a Hilbert curve. One
// warpgroup copies tiles of 64 elements along k, those of B by multicast, through three stages; two multiply, 64 rows
// each, and store their results by a bulk copy. Registers: 24 a thread of the first and 240 of the others.

#include <cuda_bf16.h>

#include "tensor_map.h"

namespace {

constexpr unsigned kRows = 128, kColumns = 256, kDepth = 64, kStages = 3; // of a block; of a step; of the pipeline
constexpr unsigned kBlocks = 128, kConsumers = 2, kThreads = 128 * (kConsumers + 1);
constexpr unsigned kMostTiles = 16; // of a block
constexpr unsigned kLine = 128;     // bytes along k

struct Stage {
    unsigned char a[kRows * kLine], b[kColumns * kLine];
};
struct Shared {
    Stage stages[kStages];
    __nv_bfloat16 c[kColumns][kRows];
    uint64_t full[kStages], empty[kStages];
};

struct Maps {
    CUtensorMap a, b, c;
};
// The tiles of a cluster, in pairs of 256 x 256: -1 behind the last one.
struct Tiles {
    int rows[kMostTiles], columns[kMostTiles];
};

// A stage of the pipeline, and the parity of its objects.
struct Place {
    unsigned stage = 0, parity = 0;
    __device__ void next() {
        if (++stage == kStages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

__device__ void produce(Shared& s, const Maps* maps, const Tiles& tiles, unsigned depth, uint32_t rank) {
    Place at;
    for (unsigned i = 0; i < kMostTiles && tiles.rows[i] >= 0; ++i) {
        const int row = (tiles.rows[i] * 2 + static_cast<int>(rank)) * kRows, column = tiles.columns[i] * kColumns;
        for (unsigned k = 0; k < depth; k += kDepth, at.next()) {
            wait(&s.empty[at.stage], at.parity);
            uint64_t* const full = &s.full[at.stage];
            expect(full, sizeof(Stage));
            load(s.stages[at.stage].a, &maps->a, static_cast<int>(k), row, full);
            if (rank == 0)
                load_for(3, s.stages[at.stage].b, &maps->b, static_cast<int>(k), column, full);
        }
    }
}

__device__ void release(uint64_t* empty) {
    if (threadIdx.x % 128 < 2)
        arrive_at(empty, threadIdx.x % 128);
}

// A warpgroup's 64 rows of C, column by column; the block's tile by one bulk copy when both have written it.
__device__ void store_results(Shared& s, const float (&sums)[128], unsigned group, const CUtensorMap* map, int row,
                              int column) {
    wait_for_stores();
    asm volatile("bar.sync 2, 256;" ::: "memory"); // the last tile's results have been read
    const unsigned thread = threadIdx.x % 128, down = group * 64 + thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
    for (unsigned i = 0; i < 128; ++i)
        s.c[i / 4 * 8 + thread % 4 * 2 + i % 2][down + i / 2 % 2 * 8] = __float2bfloat16(sums[i]);
    show_shared();
    asm volatile("bar.sync 1, 256;" ::: "memory");
    if (threadIdx.x == 128)
        store(map, row, column, s.c);
}

__device__ void consume(Shared& s, const Maps* maps, const Tiles& tiles, unsigned depth, uint32_t rank) {
    const unsigned group = threadIdx.x / 128 - 1;
    for (uint64_t& empty : s.empty)
        release(&empty);
    Place at;
    for (unsigned i = 0; i < kMostTiles && tiles.rows[i] >= 0; ++i) {
        float sums[128] = {};
        for (unsigned k = 0; k < depth; k += kDepth, at.next()) {
            wait(&s.full[at.stage], at.parity);
            const Stage& stage = s.stages[at.stage];
            begin_products();
#pragma unroll
            for (unsigned step = 0; step < kDepth / 16; ++step)
                multiply_bf16(sums, descriptor(stage.a + group * 64 * kLine) + step * 2, descriptor(stage.b) + step * 2);
            end_products();
            release(&s.empty[at.stage]);
        }
        store_results(s, sums, group, &maps->c, (tiles.rows[i] * 2 + static_cast<int>(rank)) * kRows,
                      tiles.columns[i] * kColumns);
    }
}

__global__ void __launch_bounds__(kThreads) multiply_matrices(const Maps* maps, const Tiles* tiles, unsigned depth) {
    extern __shared__ __align__(1024) unsigned char shared[];
    Shared& s = *reinterpret_cast<Shared*>(shared);
    const uint32_t rank = rank_in_cluster();
    if (threadIdx.x == 0) {
        for (unsigned stage = 0; stage < kStages; ++stage) {
            init(&s.full[stage], 1);
            init(&s.empty[stage], 2 * kConsumers);
        }
        show_objects();
    }
    meet_cluster();
    if (threadIdx.x < 128) {
        give_registers<24>();
        if (threadIdx.x == 0)
            produce(s, maps, tiles[blockIdx.x / 2], depth, rank);
        __syncwarp();
    } else {
        take_registers<240>();
        consume(s, maps, tiles[blockIdx.x / 2], depth, rank);
    }
    meet_cluster(); // a block's shared memory is there as long as the other one copies to it
}

// The square that a Hilbert curve through side x side squares comes to after `steps`.
void hilbert(unsigned side, unsigned steps, unsigned& x, unsigned& y) {
    x = y = 0;
    for (unsigned size = 1; size < side; size *= 2, steps /= 4) {
        const unsigned right = steps / 2 & 1, up = (steps ^ right) & 1;
        if (up == 0) {
            if (right == 1) {
                x = size - 1 - x;
                y = size - 1 - y;
            }
            std::swap(x, y);
        }
        x += size * right;
        y += size * up;
    }
}

// The pairs of tiles of a square matrix of C go to the clusters in turn, along the curve.
std::vector<Tiles> deal_tiles(unsigned size, unsigned clusters) {
    std::vector<Tiles> out(clusters);
    for (Tiles& tiles : out)
        std::fill(std::begin(tiles.rows), std::end(tiles.rows), -1);
    const unsigned side = size / kColumns;
    for (unsigned step = 0; step < side * side; ++step) {
        unsigned x = 0, y = 0;
        hilbert(side, step, x, y);
        out[step % clusters].rows[step / clusters] = static_cast<int>(x);
        out[step % clusters].columns[step / clusters] = static_cast<int>(y);
    }
    return out;
}

// A rate in Tflop/s. `c` by columns.
double measure(unsigned size, unsigned depth, unsigned blocks) {
    const auto a = validation::eighths<__nv_bfloat16>(std::size_t{size} * depth, 1);
    const auto b = validation::eighths<__nv_bfloat16>(std::size_t{size} * depth, 2);
    workload::DeviceArray<__nv_bfloat16> device_a(a), device_b(b), c(std::size_t{size} * size);
    const auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    workload::DeviceArray<Maps> maps(std::vector<Maps>{
        {validation::tensor_map(type, device_a.data(), {depth, size}, {depth}, {64, kRows}),
         validation::tensor_map(type, device_b.data(), {depth, size}, {depth}, {64, kColumns}),
         validation::tensor_map(type, c.data(), {size, size}, {size}, {kRows, kColumns}, CU_TENSOR_MAP_SWIZZLE_NONE)}});
    workload::DeviceArray<Tiles> tiles(deal_tiles(size, blocks / 2));
    validation::allow_shared(multiply_matrices, sizeof(Shared));
    validation::TimedLaunch launch;
    const double took = launch.nanoseconds([&] {
        validation::launch_in_clusters<const Maps*, const Tiles*, unsigned>(
            multiply_matrices, 2, blocks, kThreads, sizeof(Shared), maps.data(), tiles.data(), depth);
    });
    workload::finish_kernels();
    const auto here = c.to_host();
    for (std::size_t m = 0; m < size; m += 251)
        for (std::size_t n = 0; n < size; n += 127) {
            float sum = 0; // exact
            for (std::size_t k = 0; k < depth; ++k)
                sum += static_cast<float>(a[m * depth + k]) * static_cast<float>(b[n * depth + k]);
            validation::expect_near("matmul", n * size + m, static_cast<float>(here[n * size + m]),
                                    static_cast<float>(__float2bfloat16(sum)), 0);
        }
    return 2.0 * size * size * depth / took / 1e3;
}

} // namespace

int main(int count, char** words) {
    if (!validation::has_warpgroups())
        return 0;
    const bool quick = validation::is_quick(count, words);
    validation::report("kernel.hopper_matmul.bf16", quick ? measure(512, 256, 4) : measure(4096, 4096, kBlocks),
                       "Tflop/s");
}
