// How often each value comes among bytes: histograms of 64 bins (the upper six bits) and of 256 bins, each by two
// kernels. The first counts in blocks, the second adds up the blocks' counts, a block a bin, by a tree in shared
// memory.
//
// - count64: a byte in shared memory for every bin and thread. Threads never share a counter, so there are no atomics,
//   but a thread may count at most 255 bytes.
// - count256: a histogram in shared memory for every warp, by atomic additions.
//
// The shape is that of the CUDA SDK's histogram: blocks of 64, 256, 192 and 256 threads. PRO Table II has 4370, 64, 240
// and 256 of them; the SDK's 64 MiB make these with 240 bytes a thread of count64. Here a thread has 96 bytes, so 25.6
// MiB make the same blocks. Counts are whole numbers: the check is exact.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kBins64 = 64;
constexpr int kThreads64 = 64;
constexpr int kPieces64 = 6; ///< uint4s that a thread counts, at most 15
constexpr int kBins256 = 256;
constexpr int kWarps256 = 6;
constexpr int kThreads256 = kWarps256 * 32;
constexpr std::size_t kMostBlocks256 = 240;
constexpr int kMergeThreads = 256;

// ---- device ----

/// A bin has a row of kThreads64 counters; those of 16 successive threads lie in 16 words, hence on as many banks.
__device__ inline void count_word64(unsigned char* own, unsigned word) {
    ++own[(word >> 2 & 63) * kThreads64];
    ++own[(word >> 10 & 63) * kThreads64];
    ++own[(word >> 18 & 63) * kThreads64];
    ++own[(word >> 26 & 63) * kThreads64];
}

__global__ void count64(unsigned* partial, const uint4* pieces, int count) {
    constexpr int kRowWords = kThreads64 / 4;
    __shared__ unsigned words[kBins64 * kRowWords];
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < kBins64 * kRowWords; i += kThreads64)
        words[i] = 0;
    __syncthreads();
    unsigned char* const own = reinterpret_cast<unsigned char*>(words) + thread % kRowWords * 4 + thread / kRowWords;
#pragma unroll 1
    for (int i = workload::thread_index(); i < count; i += workload::thread_count()) {
        const uint4 piece = pieces[i];
        count_word64(own, piece.x);
        count_word64(own, piece.y);
        count_word64(own, piece.z);
        count_word64(own, piece.w);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < kRowWords; ++i) { // threads begin at different words: on different banks
        const unsigned four = words[thread * kRowWords + (thread + i) % kRowWords];
        sum += (four & 255) + (four >> 8 & 255) + (four >> 16 & 255) + (four >> 24);
    }
    partial[static_cast<int>(blockIdx.x) * kBins64 + thread] = sum;
}

__global__ void count256(unsigned* partial, const unsigned* words, int count) {
    __shared__ unsigned counters[kWarps256 * kBins256];
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < kWarps256 * kBins256; i += kThreads256)
        counters[i] = 0;
    __syncthreads();
    unsigned* const own = counters + thread / 32 * kBins256;
#pragma unroll 1
    for (int i = workload::thread_index(); i < count; i += workload::thread_count()) {
        const unsigned word = words[i];
        atomicAdd(own + (word & 255), 1u);
        atomicAdd(own + (word >> 8 & 255), 1u);
        atomicAdd(own + (word >> 16 & 255), 1u);
        atomicAdd(own + (word >> 24), 1u);
    }
    __syncthreads();
    for (int bin = thread; bin < kBins256; bin += kThreads256) {
        unsigned sum = 0;
        for (int warp = 0; warp < kWarps256; ++warp)
            sum += counters[warp * kBins256 + bin];
        partial[static_cast<int>(blockIdx.x) * kBins256 + bin] = sum;
    }
}

/// A block a bin. `partial` has kBins counts for each of `partials` blocks.
template <int kBins>
__global__ void merge(unsigned* histogram, const unsigned* partial, int partials) {
    __shared__ unsigned sums[kMergeThreads];
    const int thread = static_cast<int>(threadIdx.x);
    unsigned sum = 0;
#pragma unroll 1
    for (int i = thread; i < partials; i += kMergeThreads)
        sum += partial[i * kBins + static_cast<int>(blockIdx.x)];
    sums[thread] = sum;
#pragma unroll 1
    for (int stride = kMergeThreads / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (thread < stride)
            sums[thread] += sums[thread + stride];
    }
    if (thread == 0)
        histogram[blockIdx.x] = sums[0];
}

namespace {

struct Histograms {
    std::vector<unsigned> bins64;
    std::vector<unsigned> bins256;
};

Histograms count(const std::vector<unsigned>& words) {
    const std::size_t pieces = words.size() / 4;
    const std::size_t blocks64 = workload::groups_of(pieces, kThreads64 * kPieces64);
    // As many as the SDK's program has, or fewer where a block would have less than 16 KiB.
    const std::size_t blocks256 = std::min(kMostBlocks256, workload::groups_of(words.size(), 4096));
    workload::DeviceArray<unsigned> data(words);
    workload::DeviceArray<unsigned> partial64(blocks64 * kBins64);
    workload::DeviceArray<unsigned> partial256(blocks256 * kBins256);
    workload::DeviceArray<unsigned> bins64(kBins64);
    workload::DeviceArray<unsigned> bins256(kBins256);
    count64<<<static_cast<unsigned>(blocks64), kThreads64>>>(
        partial64.data(), reinterpret_cast<const uint4*>(data.data()), static_cast<int>(pieces));
    merge<kBins64><<<kBins64, kMergeThreads>>>(bins64.data(), partial64.data(), static_cast<int>(blocks64));
    count256<<<static_cast<unsigned>(blocks256), kThreads256>>>(partial256.data(), data.data(),
                                                                static_cast<int>(words.size()));
    merge<kBins256><<<kBins256, kMergeThreads>>>(bins256.data(), partial256.data(), static_cast<int>(blocks256));
    workload::finish_kernels();
    std::printf("histograms: %zu bytes, %zu blocks of %d threads for 64 bins, %zu of %d for 256\n", words.size() * 4,
                blocks64, kThreads64, blocks256, kThreads256);
    return {bins64.to_host(), bins256.to_host()};
}

// ---- reference ----

Histograms reference(const std::vector<unsigned>& words) {
    Histograms result{std::vector<unsigned>(kBins64), std::vector<unsigned>(kBins256)};
    for (unsigned word : words) {
        for (; word != 0; word /= 256)
            ++result.bins256[word % 256];
    }
    unsigned others = 0;
    for (std::size_t value = 1; value < kBins256; ++value)
        others += result.bins256[value];
    result.bins256[0] = static_cast<unsigned>(words.size() * 4) - others; // leading zeros of a word were not counted
    for (std::size_t value = 0; value < kBins256; ++value)
        result.bins64[value / 4] += result.bins256[value];
    return result;
}

} // namespace

int main(int argc, char** argv) {
    constexpr std::uint64_t kBlockBytes = kThreads64 * kPieces64 * sizeof(uint4);
    workload::CommandLine line("histograms", "Histograms of bytes in 64 and in 256 bins",
                               {{"pro", {4370 * kBlockBytes, 0, 1}, {64 * kBlockBytes, 0, 1}}});
    line.size("bytes, a multiple of 16", 1, 1u << 28).seed();
    const workload::Options options = line.parse(argc, argv);
    if (options.amount.size % sizeof(uint4) != 0) {
        std::fprintf(stderr, "histograms: error: --size %llu: the number of bytes must be a multiple of 16\n",
                     static_cast<unsigned long long>(options.amount.size));
        return EXIT_FAILURE;
    }
    workload::require_block_of(kMergeThreads, "histograms", "merge");

    workload::Random random(options.seed);
    std::vector<unsigned> words(options.amount.size / 4);
    for (unsigned& word : words)
        word = static_cast<unsigned>(random.next());
    const Histograms got = count(words);
    const Histograms expected = reference(words);
    workload::Check check;
    check.equal("bins64", got.bins64, expected.bins64);
    check.equal("bins256", got.bins256, expected.bins256);
    return check.finish();
}
