// Read bandwidth of the whole device from one level of its memory: all threads read the same bytes over and over. As
// few bytes as fit a data cache are read from there, as many as fit the last level from that, and more from DRAM.
// Groups of 64 threads read few bytes each for themselves; all threads of the grid divide many among them.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

// ---- device ----

constexpr unsigned kThreads = 15 * 1536; // of all SMs of a GTX 480
constexpr unsigned kLoads = 8;           // of a thread at a time

/// `stride`: words between a thread's loads. `batches`: of kLoads in a pass of the loop, whose own instructions count
/// for less the more there are. `words`: a multiple of batches * kLoads * stride.
template <unsigned stride, unsigned batches>
__global__ void read_words(const unsigned* data, unsigned* sums, unsigned words, unsigned rounds) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= kThreads)
        return;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll 1
        for (unsigned first = thread % stride; first < words; first += batches * kLoads * stride) {
#pragma unroll
            for (unsigned batch = 0; batch < batches; ++batch) {
                unsigned value[kLoads];
#pragma unroll
                for (unsigned i = 0; i < kLoads; ++i)
                    value[i] = data[first + (batch * kLoads + i) * stride];
#pragma unroll
                for (unsigned i = 0; i < kLoads; ++i)
                    sum += value[i];
            }
        }
        sum *= 3; // the rounds are not one
    }
    sums[thread] = sum;
}

// ---- host ----

int main(int argc, char** argv) {
    constexpr unsigned kGroup = 64;
    constexpr unsigned kBatches = 4;
    constexpr std::uint64_t kSmall = kBatches * kLoads * kGroup * sizeof(unsigned); // 8 KB: a group's
    constexpr std::uint64_t kLarge = kLoads * kThreads * sizeof(unsigned);          // 720 KB: the grid's
    workload::CommandLine line("micro-levels", "Bytes that the device reads a cycle from one level of its memory",
                               {{"micro", {kLarge, 0, 32}, {kSmall, 0, 2}}});
    line.size("bytes that are read, rounded up to a multiple of 8192; from 737280 on of 737280", 1, 1u << 28)
        .iterations("how often they are read");
    const workload::Options options = line.parse(argc, argv);
    const unsigned block = workload::block_threads(options, 256);
    const unsigned blocks = (kThreads + block - 1) / block;
    const bool grid = options.amount.size >= kLarge;
    const std::uint64_t unit = grid ? kLarge : kSmall;
    const auto words = static_cast<unsigned>((options.amount.size + unit - 1) / unit * unit / sizeof(unsigned));
    const auto rounds = static_cast<unsigned>(options.amount.iterations);

    std::vector<unsigned> data(words);
    for (unsigned i = 0; i < words; ++i)
        data[i] = i * 2654435761u;
    std::vector<unsigned> sums(kThreads);
    const unsigned stride = grid ? kThreads : kGroup;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
        unsigned once = 0;
        for (unsigned i = thread % stride; i < words; i += stride)
            once += data[i];
        for (unsigned round = 0; round < rounds; ++round)
            sums[thread] = (sums[thread] + once) * 3;
    }

    workload::DeviceArray<unsigned> device_data(data);
    workload::DeviceArray<unsigned> device_sums(kThreads);
    if (grid)
        read_words<kThreads, 1><<<blocks, block>>>(device_data.data(), device_sums.data(), words, rounds);
    else
        read_words<kGroup, kBatches><<<blocks, block>>>(device_data.data(), device_sums.data(), words, rounds);
    workload::finish_kernels();

    workload::Check check;
    check.equal("sums", device_sums.to_host(), sums);
    return check.finish();
}
