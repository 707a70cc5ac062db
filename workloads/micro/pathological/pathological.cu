// The loop of DWF07 Figure 7, on which reconvergence at the immediate post-dominator is far from the best: even and odd
// threads take the `if` in alternate iterations, so a warp runs its body twice as often as any thread does. If the even
// threads let the odd ones get one iteration ahead, all threads run in lock step. The paper's oracle gains 92 %.
//
// The program runs the loop twice: as in the paper, and with every thread starting at 0, which is that lock step.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

/// Thread t starts at t % spread: 2 is the paper's loop, 1 the lock step.
__global__ void pathological(int* data, workload::Span* spans, int spread, int bound) {
    const int thread = workload::thread_index();
    const long long begin = clock64();
#pragma unroll 1
    for (int i = thread % spread; i < bound; ++i) {
        if (i % 2 != 0)
            ++data[thread];
    }
    spans[thread] = {begin, clock64()};
}

namespace {

/// Cycles of one launch of one block, whose result is checked.
long long run(int spread, int bound, unsigned threads, workload::Check& check) {
    std::vector<int> start(threads);
    for (unsigned thread = 0; thread < threads; ++thread)
        start[thread] = static_cast<int>(thread);
    workload::DeviceArray<int> data(start);
    workload::DeviceArray<workload::Span> spans(threads);
    pathological<<<1, threads>>>(data.data(), spans.data(), spread, bound);
    workload::finish_kernels();

    const std::vector<int> got = data.to_host();
    for (unsigned thread = 0; thread < threads; ++thread)
        check.equal("data", thread, got[thread], start[thread] + bound / 2); // odd numbers below bound
    return workload::total_cycles(spans.to_host());
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("micro-pathological", "The loop of DWF07 Figure 7, and the same loop in lock step",
                               {{"micro", {128, 0, 1}, {32, 0, 1}}});
    line.size("bound of the loop", 1, 1u << 20).block();
    const workload::Options options = line.parse(argc, argv);
    const int bound = static_cast<int>(options.amount.size);
    const unsigned threads = workload::block_threads(options);

    workload::Check check;
    const long long paper = run(2, bound, threads, check);
    const long long lock_step = run(1, bound, threads, check);
    std::printf("%-24s %10lld cycles\n%-24s %10lld cycles\n%-24s %10.2f\n", "as in the paper", paper, "in lock step",
                lock_step, "ratio", static_cast<double>(paper) / static_cast<double>(lock_step));
    return check.finish();
}
