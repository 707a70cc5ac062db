// Products C = A B of f16 with sums of f32 whose times on an H200 NVL are published, with bulk copies of tensors to each
// block (unicast), to both blocks of a cluster (multicast), and without (FlashGPU-Sim, docs/cluster_noc/calibration.md).
// The kernels there are Triton's; what that page says of them: a cluster of two blocks of four warps computes a tile of
// 256 x 128 elements, with 64 elements along k in a step and two stages, in 65,552 bytes of shared memory. A step waits
// for the products of the last one, begins the copies of 16,384 bytes of A and twice 8,192 of B, waits for them, and
// issues eight products m64n128k16. Of B by multicast each block loads one half. Without copies the inputs are 128
// loads of two bytes a thread and step, 32 pairs of which are put together; the results go by bulk copies in each case.
// Not said, and chosen: the order of the tiles (rows first, as Triton's example of products), that the blocks of a
// cluster meet before a copy to both, and which of the loads of two bytes are put together (those of A).
// The published times are those between events around one launch behind another one.

#include <cuda_fp16.h>

#include "tensor_map.h"

namespace {

constexpr unsigned kRows = 128, kColumns = 128; // of C, of a block
constexpr unsigned kDepth = 64, kStages = 2, kThreads = 128;
constexpr unsigned kBox = 64 * 128; // bytes of a box of 64 lines

struct Stage {
    unsigned char a[2 * kBox]; // lines along k
    unsigned char b[2][kBox];  // 64 columns each, lines along them
};
struct Barriers {
    uint64_t full[kStages];
};
constexpr unsigned kShared = kStages * sizeof(Stage) + sizeof(Barriers);

enum class Loads { Unicast, Multicast, Plain };

struct Maps {
    CUtensorMap a, b, c;
};
struct Sizes {
    unsigned m, n, k;
};

template <Loads kLoads>
__device__ void load_step(Stage& to, const Maps* maps, int k, int row, int column, uint32_t rank, uint64_t* full) {
    expect(full, sizeof(Stage));
    load(to.a, &maps->a, k, row, full);
    if (kLoads == Loads::Multicast) {
        load_for(3, to.b[rank], &maps->b, column + static_cast<int>(rank) * 64, k, full);
        return;
    }
    load(to.b[0], &maps->b, column, k, full);
    load(to.b[1], &maps->b, column + 64, k, full);
}

// By loads of two bytes: of A eight neighbours along k, which are stored together, of B one at a time.
__device__ void load_plain(Stage& to, const __half* a, const __half* b, unsigned stride_a, unsigned stride_b) {
    const unsigned thread = threadIdx.x;
    __half of_a[8][8], of_b[64];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i)
#pragma unroll
        for (unsigned e = 0; e < 8; ++e)
            of_a[i][e] = a[(i * 16 + thread / 8) * stride_a + thread % 8 * 8 + e];
#pragma unroll
    for (unsigned i = 0; i < 64; ++i)
        of_b[i] = b[i * stride_b + thread];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
        uint32_t words[4];
#pragma unroll
        for (unsigned e = 0; e < 4; ++e) {
            const __half2 both = __halves2half2(of_a[i][2 * e], of_a[i][2 * e + 1]);
            std::memcpy(&words[e], &both, sizeof both);
        }
        *reinterpret_cast<uint4*>(place(to.a, i * 16 + thread / 8, thread % 8)) =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
#pragma unroll
    for (unsigned i = 0; i < 64; ++i)
        reinterpret_cast<__half*>(place(to.b[thread / 64], i, thread % 64 / 8))[thread % 8] = of_b[i];
}

__device__ uint32_t pair(float low, float high) {
    const __half2 both = __floats2half2_rn(low, high);
    uint32_t word;
    std::memcpy(&word, &both, sizeof both);
    return word;
}

// The block's part of C, by way of shared memory: two boxes of 64 columns.
__device__ void store_results(unsigned char (*boxes)[2 * kBox], const float (&sums)[2][64], const CUtensorMap* map,
                              int row, int column) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned m = 0; m < 2; ++m)
#pragma unroll
        for (unsigned i = 0; i < 8; ++i) {
            const float* const p = &sums[m][8 * i];
            store_matrices(place(boxes[i / 4], m * 64 + warp * 16 + lane % 16, i % 4 * 2 + lane / 16), pair(p[0], p[1]),
                           pair(p[2], p[3]), pair(p[4], p[5]), pair(p[6], p[7]));
        }
    show_shared();
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    store(map, column, row, boxes[0]);
    store(map, column + 64, row, boxes[1]);
    wait_for_stores();
}

template <Loads kLoads>
__global__ void __launch_bounds__(kThreads)
    multiply_matrices(const Maps* maps, const __half* a, const __half* b, Sizes sizes) {
    extern __shared__ __align__(1024) unsigned char shared[];
    auto* const stages = reinterpret_cast<Stage*>(shared);
    uint64_t* const full = reinterpret_cast<Barriers*>(shared + kStages * sizeof(Stage))->full;
    const uint32_t rank = rank_in_cluster();
    const unsigned cluster = blockIdx.x / 2, tiles_down = sizes.m / (2 * kRows);
    const unsigned row = cluster % tiles_down * 2 * kRows + rank * kRows, column = cluster / tiles_down * kColumns;
    if (threadIdx.x == 0) {
        for (unsigned stage = 0; stage < kStages; ++stage)
            init(&full[stage], 1);
        show_objects();
    }
    meet_cluster();
    float sums[2][64] = {};
    for (unsigned step = 0; step < sizes.k / kDepth; ++step) {
        Stage& stage = stages[step % kStages];
        wait_for_products<0>();
        if (kLoads == Loads::Multicast)
            meet_cluster();
        else
            __syncthreads();
        if (kLoads == Loads::Plain) {
            load_plain(stage, a + row * sizes.k + step * kDepth, b + step * kDepth * sizes.n + column, sizes.k, sizes.n);
            show_shared();
            __syncthreads();
        } else {
            if (threadIdx.x == 0)
                load_step<kLoads>(stage, maps, step * kDepth, row, column, rank, &full[step % kStages]);
            wait(&full[step % kStages], step / kStages & 1);
        }
        begin_products();
#pragma unroll
        for (unsigned m = 0; m < 2; ++m)
#pragma unroll
            for (unsigned k = 0; k < kDepth / 16; ++k)
                multiply<true, true>(sums[m], descriptor(stage.a + m * kBox) + k * 2,
                                     descriptor(stage.b[0], kBox) + k * (16 * 128 >> 4));
        commit_products();
    }
    wait_for_products<0>();
    __syncthreads();
    store_results(reinterpret_cast<unsigned char(*)[2 * kBox]>(shared), sums, &maps->c, row, column);
    meet_cluster(); // a block's shared memory is there as long as the other one copies to it
}

class Product {
public:
    Product(Sizes sizes, const char* name) : sizes_(sizes), name_(name) {
        const auto type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        using validation::tensor_map;
        const Maps maps = {tensor_map(type, device_a_.data(), {sizes.k, sizes.m}, {sizes.k}, {64, kRows}),
                           tensor_map(type, device_b_.data(), {sizes.n, sizes.k}, {sizes.n}, {64, kDepth}),
                           tensor_map(type, device_c_.data(), {sizes.n, sizes.m}, {sizes.n}, {64, kRows})};
        CUDA_CHECK(cudaMemcpy(maps_.data(), &maps, sizeof maps, cudaMemcpyHostToDevice));
    }

    template <Loads kLoads>
    void measure(const char* loads) {
        device_c_.fill_bytes(0xff);
        launch<kLoads>();
        validation::Timer timer;
        timer.begin();
        launch<kLoads>();
        const double took = timer.end();
        workload::finish_kernels();
        check();
        char row[64];
        std::snprintf(row, sizeof row, "kernel.hopper_gemm.%s.%s", name_, loads);
        validation::report(row, took / 1e3, "us");
    }

private:
    using Array = workload::DeviceArray<__half>;

    template <Loads kLoads>
    void launch() {
        validation::allow_shared(multiply_matrices<kLoads>, kShared);
        const unsigned blocks = sizes_.m / kRows * (sizes_.n / kColumns);
        validation::launch_in_clusters<const Maps*, const __half*, const __half*, Sizes>(
            multiply_matrices<kLoads>, 2, blocks, kThreads, kShared, maps_.data(), device_a_.data(), device_b_.data(),
            sizes_);
    }

    void check() const {
        const std::vector<__half> here = device_c_.to_host();
        for (std::size_t m = 0; m < sizes_.m; m += 17)
            for (std::size_t n = 0; n < sizes_.n; n += 117) {
                float sum = 0; // exact
                for (std::size_t k = 0; k < sizes_.k; ++k)
                    sum += __half2float(a_[m * sizes_.k + k]) * __half2float(b_[k * sizes_.n + n]);
                const std::size_t at = m * sizes_.n + n;
                validation::expect_near(name_, at, __half2float(here[at]), __half2float(__float2half(sum)), 0);
            }
    }

    Sizes sizes_;
    const char* name_;
    std::vector<__half> a_ = validation::eighths<__half>(std::size_t{sizes_.m} * sizes_.k, 1);
    std::vector<__half> b_ = validation::eighths<__half>(std::size_t{sizes_.k} * sizes_.n, 2);
    Array device_a_{a_}, device_b_{b_}, device_c_{std::size_t{sizes_.m} * sizes_.n};
    workload::DeviceArray<Maps> maps_{1};
};

void measure_all(Sizes sizes, const char* name) {
    Product product(sizes, name);
    product.measure<Loads::Unicast>("unicast");
    product.measure<Loads::Multicast>("multicast");
    product.measure<Loads::Plain>("plain");
}

} // namespace

int main(int count, char** words) {
    if (!validation::has_warpgroups())
        return 0;
    if (validation::is_quick(count, words)) {
        measure_all({256, 256, 192}, "quick");
        return 0;
    }
    measure_all({256, 8192, 2048}, "n8192");
    measure_all({512, 16384, 2048}, "n16384");
}
