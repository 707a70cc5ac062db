// Bitonic sort of integers, one thread an integer. The steps whose partners lie in one block are done in shared memory,
// with a barrier after each; a kernel does all of a stage's that come after one another. A step with partners further
// apart is a kernel of its own.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr unsigned kMostBlock = 1024;
constexpr std::uint64_t kMostKeys = 1u << 26;

// ---- device ----

__device__ inline void exchange(int* first, int* second) {
    const int kept = *first;
    *first = *second;
    *second = kept;
}

__device__ inline void put_in_order(int* first, int* second, bool ascending) {
    if (ascending) {
        if (*first > *second)
            exchange(first, second);
    } else {
        if (*first < *second)
            exchange(first, second);
    }
}

/// Steps of distance `distance` and all shorter ones, of the stages of runs from `run` to `last_run`: of a run's two
/// halves, keys in the lower one become the smaller ones, in every other run the larger ones. 2 * distance is at most
/// the block's threads, as is every run but the first.
__global__ void sort_in_blocks(int* keys, int run, int last_run, int distance) {
    __shared__ int block_keys[kMostBlock];
    const int thread = static_cast<int>(threadIdx.x);
    const int i = workload::thread_index();
    block_keys[thread] = keys[i];
    __syncthreads();
    for (; run <= last_run; run *= 2) {
        for (; distance > 0; distance /= 2) {
            const int partner = thread ^ distance;
            if (partner > thread)
                put_in_order(block_keys + thread, block_keys + partner, (i & run) == 0);
            __syncthreads();
        }
        distance = run;
    }
    keys[i] = block_keys[thread];
}

/// One step between blocks.
__global__ void sort_between_blocks(int* keys, int run, int distance) {
    const int i = workload::thread_index();
    const int partner = i ^ distance;
    if (partner > i)
        put_in_order(keys + i, keys + partner, (i & run) == 0);
}

namespace {

/// The largest power of two up to `most`.
unsigned power_of_two(unsigned most) {
    unsigned power = 1;
    while (2 * power <= most)
        power *= 2;
    return power;
}

/// `values` in order; `block` is a power of two.
std::vector<int> sorted(const std::vector<int>& values, unsigned block) {
    std::vector<int> padded = values;
    std::size_t count = block;
    while (count < values.size())
        count *= 2;
    padded.resize(count, 0x7fffffff);
    workload::DeviceArray<int> keys(padded);
    const unsigned blocks = static_cast<unsigned>(count / block);
    const int in_block = static_cast<int>(block);
    sort_in_blocks<<<blocks, block>>>(keys.data(), 2, in_block, 1);
    for (std::size_t run = 2 * std::size_t{block}; run <= count; run *= 2) {
        const int of_run = static_cast<int>(run);
        int distance = of_run / 2;
        for (; 2 * distance > in_block; distance /= 2)
            sort_between_blocks<<<blocks, block>>>(keys.data(), of_run, distance);
        sort_in_blocks<<<blocks, block>>>(keys.data(), of_run, of_run, distance);
    }
    workload::finish_kernels();
    padded = keys.to_host();
    padded.resize(values.size());
    return padded;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("bitonic", "Bitonic sort of integers, one thread an integer",
                               {{"dwf", {32 << 10, 0, 1}, {4 << 10, 0, 1}}});
    line.size("integers, which the largest one fills up to a power of two", 1, kMostKeys).block().seed();
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    std::vector<int> values(options.amount.size);
    for (int& value : values)
        value = static_cast<int>(random.next() >> 32);
    const unsigned block = power_of_two(workload::block_threads(options));
    const std::vector<int> got = sorted(values, block);

    workload::Check check;
    std::sort(values.begin(), values.end());
    check.equal("key", got, values);
    std::printf("bitonic: blocks of %u threads, %zu integers\n", block, values.size());
    return check.finish();
}
