// Cycles of a barrier by the number of warps of its block. In every round each thread hands a value to the thread one
// warp further on, so a barrier that lets a warp through too early gives a wrong result.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kMostThreads = 1024;

/// Two buffers take turns, so one barrier a round is enough.
__global__ void pass_round(unsigned* values, workload::Span* spans, unsigned rounds) {
    __shared__ unsigned buffer[2][kMostThreads];
    const unsigned thread = threadIdx.x;
    const unsigned from = (thread + kWarp) % blockDim.x;
    unsigned value = thread;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
        buffer[round % 2][thread] = value;
        __syncthreads();
        value = buffer[round % 2][from] + 1;
    }
    spans[thread] = {begin, clock64()};
    values[thread] = value;
}

int main(int argc, char** argv) {
    workload::CommandLine line("micro-barriers", "Cycles of a barrier by the number of warps that meet",
                               {{"micro", {1000, 0, 1}, {100, 0, 1}}});
    line.size("rounds, one barrier each", 1, 1u << 24);
    const unsigned rounds = static_cast<unsigned>(line.parse(argc, argv).amount.size);

    workload::Check check;
    const unsigned most = std::min(kMostThreads, workload::most_block_threads());
    std::printf("%8s %12s %12s\n", "warps", "cycles", "a round");
    for (unsigned threads = kWarp; threads <= most; threads *= 2) {
        workload::DeviceArray<unsigned> values(threads);
        workload::DeviceArray<workload::Span> spans(threads);
        pass_round<<<1, threads>>>(values.data(), spans.data(), rounds);
        workload::finish_kernels();

        const std::vector<unsigned> got = values.to_host();
        const unsigned warps = threads / kWarp;
        for (unsigned thread = 0; thread < threads; ++thread) {
            const unsigned origin = (thread + rounds % warps * kWarp) % threads;
            check.equal("value", thread, got[thread], origin + rounds);
        }
        const long long cycles = workload::total_cycles(spans.to_host());
        std::printf("%8u %12lld %12.2f\n", warps, cycles, static_cast<double>(cycles) / rounds);
    }
    return check.finish();
}
