// Attention as FlashAttention-3 computes it with heads of 64 elements of f16, whose times on an H100 at 1500 MHz are
// published (FlashGPU-Sim, tests/baselines/fa3-sass-ccd2-20260914: Nsight Compute, whose launches find empty caches):
// 16 batches of 512 rows, 32 heads; every query sees all keys, or (causal) those up to its own. What the FlashAttention
// repository says of this kernel:
// - A block an SM, of a warpgroup that copies and three that compute, with 32 and 160 registers a thread. A block has
//   192 queries at a time, and goes through tiles of 192 keys (causal: 128) from the last to the first, through two
//   stages of K and two of V.
// - The product of a tile's weights and V runs beside the softmax of the next tile. The warpgroups take turns to begin
//   products. Weights go through shared memory (causal: registers).
// - All keys: a block takes every 132nd tile of queries. Causal: the next one that no block has, the longest of as many
//   heads as have their K and V in 32 MiB first.
// - Results go through the shared memory of V by bulk copies.
// Other sizes: BATCHES ROWS HEADS full|causal.

#include "attention_problem.h"

namespace {

using attention::kSize;
using attention::Rows;

constexpr unsigned kQueries = 192, kStages = 2, kLine = 2 * kSize; // of a tile; of K and of V; bytes
constexpr unsigned kGroups = 3, kConsumers = 128 * kGroups, kThreads = 128 + kConsumers;
constexpr unsigned kQueryBytes = kQueries * kLine;
constexpr unsigned kWithCopies = kConsumers + 32; // threads of barriers with the warp that copies

template <bool kCausal>
constexpr unsigned kKeys = kCausal ? 128 : 192; // of a tile

// Barriers of the block, behind the turns of the warpgroups.
enum Barrier : unsigned {
    kTurns = 1,
    kValuesRead = kTurns + kGroups,
    kResultsThere,
    kQueriesRead,
    kTileThere,
    kTileRead
};

__device__ __forceinline__ void meet(unsigned barrier, unsigned threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// Without a wait for the others.
__device__ __forceinline__ void come(unsigned barrier, unsigned threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

struct Objects {
    uint64_t queries; // are there
    uint64_t results; // have been read
    uint64_t keys[kStages], keys_read[kStages], values[kStages], values_read[kStages];
    unsigned tile; // the block's next one
};

template <bool kCausal>
struct Shared {
    static constexpr unsigned kTileBytes = kKeys<kCausal> * kLine;
    static constexpr unsigned kBox = 64 * kLine;                                       // 64 rows of 64 weights
    static constexpr unsigned kWeightBytes = kCausal ? 0 : kKeys<kCausal> / 64 * kBox; // of a warpgroup

    unsigned char q[kQueryBytes], k[kStages][kTileBytes], v[kStages][kTileBytes];
    unsigned char weights[kCausal ? 16 : kGroups * kWeightBytes];
    Objects objects;
};

struct Maps {
    CUtensorMap q, k, v, out;
};

struct Arguments {
    const Maps* maps;
    float* logarithms;
    unsigned* next; // tiles that blocks have taken behind their first ones
    unsigned sequence, heads, all_heads, tiles_of_head, tiles, heads_together;
    float scale;
};

// Which queries: of a head of a batch.
template <bool kCausal>
struct Tile {
    unsigned first, head, batch, keys; // tiles of keys
    __device__ __forceinline__ Tile(const Arguments& p, unsigned number) {
        unsigned row = number % p.tiles_of_head, which = number / p.tiles_of_head; // head of all batches
        if (kCausal) {
            const unsigned begin = which / p.heads_together * p.heads_together;
            const unsigned together = min(p.heads_together, p.all_heads - begin);
            number -= begin * p.tiles_of_head;
            row = p.tiles_of_head - 1 - number / together;
            which = begin + number % together;
        }
        first = row * kQueries;
        head = which % p.heads;
        batch = which / p.heads;
        const unsigned seen = kCausal ? min(p.sequence, first + kQueries) : p.sequence;
        keys = (seen + kKeys<kCausal> - 1) / kKeys<kCausal>;
    }
};

// A stage, and the parity of its objects.
struct Stage {
    unsigned number = 0, parity = 0;
    __device__ __forceinline__ void next() {
        if (++number == kStages) {
            number = 0;
            parity ^= 1;
        }
    }
};

// The warp that copies.
template <bool kCausal>
class Copies {
public:
    __device__ __forceinline__ Copies(Shared<kCausal>& s, const Arguments& p) : s_(s), o_(s.objects), p_(p) {}

    __device__ __forceinline__ void run() {
        const bool leads = threadIdx.x == 0;
        unsigned parity = 1; // of the results before
        for (unsigned number = blockIdx.x, first = 1; number < p_.tiles; first = 0, parity ^= 1) {
            const Tile<kCausal> tile(p_, number);
            unsigned next = number + gridDim.x;
            if (leads)
                copy(keys_, tile, tile.keys - 1, &p_.maps->k, s_.k, o_.keys, o_.keys_read);
            if (kCausal && leads)
                next = gridDim.x + atomicAdd(p_.next, 1);
            __syncwarp();
            if (first == 0)
                meet(kQueriesRead, kWithCopies);
            if (leads) {
                expect(&o_.queries, kQueryBytes);
                load(s_.q, &p_.maps->q, static_cast<int>(tile.head * kSize), static_cast<int>(tile.first),
                     static_cast<int>(tile.batch), &o_.queries);
                if (first == 0)
                    wait(&o_.results, parity);
                for (unsigned i = tile.keys; i-- > 0;) {
                    if (i > 0)
                        copy(keys_, tile, i - 1, &p_.maps->k, s_.k, o_.keys, o_.keys_read);
                    copy(values_, tile, i, &p_.maps->v, s_.v, o_.values, o_.values_read);
                }
            }
            __syncwarp();
            number = kCausal ? say(next, first != 0) : next;
        }
        meet(kQueriesRead, kWithCopies);
    }

private:
    static constexpr unsigned kBytes = Shared<kCausal>::kTileBytes;

    __device__ __forceinline__ void copy(Stage& at, const Tile<kCausal>& tile, unsigned i, const CUtensorMap* map,
                                         unsigned char (*to)[kBytes], uint64_t* full, uint64_t* read) {
        wait(&read[at.number], at.parity ^ 1);
        expect(&full[at.number], kBytes);
        load(to[at.number], map, static_cast<int>(tile.head * kSize), static_cast<int>(i * kKeys<kCausal>),
             static_cast<int>(tile.batch), &full[at.number]);
        at.next();
    }

    // Says to the block which tile is next.
    __device__ __forceinline__ unsigned say(unsigned next, bool first) {
        next = __shfl_sync(0xffffffff, next, 0);
        if (!first)
            meet(kTileRead, kWithCopies);
        if (threadIdx.x == 0)
            o_.tile = next;
        __syncwarp();
        come(kTileThere, kWithCopies);
        return next;
    }

    Shared<kCausal>& s_;
    Objects& o_;
    const Arguments& p_;
    Stage keys_, values_;
};

// A warpgroup that computes 64 rows of each tile.
template <bool kCausal>
class Attention {
public:
    __device__ __forceinline__ Attention(Shared<kCausal>& s, const Arguments& p) : s_(s), o_(s.objects), p_(p) {}

    __device__ __forceinline__ void run() {
        unsigned parity = 0; // of the queries
        if (group_ == kGroups - 1)
            come(kTurns, 256);
        for (unsigned number = blockIdx.x; number < p_.tiles; parity ^= 1) {
            const Tile<kCausal> tile(p_, number);
            wait(&o_.queries, parity);
            attend(tile);
            store_results(tile);
            number = next(number);
        }
        if (group_ == 0)
            meet(kTurns, 256);
    }

private:
    static constexpr unsigned kCount = kKeys<kCausal> / 2; // scores of a thread
    static constexpr unsigned kSteps = kKeys<kCausal> / 16;

    __device__ __forceinline__ void attend(const Tile<kCausal>& tile) {
        unsigned i = tile.keys - 1;
        wait(&o_.keys[keys_.number], keys_.parity);
        begin_products();
        multiply_queries();
        end_products();
        settle(scores_);
        release(o_.keys_read, keys_);
        hide(tile, i);
        float shrink[2];
        attention::soften<true, kCausal>(scores_, rows_, shrink, p_.scale);
        keep_weights();
#pragma unroll
        for (float& sum : sums_)
            sum = 0;
        // Tiles with keys that not every row sees; the others.
        const unsigned hidden = kCausal ? tile.first / kKeys<kCausal> : i;
        while (i > hidden)
            step<kCausal>(tile, --i);
        while (i > 0)
            step<false>(tile, --i);
        come(kQueriesRead, kWithCopies);
        wait(&o_.values[values_.number], values_.parity);
        begin_products();
        multiply_values();
        end_products();
        settle(sums_);
        release(o_.values_read, values_);
    }

    // The scores of a tile of keys, and sums with the weights of the one before.
    template <bool kHidden>
    __device__ __forceinline__ void step(const Tile<kCausal>& tile, unsigned i) {
        wait(&o_.keys[keys_.number], keys_.parity);
        wait(&o_.values[values_.number], values_.parity);
        meet(kTurns + group_, 256);
        begin_products();
        multiply_queries();
        commit_products();
        multiply_values();
        commit_products();
        come(kTurns + (group_ + 1) % kGroups, 256);
        wait_for_products<1>();
        settle(scores_);
        release(o_.keys_read, keys_);
        if (kHidden)
            hide(tile, i);
        float shrink[2];
        attention::soften<false, kHidden>(scores_, rows_, shrink, p_.scale);
        wait_for_products<0>();
        settle(sums_);
        release(o_.values_read, values_);
        keep_weights();
        attention::multiply_rows(sums_, shrink);
    }

    __device__ __forceinline__ void multiply_queries() {
        const uint64_t q = descriptor(s_.q + group_ * 64 * kLine), k = descriptor(s_.k[keys_.number]);
        multiply<false>(scores_, q, k);
#pragma unroll
        for (unsigned step = 1; step < kSize / 16; ++step)
            multiply(scores_, q + step * 2, k + step * 2);
    }

    __device__ __forceinline__ void multiply_values() {
        const uint64_t v = descriptor(s_.v[values_.number]);
        const uint64_t weights = descriptor(own_weights());
#pragma unroll
        for (unsigned step = 0; step < kSteps; ++step) {
            const uint64_t values = v + step * (16 * kLine >> 4);
            if constexpr (kCausal)
                multiply(sums_, weights_[step], values);
            else
                multiply<true, true>(sums_, weights + step / 4 * (Shared<kCausal>::kBox >> 4) + step % 4 * 2, values);
        }
    }

    // Of shared memory: a warp multiplies the rows that it has written itself.
    __device__ __forceinline__ void keep_weights() {
        const unsigned lane = threadIdx.x % 32;
#pragma unroll
        for (unsigned step = 0; step < kSteps; ++step) {
            uint32_t p[4];
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                p[i] = attention::pair(scores_[step * 8 + 2 * i], scores_[step * 8 + 2 * i + 1]);
            if constexpr (kCausal) {
#pragma unroll
                for (unsigned i = 0; i < 4; ++i)
                    weights_[step][i] = p[i];
            } else {
                unsigned char* const box = own_weights() + step / 4 * Shared<kCausal>::kBox;
                store_matrices(place(box, warp_ * 16 + lane % 16, step % 4 * 2 + lane / 16), p[0], p[1], p[2], p[3]);
            }
        }
        if (!kCausal) {
            show_shared();
            __syncwarp();
        }
    }

    __device__ __forceinline__ unsigned char* own_weights() {
        return s_.weights + group_ * Shared<kCausal>::kWeightBytes;
    }

    __device__ __forceinline__ void hide(const Tile<kCausal>& tile, unsigned i) {
        const int first = static_cast<int>(i * kKeys<kCausal> + threadIdx.x % 4 * 2),
                  rows = static_cast<int>(p_.sequence);
        const int row = static_cast<int>(tile.first + row_);
        const int seen[] = {(kCausal ? min(row + 1, rows) : rows) - first,
                            (kCausal ? min(row + 9, rows) : rows) - first};
        attention::hide(scores_, seen);
    }

    __device__ __forceinline__ void release(uint64_t* objects, Stage& at) {
        if (threadIdx.x % 128 == 0)
            arrive(&objects[at.number]);
        at.next();
    }

    // By way of the place of V.
    __device__ __forceinline__ void store_results(const Tile<kCausal>& tile) {
        const unsigned lane = threadIdx.x % 32, row = tile.first + row_;
        const float2 logarithms = attention::finish_rows(sums_, rows_, p_.scale);
        float* const to = p_.logarithms + std::size_t{tile.batch * p_.heads + tile.head} * p_.sequence;
        if (lane % 4 == 0 && row < p_.sequence)
            to[row] = logarithms.x;
        if (lane % 4 == 0 && row + 8 < p_.sequence)
            to[row + 8] = logarithms.y;
        meet(kValuesRead, kConsumers);
        unsigned char* const results = s_.v[0];
#pragma unroll
        for (unsigned i = 0; i < kSize / 16; ++i) {
            const float* const p = &sums_[8 * i];
            store_matrices(place(results, group_ * 64 + warp_ * 16 + lane % 16, i * 2 + lane / 16),
                           attention::pair(p[0], p[1]), attention::pair(p[2], p[3]), attention::pair(p[4], p[5]),
                           attention::pair(p[6], p[7]));
        }
        show_shared();
        if (threadIdx.x < kThreads - 32)
            return come(kResultsThere, kConsumers);
        meet(kResultsThere, kConsumers);
        if (lane == 0) {
            store(&p_.maps->out, static_cast<int>(tile.head * kSize), static_cast<int>(tile.first),
                  static_cast<int>(tile.batch), results);
            wait_for_stores();
            arrive(&o_.results);
        }
        __syncwarp();
    }

    __device__ __forceinline__ unsigned next(unsigned number) {
        if (!kCausal)
            return number + gridDim.x;
        meet(kTileThere, kWithCopies);
        number = o_.tile;
        if (number < p_.tiles)
            come(kTileRead, kWithCopies);
        return number;
    }

    Shared<kCausal>& s_;
    Objects& o_;
    const Arguments& p_;
    const unsigned group_ = threadIdx.x / 128 - 1, warp_ = threadIdx.x / 32 % 4;
    const unsigned row_ = group_ * 64 + warp_ * 16 + threadIdx.x % 32 / 4; // the thread's first one
    Stage keys_, values_;
    float scores_[kCount] = {}, sums_[kSize / 2];
    uint32_t weights_[kCausal ? kSteps : 1][4];
    Rows rows_;
};

template <bool kCausal>
__global__ void __launch_bounds__(kThreads, 1) attend(const Arguments p) {
    extern __shared__ __align__(1024) unsigned char shared[];
    auto& s = *reinterpret_cast<Shared<kCausal>*>(shared);
    Objects& o = s.objects;
    if (threadIdx.x == 0) {
        init(&o.queries, 1);
        init(&o.results, 1);
        for (unsigned stage = 0; stage < kStages; ++stage) {
            init(&o.keys[stage], 1);
            init(&o.values[stage], 1);
            init(&o.keys_read[stage], kGroups);
            init(&o.values_read[stage], kGroups);
        }
        show_objects();
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        give_registers<32>();
        if (threadIdx.x < 32)
            Copies<kCausal>(s, p).run();
    } else {
        take_registers<160>();
        Attention<kCausal>(s, p).run();
    }
}

// As many heads as have their K and V in 32 MiB, a power of two.
unsigned heads_together(unsigned sequence) {
    unsigned heads = 1;
    while (2 * heads * sequence * 2 * kLine <= 32U << 20)
        heads *= 2;
    return heads;
}

template <bool kCausal>
double measure_kernel(attention::Problem& problem, unsigned times) {
    const attention::Sizes sizes = problem.sizes;
    const cuuint64_t width = sizes.heads * kSize;
    const auto map = [&](workload::DeviceArray<__half>& array, unsigned rows) {
        return validation::tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, array.data(),
                                      {width, sizes.sequence, sizes.batches}, {width, width * sizes.sequence},
                                      {kSize, rows, 1});
    };
    workload::DeviceArray<Maps> maps(std::vector<Maps>{{map(problem.q, kQueries), map(problem.k, kKeys<kCausal>),
                                                        map(problem.v, kKeys<kCausal>), map(problem.out, kQueries)}});
    workload::DeviceArray<unsigned> next(1);
    const unsigned all_heads = sizes.batches * sizes.heads;
    const unsigned tiles_of_head = (sizes.sequence + kQueries - 1) / kQueries;
    const Arguments all{maps.data(),
                        problem.logarithms.data(),
                        next.data(),
                        sizes.sequence,
                        sizes.heads,
                        all_heads,
                        tiles_of_head,
                        all_heads * tiles_of_head,
                        heads_together(sizes.sequence),
                        attention::softmax_scale()};
    const auto kernel = attend<kCausal>;
    constexpr unsigned kShared = sizeof(Shared<kCausal>);
    validation::allow_shared(kernel, kShared);
    const unsigned blocks = std::min(all.tiles, workload::device_attribute(cudaDevAttrMultiProcessorCount));
    Arguments one = all;
    one.tiles = 1;
    return attention::cold_nanoseconds([&] { kernel<<<1, kThreads, kShared>>>(one); }, [&] { next.fill_bytes(0); },
                                       [&] { kernel<<<blocks, kThreads, kShared>>>(all); }, times);
}

void measure(attention::Sizes sizes, const char* name, unsigned times) {
    attention::Problem problem(sizes);
    const double took = sizes.causal ? measure_kernel<true>(problem, times) : measure_kernel<false>(problem, times);
    const std::string row = std::string("kernel.flash3.") + name;
    problem.check(row.c_str());
    validation::report(row.c_str(), took / 1e3, "us");
}

} // namespace

int main(int count, char** words) {
    if (!validation::has_warpgroups())
        return 0;
    return attention::run(count, words, {16, 512, 32, false}, {1, 512, 2, false}, measure);
}
