// Atomic additions by one block: each thread its own counter, a counter for every 32 threads, one counter for all; in
// global and in shared memory. The value an addition returns is used, so a thread waits for each one.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

constexpr unsigned kMostThreads = 1024;

/// Thread t adds 1 to counter t / sharers, `additions` times, and sums what it was told.
__global__ void add_global(unsigned* counters, unsigned long long* sums, workload::Span* spans, unsigned sharers,
                           unsigned additions) {
    const unsigned thread = threadIdx.x;
    unsigned* const counter = &counters[thread / sharers];
    unsigned long long sum = 0;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < additions; ++i)
        sum += atomicAdd(counter, 1u);
    spans[thread] = {begin, clock64()};
    sums[thread] = sum;
}

__global__ void add_shared(unsigned* counters, unsigned long long* sums, workload::Span* spans, unsigned sharers,
                           unsigned additions) {
    __shared__ unsigned shared[kMostThreads];
    const unsigned thread = threadIdx.x;
    shared[thread] = 0;
    __syncthreads();
    unsigned* const counter = &shared[thread / sharers];
    unsigned long long sum = 0;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < additions; ++i)
        sum += atomicAdd(counter, 1u);
    spans[thread] = {begin, clock64()};
    sums[thread] = sum;
    __syncthreads();
    counters[thread] = shared[thread];
}

namespace {

/// n additions of 1 to one counter return 0 to n - 1, each once, in whatever order: both totals are known.
void check_counters(const std::vector<unsigned>& counters, const std::vector<unsigned long long>& sums,
                    unsigned sharers, unsigned additions, workload::Check& check) {
    const std::size_t threads = sums.size();
    for (std::size_t counter = 0; counter < threads; ++counter) {
        const std::size_t first = std::min(threads, counter * sharers);
        const std::size_t last = std::min(threads, first + sharers);
        const unsigned long long count = (last - first) * additions;
        unsigned long long sum = 0;
        for (std::size_t thread = first; thread < last; ++thread)
            sum += sums[thread];
        const unsigned long long expected_sum = count == 0 ? 0 : count * (count - 1) / 2;
        check.equal("counter", counter, counters[counter], static_cast<long long>(count));
        check.equal("sum of returned values", counter, static_cast<long long>(sum),
                    static_cast<long long>(expected_sum));
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("micro-atomics", "Cycles of atomic additions by how many threads share a counter",
                               {{"micro", {100, 0, 1}, {10, 0, 1}}});
    line.size("additions of each thread", 1, 1u << 20).block();
    const workload::Options options = line.parse(argc, argv);
    const unsigned additions = static_cast<unsigned>(options.amount.size);
    const unsigned threads = workload::block_threads(options);

    workload::Check check;
    std::printf("%-8s %20s %12s %16s\n", "memory", "threads a counter", "cycles", "an addition");
    for (const bool in_shared : {false, true}) {
        for (const unsigned sharers : {1u, 32u, threads}) {
            workload::DeviceArray<unsigned> counters(threads);
            workload::DeviceArray<unsigned long long> sums(threads);
            workload::DeviceArray<workload::Span> spans(threads);
            counters.fill_bytes(0);
            if (in_shared)
                add_shared<<<1, threads>>>(counters.data(), sums.data(), spans.data(), sharers, additions);
            else
                add_global<<<1, threads>>>(counters.data(), sums.data(), spans.data(), sharers, additions);
            workload::finish_kernels();
            check_counters(counters.to_host(), sums.to_host(), sharers, additions, check);
            const long long cycles = workload::total_cycles(spans.to_host());
            std::printf("%-8s %20u %12lld %16.2f\n", in_shared ? "shared" : "global", sharers, cycles,
                        static_cast<double>(cycles) / additions);
        }
    }
    return check.finish();
}
