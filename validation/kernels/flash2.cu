// Attention as FlashAttention-2 computes it with heads of 64 elements of f16, whose cycles on an H100 are published
// (FlashGPU-Sim, docs/reproduce_fa2_fa3_cases.md: Nsight Compute, whose launches find empty caches): 32 batches of
// 256 rows, 32 heads; every query sees all keys, or (causal) those up to its own. What the FlashAttention repository
// says of this kernel: blocks of four warps have 128 queries and go through tiles of 128 keys from the last to the
// first; Q, a tile of K and one of V are in 49,152 bytes of shared memory. A step waits for K, begins the copy of V,
// multiplies Q and K, waits for V, begins the copy of the next tile of K, and has the weights in registers for the
// product with V. The grid is by tiles of queries, batches, heads.
// Chosen: a warp has rows of both halves of a block, 16 at a time; results go through shared memory.
// Other sizes: BATCHES ROWS HEADS full|causal, rows a multiple of 128.

#include "attention_problem.h"

namespace {

using attention::kSize;
using attention::Rows;

constexpr unsigned kThreads = 128, kTile = 128, kLine = 2 * kSize, kTileBytes = kTile * kLine;
constexpr unsigned kParts = 2; // of a warp: 16 rows each, 64 rows from each other

struct Arguments {
    const __half *q, *k, *v;
    __half* out;
    float* logarithms;
    unsigned sequence, heads;
    float scale;
};

struct Shared {
    unsigned char q[kTileBytes], k[kTileBytes], v[kTileBytes];
};

// The tile of a block's head that begins at a row: from one of its rows to the next are `stride` elements.
struct Head {
    std::size_t begin;
    unsigned stride;
    __device__ explicit Head(const Arguments& a)
        : begin((std::size_t{blockIdx.y} * a.sequence * a.heads + blockIdx.z) * kSize), stride(a.heads * kSize) {}
    __device__ std::size_t at(unsigned row, unsigned chunk) const {
        return begin + std::size_t{row} * stride + chunk * 8;
    }
};

__device__ __forceinline__ void copy_16(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

__device__ __forceinline__ void copy_tile(unsigned char* to, const __half* from, const Head& head, unsigned first) {
    constexpr unsigned kLines = kThreads / 8;
    const unsigned line = threadIdx.x / 8, chunk = threadIdx.x % 8;
    from += head.at(first + line, chunk);
#pragma unroll
    for (unsigned i = 0; i < kTile; i += kLines, from += kLines * head.stride)
        copy_16(place(to, line + i, chunk), from);
}

__device__ __forceinline__ void commit_copies() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// The block's copies are there.
__device__ __forceinline__ void wait_for_copies() {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
}

__device__ __forceinline__ void load_matrices(uint32_t (&to)[4], const unsigned char* line) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(line))
                 : "memory");
}

__device__ __forceinline__ void load_transposed(uint32_t (&to)[4], const unsigned char* line) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(line))
                 : "memory");
}

// sums[0..3] += a x b
__device__ __forceinline__ void multiply_16x8(float* sums, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

using Scores = float[kParts][kTile / 2];
using Sums = float[kParts][kSize / 2];

__device__ __forceinline__ void multiply_queries(Scores& scores, Shared& s) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned part = 0; part < kParts; ++part)
#pragma unroll
        for (float& score : scores[part])
            score = 0;
#pragma unroll
    for (unsigned step = 0; step < kSize / 16; ++step) {
        uint32_t queries[kParts][4];
#pragma unroll
        for (unsigned part = 0; part < kParts; ++part)
            load_matrices(queries[part], place(s.q, part * 64 + warp * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
        for (unsigned key = 0; key < kTile; key += 16) {
            uint32_t keys[4];
            load_matrices(keys, place(s.k, key + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
#pragma unroll
            for (unsigned part = 0; part < kParts; ++part) {
                multiply_16x8(&scores[part][key / 2], queries[part], keys[0], keys[1]);
                multiply_16x8(&scores[part][key / 2 + 4], queries[part], keys[2], keys[3]);
            }
        }
    }
}

__device__ __forceinline__ void multiply_values(Sums& sums, const Scores& weights, Shared& s) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned key = 0; key < kTile; key += 16) {
        uint32_t of_rows[kParts][4];
#pragma unroll
        for (unsigned part = 0; part < kParts; ++part)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                of_rows[part][i] = attention::pair(weights[part][key / 2 + 2 * i], weights[part][key / 2 + 2 * i + 1]);
#pragma unroll
        for (unsigned element = 0; element < kSize; element += 16) {
            uint32_t values[4];
            load_transposed(values, place(s.v, key + lane % 16, element / 8 + lane / 16));
#pragma unroll
            for (unsigned part = 0; part < kParts; ++part) {
                multiply_16x8(&sums[part][element / 2], of_rows[part], values[0], values[1]);
                multiply_16x8(&sums[part][element / 2 + 4], of_rows[part], values[2], values[3]);
            }
        }
    }
}

// One tile of keys. kHidden: that of the queries, of causal attention.
template <bool kFirst, bool kHidden>
__device__ __forceinline__ void step(Shared& s, const Arguments& a, const Head& head, unsigned tile, Sums& sums,
                                     Rows (&rows)[kParts]) {
    wait_for_copies();
    copy_tile(s.v, a.v, head, tile * kTile);
    commit_copies();
    Scores scores;
    multiply_queries(scores, s);
    const unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
    if (kHidden)
#pragma unroll
        for (unsigned part = 0; part < kParts; ++part) {
            const int seen = static_cast<int>(part * 64 + row + 1) - static_cast<int>(lane % 4 * 2);
            attention::hide(scores[part], {seen, seen + 8});
        }
    wait_for_copies();
    if (tile != 0) {
        copy_tile(s.k, a.k, head, (tile - 1) * kTile);
        commit_copies();
    }
#pragma unroll
    for (unsigned part = 0; part < kParts; ++part) {
        float shrink[2];
        attention::soften<kFirst, false>(scores[part], rows[part], shrink, a.scale);
        if (!kFirst)
            attention::multiply_rows(sums[part], shrink);
    }
    multiply_values(sums, scores, s);
}

// Results in the place of the queries, from where they go in lines.
__device__ __forceinline__ void store_results(Shared& s, const Arguments& a, const Head& head, Sums& sums,
                                              Rows (&rows)[kParts]) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * kTile;
#pragma unroll
    for (unsigned part = 0; part < kParts; ++part) {
        const unsigned row = part * 64 + warp * 16 + lane / 4;
        const float2 logarithms = attention::finish_rows(sums[part], rows[part], a.scale);
#pragma unroll
        for (unsigned i = 0; i < kSize / 2; i += 2)
            *reinterpret_cast<uint32_t*>(place(s.q, row + i / 2 % 2 * 8, i / 4) + lane % 4 * 4) =
                attention::pair(sums[part][i], sums[part][i + 1]);
        if (lane % 4 == 0) {
            float* const to = a.logarithms + (blockIdx.y * a.heads + blockIdx.z) * a.sequence + first + row;
            to[0] = logarithms.x;
            to[8] = logarithms.y;
        }
    }
    __syncthreads();
    const unsigned line = threadIdx.x / 8, chunk = threadIdx.x % 8;
#pragma unroll
    for (unsigned i = 0; i < kTile; i += kThreads / 8) { // 16 bytes at once: clang makes two accesses of a copy
        const uint4 words = *reinterpret_cast<const uint4*>(place(s.q, line + i, chunk));
        *reinterpret_cast<uint4*>(a.out + head.at(first + line + i, chunk)) =
            make_uint4(words.x, words.y, words.z, words.w);
    }
}

template <bool kCausal>
__global__ void __launch_bounds__(kThreads) attend(Arguments a) {
    extern __shared__ __align__(1024) unsigned char shared[];
    Shared& s = *reinterpret_cast<Shared*>(shared);
    const Head head(a);
    unsigned tile = kCausal ? blockIdx.x : a.sequence / kTile - 1;
    copy_tile(s.q, a.q, head, blockIdx.x * kTile);
    copy_tile(s.k, a.k, head, tile * kTile);
    commit_copies();
    Sums sums = {};
    Rows rows[kParts];
    step<true, kCausal>(s, a, head, tile, sums, rows);
    while (tile-- > 0)
        step<false, false>(s, a, head, tile, sums, rows);
    store_results(s, a, head, sums, rows);
}

void measure(attention::Sizes sizes, const char* name, unsigned times) {
    if (sizes.sequence == 0 || sizes.sequence % kTile != 0) {
        std::fprintf(stderr, "%u rows: the kernel has tiles of %u\n", sizes.sequence, kTile);
        std::exit(EXIT_FAILURE);
    }
    attention::Problem p(sizes);
    const Arguments a{p.q.data(),          p.k.data(),     p.v.data(),  p.out.data(),
                      p.logarithms.data(), sizes.sequence, sizes.heads, attention::softmax_scale()};
    const auto kernel = sizes.causal ? attend<true> : attend<false>;
    validation::allow_shared(kernel, sizeof(Shared));
    const dim3 blocks(sizes.sequence / kTile, sizes.batches, sizes.heads);
    const double took = attention::cold_nanoseconds([&] { kernel<<<1, kThreads, sizeof(Shared)>>>(a); }, [] {},
                                                    [&] { kernel<<<blocks, kThreads, sizeof(Shared)>>>(a); }, times);
    const std::string row = std::string("kernel.flash2.") + name;
    p.check(row.c_str());
    const double mhz = workload::device_attribute(cudaDevAttrClockRate) / 1e3;
    validation::report(row.c_str(), took * mhz / 1e3, "cycles");
}

} // namespace

int main(int count, char** words) {
    return attention::run(count, words, {32, 256, 32, false}, {1, 256, 2, false}, measure);
}
