// What a divergent branch costs: one warp whose threads take 1, 2, 4, ... 32 different paths of equal length, one path
// after the other. With a stack of reconvergence points the paths are serialised, so every path adds the same number
// of cycles.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kFactor = 1664525;
constexpr unsigned kAddend = 1013904223;

/// Thread t runs the chain of `length` dependent multiply-adds when the loop comes to path t % paths.
__global__ void diverge(unsigned* values, workload::Span* spans, unsigned paths, unsigned length, unsigned factor,
                        unsigned addend) {
    const unsigned thread = threadIdx.x;
    unsigned value = thread;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned path = 0; path < paths; ++path) {
        if (thread % paths != path)
            continue;
#pragma unroll 1
        for (unsigned i = 0; i < length; ++i)
            value = value * factor + addend;
    }
    spans[thread] = {begin, clock64()};
    values[thread] = value;
}

namespace {

unsigned reference(unsigned value, unsigned length) {
    for (unsigned i = 0; i < length; ++i)
        value = value * kFactor + kAddend;
    return value;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("micro-divergence", "Cycles of a warp whose threads take 1 to 32 paths",
                               {{"micro", {1000, 0, 1}, {100, 0, 1}}});
    line.size("dependent multiply-adds of a path", 1, 1u << 24);
    const unsigned length = static_cast<unsigned>(line.parse(argc, argv).amount.size);

    workload::Check check;
    long long one_path = 0;
    std::printf("%8s %12s %22s\n", "paths", "cycles", "for each further path");
    for (unsigned paths = 1; paths <= kWarp; paths *= 2) {
        workload::DeviceArray<unsigned> values(kWarp);
        workload::DeviceArray<workload::Span> spans(kWarp);
        diverge<<<1, kWarp>>>(values.data(), spans.data(), paths, length, kFactor, kAddend);
        workload::finish_kernels();

        const std::vector<unsigned> got = values.to_host();
        for (unsigned thread = 0; thread < kWarp; ++thread)
            check.equal("value", thread, got[thread], reference(thread, length));
        const long long cycles = workload::total_cycles(spans.to_host());
        if (paths == 1) {
            one_path = cycles;
            std::printf("%8u %12lld\n", paths, cycles);
        } else {
            std::printf("%8u %12lld %22.1f\n", paths, cycles, static_cast<double>(cycles - one_path) / (paths - 1));
        }
    }
    return check.finish();
}
