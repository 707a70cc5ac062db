// Bank conflicts of shared memory: the 32 threads of one warp read words that are 1, 2, 4, ... 32 words apart, and 33.
// With 32 banks a stride of s = 2^k puts s threads on one bank, which answers them one after another; 33 is free of
// conflicts again.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kMostStride = 33;
constexpr unsigned kWords = kWarp * kMostStride;

/// Every word holds its own index, so each thread keeps reading one word, and each load needs the one before it.
__global__ void read_strided(unsigned* reached, workload::Span* spans, unsigned stride, unsigned accesses) {
    __shared__ unsigned words[kWords];
    const unsigned thread = threadIdx.x;
    for (unsigned i = thread; i < kWords; i += kWarp)
        words[i] = i;
    __syncthreads();

    unsigned at = thread * stride;
    long long begin = 0;
#pragma unroll 1
    for (int phase = 0; phase < 2; ++phase) { // the first time only brings the code into the instruction cache
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < accesses; ++i)
            at = words[at];
    }
    spans[thread] = {begin, clock64()};
    reached[thread] = at;
}

int main(int argc, char** argv) {
    workload::CommandLine line("micro-conflicts", "Cycles of a shared-memory access by its stride",
                               {{"micro", {1000, 0, 1}, {100, 0, 1}}});
    line.size("accesses of each thread", 1, 1u << 24);
    const unsigned accesses = static_cast<unsigned>(line.parse(argc, argv).amount.size);

    workload::Check check;
    double no_conflict = 0;
    std::printf("%8s %12s %12s %24s\n", "stride", "cycles", "an access", "more than with stride 1");
    for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 33u}) {
        workload::DeviceArray<unsigned> reached(kWarp);
        workload::DeviceArray<workload::Span> spans(kWarp);
        read_strided<<<1, kWarp>>>(reached.data(), spans.data(), stride, accesses);
        workload::finish_kernels();

        const std::vector<unsigned> got = reached.to_host();
        for (unsigned thread = 0; thread < kWarp; ++thread)
            check.equal("word", thread, got[thread], thread * stride);
        const long long cycles = workload::total_cycles(spans.to_host());
        const double access = static_cast<double>(cycles) / accesses;
        if (stride == 1)
            no_conflict = access;
        std::printf("%8u %12lld %12.2f %24.2f\n", stride, cycles, access, access - no_conflict);
    }
    return check.finish();
}
