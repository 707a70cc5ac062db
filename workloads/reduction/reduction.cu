// The sum of a large vector: of booleans, a byte each, as in LWM11, or of integers, as in LWM10. The threads are
// persistent: each adds up every so many'th value, a block adds up its threads' sums as a tree in shared memory, and
// the blocks' sums are added to the result. Modulo 2^32, so the order of additions does not matter.

#include <numeric>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr unsigned kMostBlock = 1024;

// ---- device ----

/// The sum over all threads of the block, for its first thread.
__device__ inline unsigned sum_of_block(unsigned own) {
    __shared__ unsigned sums[kMostBlock];
    const unsigned thread = threadIdx.x;
    sums[thread] = own;
    __syncthreads();
    // Any number of threads: of an odd one the middle has no partner.
    for (unsigned width = blockDim.x; width > 1;) {
        const unsigned half = (width + 1) / 2;
        if (thread < width / 2)
            sums[thread] += sums[thread + half];
        __syncthreads();
        width = half;
    }
    return sums[0];
}

template <typename Value>
__global__ void add_up(unsigned* total, const Value* values, int count) {
    unsigned sum = 0;
#pragma unroll 1
    for (int i = workload::thread_index(); i < count; i += workload::thread_count())
        sum += values[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}

template <typename Value>
unsigned total_of(const std::vector<Value>& values, const workload::Grid& grid) {
    workload::DeviceArray<Value> device_values(values);
    workload::DeviceArray<unsigned> total(1);
    total.fill_bytes(0);
    add_up<<<grid.blocks, grid.block>>>(total.data(), device_values.data(), static_cast<int>(values.size()));
    workload::finish_kernels();
    return total.to_host()[0];
}

/// Whether the device's sum of `count` values of `bits` random bits is the host's.
template <typename Value>
void run(workload::Check& check, const workload::Options& options, unsigned bits, const char* kind) {
    workload::Random random(options.seed);
    std::vector<Value> values(options.amount.size);
    for (Value& value : values)
        value = static_cast<Value>(random.next() >> (64 - bits));
    const workload::Grid grid = workload::grid_for(options, values.size());
    const unsigned got = total_of(values, grid);
    check.equal("total", 0, got, std::accumulate(values.begin(), values.end(), 0u));
    std::printf("reduction: %u threads, %zu %s, total %u\n", grid.threads(), values.size(), kind, got);
}

int main(int argc, char** argv) {
    workload::CommandLine line("reduction", "The sum of a large vector",
                               {{"lwm", {32 << 20, 1024, 1}, {512 << 10, 1024, 1}}});
    bool integers = false;
    line.size("values to add up", 1, 1u << 30).threads().block().seed();
    line.flag("--integers", integers, "add up integers of 32 bits, as LWM10 has it, instead of booleans");
    const workload::Options options = line.parse(argc, argv);

    workload::Check check;
    if (integers)
        run<unsigned>(check, options, 32, "integers");
    else
        run<std::uint8_t>(check, options, 1, "booleans");
    return check.finish();
}
