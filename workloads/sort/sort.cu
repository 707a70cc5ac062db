// Bucket sort of integers. A bucket holds the keys whose leading bits are the same, 8 to 16 of them where the keys are
// uniform (--bucket-keys); a thread sorts a bucket by insertion, in its private memory.
//
// The keys come into their buckets in three passes (--passes), by the lower, the middle and the upper bits of the
// bucket's number, so that the cache holds all lines that a pass writes at a time. In each, a block counts the digits
// of its share of the keys, a scan over the counts of all blocks gives the places where those of each block begin, and
// the block writes its keys there, a tile at a time. Places depend on the input alone, not on the order of threads:
// within a tile they follow from how many earlier keys have the same digit.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kKeyBits = 32;
constexpr int kMostBucketBits = 16;
constexpr int kPrivateKeys = 32; ///< 128 bytes: a thread's private memory in LWM11 Table 1
constexpr int kWarp = 32;
constexpr int kRounds = 8; ///< keys of a thread in a tile
constexpr std::size_t kPlaceBytes = sizeof(unsigned) + sizeof(unsigned short);

/// Some bits of a key: of the bucket's number, as many as a pass distributes by.
struct Digit {
    int shift;
    int bits;

    __host__ __device__ unsigned values() const {
        return 1u << bits;
    }
    __device__ unsigned of(unsigned key) const {
        return key >> shift & ((1u << bits) - 1);
    }
};

// ---- device ----

/// The keys of this block, which are contiguous.
__device__ inline workload::Share share_of_block(int count) {
    return workload::share_of(count, workload::Deal::Tiles, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x));
}

/// counts[digit][block]. Dynamic shared memory: a word for every value of the digit.
__global__ void count_digits(unsigned* counts, const unsigned* keys, int count, Digit digit) {
    extern __shared__ unsigned shared[];
    for (unsigned d = threadIdx.x; d < digit.values(); d += blockDim.x)
        shared[d] = 0;
    __syncthreads();
    const workload::Share share = share_of_block(count);
    for (int i = share.first + static_cast<int>(threadIdx.x); i < share.end; i += static_cast<int>(blockDim.x))
        atomicAdd(&shared[digit.of(keys[i])], 1);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digit.values(); d += blockDim.x)
        counts[d * gridDim.x + blockIdx.x] = shared[d];
}

/// Each of `values` becomes the sum of those before it. One block; dynamic shared memory: two words a thread.
__global__ void scan(unsigned* values, int count) {
    extern __shared__ unsigned shared[];
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const workload::Share share = workload::share_of(count, workload::Deal::Tiles, thread, threads);
    unsigned sum = 0;
    for (int i = share.first; i < share.end; ++i)
        sum += values[i];
    unsigned* from = shared;
    unsigned* to = shared + threads;
    from[thread] = sum;
    __syncthreads();
    for (int distance = 1; distance < threads; distance *= 2) {
        to[thread] = from[thread] + (thread >= distance ? from[thread - distance] : 0);
        __syncthreads();
        unsigned* const swapped = from;
        from = to;
        to = swapped;
    }
    unsigned before = from[thread] - sum;
    for (int i = share.first; i < share.end; ++i) {
        const unsigned value = values[i];
        values[i] = before;
        before += value;
    }
}

/// What a warp knows of one value of the digit.
struct Places {
    unsigned* word;        ///< which lanes have such a key in this round; later where the warp's next such key goes
    unsigned short* count; ///< of such keys in this tile so far
};

/// How many earlier keys of the warp in this tile have the same digit as this lane's.
__device__ inline unsigned rank_in_warp(Places places, bool present, int lane, unsigned members) {
    if (present)
        atomicOr(places.word, 1u << lane);
    __syncwarp(members);
    const unsigned same = *places.word;
    const unsigned earlier = same & ((1u << lane) - 1);
    const unsigned before = *places.count;
    __syncwarp(members);
    if (present && earlier == 0) {
        *places.count = static_cast<unsigned short>(before + static_cast<unsigned>(__popc(same)));
        *places.word = 0;
    }
    __syncwarp(members);
    return before + static_cast<unsigned>(__popc(earlier));
}

/// Writes this block's keys to the places from `bases` (by digit and block) on; those of the same digit keep their
/// order. Dynamic shared memory: kPlaceBytes for every value of the digit and warp of the block.
__global__ void distribute(unsigned* out, const unsigned* keys, unsigned* bases, int count, Digit digit) {
    extern __shared__ unsigned shared[];
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int lane = thread % kWarp;
    const int warp = thread / kWarp;
    const int warps = (threads + kWarp - 1) / kWarp;
    const int lanes = min(kWarp, threads - warp * kWarp);
    const unsigned members = ~0u >> (kWarp - lanes);
    const int values = static_cast<int>(digit.values());
    const int entries = warps * values;
    unsigned* const words = shared; // by warp and value
    unsigned short* const counts = reinterpret_cast<unsigned short*>(shared + entries);

    const workload::Share share = share_of_block(count);
    for (int tile = share.first; tile < share.end; tile += kRounds * threads) {
        for (int i = thread; i < entries; i += threads) {
            words[i] = 0;
            counts[i] = 0;
        }
        __syncthreads();
        unsigned key[kRounds];
        unsigned rank[kRounds];
        const int first = tile + warp * kWarp * kRounds + lane;
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int i = first + round * lanes;
            const bool present = i < share.end;
            key[round] = present ? keys[i] : 0;
            const int entry = warp * values + static_cast<int>(digit.of(key[round]));
            rank[round] = rank_in_warp({words + entry, counts + entry}, present, lane, members);
        }
        __syncthreads();
        for (int value = thread; value < values; value += threads) {
            unsigned* const base = bases + value * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x);
            unsigned place = *base;
            for (int entry = value; entry < entries; entry += values) {
                words[entry] = place;
                place += counts[entry];
            }
            *base = place;
        }
        __syncthreads();
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            if (first + round * lanes < share.end)
                out[words[warp * values + static_cast<int>(digit.of(key[round]))] + rank[round]] = key[round];
        }
        __syncthreads();
    }
}

/// starts[b] becomes the place of the first key whose bucket is b or later; the keys are in order of their buckets.
__global__ void find_starts(int* starts, const unsigned* keys, int count, int shift) {
    const int buckets = 1 << (kKeyBits - shift);
    for (int i = workload::thread_index(); i <= count; i += workload::thread_count()) {
        const int bucket = i < count ? static_cast<int>(keys[i] >> shift) : buckets;
        const int before = i > 0 ? static_cast<int>(keys[i - 1] >> shift) : -1;
        for (int b = before + 1; b <= bucket; ++b)
            starts[b] = i;
    }
}

/// Puts `key` among the first `count` of the ascending `keys`, which have room for it.
__device__ inline void insert(unsigned* keys, int count, unsigned key) {
    int place = count;
#pragma unroll 1
    while (place > 0 && keys[place - 1] > key) {
        keys[place] = keys[place - 1];
        --place;
    }
    keys[place] = key;
}

/// A bucket that is too large for the private memory is sorted where it is.
__global__ void sort_buckets(unsigned* keys, const int* starts, int buckets) {
    for (int bucket = workload::thread_index(); bucket < buckets; bucket += workload::thread_count()) {
        unsigned* const first = keys + starts[bucket];
        const int count = starts[bucket + 1] - starts[bucket];
        if (count > kPrivateKeys) {
#pragma unroll 1
            for (int i = 1; i < count; ++i)
                insert(first, i, first[i]);
            continue;
        }
        unsigned sorted[kPrivateKeys];
#pragma unroll 1
        for (int i = 0; i < count; ++i)
            insert(sorted, i, first[i]);
#pragma unroll 1
        for (int i = 0; i < count; ++i)
            first[i] = sorted[i];
    }
}

namespace {

/// One pass of the distribution: `from` to `to`.
void distribute_by(Digit digit, workload::DeviceArray<unsigned>& to, workload::DeviceArray<unsigned>& from, int count,
                   const workload::Grid& grid) {
    const unsigned values = digit.values();
    workload::DeviceArray<unsigned> counts(std::size_t{values} * grid.blocks);
    const std::size_t word = sizeof(unsigned);
    const unsigned warps = (grid.block + kWarp - 1) / kWarp;
    count_digits<<<grid.blocks, grid.block, values * word>>>(counts.data(), from.data(), count, digit);
    scan<<<1, grid.block, 2 * grid.block * word>>>(counts.data(), static_cast<int>(values * grid.blocks));
    distribute<<<grid.blocks, grid.block, warps * values * kPlaceBytes>>>(to.data(), from.data(), counts.data(), count,
                                                                          digit);
    workload::finish_kernels();
}

/// How the work is divided: where LWM11 says no more than "bucket sort".
struct Division {
    std::uint64_t bucket_keys = 16; ///< at most, in the mean of uniform keys
    std::uint64_t passes = 3;
};

int bucket_bits(std::size_t count, Division division) {
    int bits = static_cast<int>(division.passes);
    while (bits < kMostBucketBits && (division.bucket_keys << bits) < count)
        ++bits;
    return bits;
}

std::vector<unsigned> sorted(const std::vector<unsigned>& values, const workload::Grid& grid, int bits, int passes) {
    const int count = static_cast<int>(values.size());
    const int shift = kKeyBits - bits;
    workload::DeviceArray<unsigned> first(values);
    workload::DeviceArray<unsigned> second(values.size());
    workload::DeviceArray<unsigned>* keys = &first;
    workload::DeviceArray<unsigned>* other = &second;
    for (int pass = 0; pass < passes; ++pass) {
        const int low = bits * pass / passes;
        const int high = bits * (pass + 1) / passes;
        other->fill_bytes(0xff); // a key that no thread writes shall not pass
        distribute_by({shift + low, high - low}, *other, *keys, count, grid);
        std::swap(keys, other);
    }
    workload::DeviceArray<int> starts((std::size_t{1} << bits) + 1);
    find_starts<<<grid.blocks, grid.block>>>(starts.data(), keys->data(), count, shift);
    sort_buckets<<<grid.blocks, grid.block>>>(keys->data(), starts.data(), 1 << bits);
    workload::finish_kernels();
    return keys->to_host();
}

} // namespace

int main(int argc, char** argv) {
    // A power of two would put the places of all digits into the same few sets of the cache.
    workload::CommandLine line("sort", "Bucket sort of integers", {{"lwm", {1'000'000, 1024, 1}, {20'000, 1024, 1}}});
    line.size("integers to sort", 1, 1u << 28).threads().block().seed();
    Division division;
    line.number("--bucket-keys", division.bucket_keys, 1, 1024, "most keys of a bucket, in the mean; default: 16");
    line.number("--passes", division.passes, 2, 4, "passes that bring the keys into buckets; default: 3");
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    std::vector<unsigned> keys(options.amount.size);
    for (unsigned& key : keys)
        key = static_cast<unsigned>(random.next() >> 32);
    const workload::Grid grid = workload::grid_for(options, keys.size());
    const int bits = bucket_bits(keys.size(), division);
    const std::vector<unsigned> got = sorted(keys, grid, bits, static_cast<int>(division.passes));

    workload::Check check;
    std::sort(keys.begin(), keys.end());
    check.equal("key", got, keys);
    std::printf("sort: %u threads, %zu integers in %d buckets\n", grid.threads(), keys.size(), 1 << bits);
    return check.finish();
}
