// Latency of dependent operations in one thread: a multiply-add, shared memory, a hit in the data cache, and DRAM with
// the row open and with another row open. Memory is measured by following a chain of indices: each load needs the one
// before it.
//
// The shape of the chains fits the lwm11 machine: 128-byte lines, rows of 4 KB, consecutive rows in 8 consecutive
// banks. There a conflict costs 200 cycles more than a row hit, and a row hit about 100 more than a cache hit.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

constexpr unsigned kWord = sizeof(unsigned);
constexpr unsigned kLine = 128 / kWord;        ///< words of a cache line
constexpr unsigned kRow = 4096 / kWord;        ///< words of a DRAM row
constexpr unsigned kSameBank = 8 * kRow;       ///< words to the next row of the same bank
constexpr unsigned kLinesOfRow = kRow / kLine; ///< also the length of the shared chain
constexpr unsigned kSharedWords = 32;

// ---- device ----

/// value = value * factor + addend, `steps` times. The factors are arguments so that the compiler cannot fold steps.
__global__ void multiply_add_chain(unsigned* value, workload::Span* span, unsigned steps, unsigned factor,
                                   unsigned addend) {
    unsigned v = *value;
    long long begin = 0;
#pragma unroll 1
    for (int phase = 0; phase < 2; ++phase) { // the first time only brings the code into the instruction cache
        v = *value;
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < steps; ++i)
            v = v * factor + addend;
    }
    *span = {begin, clock64()};
    *value = v;
}

/// Follows the chain from `warm_up` for `warm_steps`, then from `start` for `steps`, and measures the latter.
__global__ void follow(const unsigned* chain, unsigned* reached, workload::Span* span, unsigned warm_up,
                       unsigned warm_steps, unsigned start, unsigned steps) {
    unsigned at = warm_up;
    unsigned count = warm_steps;
    unsigned warmed = 0;
    long long begin = 0;
#pragma unroll 1
    for (int phase = 0; phase < 2; ++phase) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < count; ++i)
            at = chain[at];
        if (phase == 0) {
            warmed = at; // stored at the end: a store here could close the row
            at = start;
            count = steps;
        }
    }
    *span = {begin, clock64()};
    reached[0] = at;
    reached[1] = warmed;
}

__global__ void follow_shared(const unsigned* chain, unsigned* reached, workload::Span* span, unsigned steps) {
    __shared__ unsigned copy[kSharedWords];
    for (unsigned i = 0; i < kSharedWords; ++i)
        copy[i] = chain[i];
    unsigned at = 0;
    long long begin = 0;
#pragma unroll 1
    for (int phase = 0; phase < 2; ++phase) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < steps; ++i)
            at = copy[at];
    }
    *span = {begin, clock64()};
    *reached = at;
}

// ---- host ----

namespace {

void report(const char* what, long long cycles, unsigned steps) {
    std::printf("%-28s %8u steps %10lld cycles %10.2f a step\n", what, steps, cycles,
                static_cast<double>(cycles) / steps);
}

unsigned walk(const std::vector<unsigned>& chain, unsigned at, unsigned steps) {
    while (steps-- != 0)
        at = chain[at];
    return at;
}

void measure_multiply_add(unsigned steps, workload::Check& check) {
    constexpr unsigned kFactor = 1664525;
    constexpr unsigned kAddend = 1013904223;
    workload::DeviceArray<unsigned> value(std::vector<unsigned>{7});
    workload::DeviceArray<workload::Span> span(1);
    multiply_add_chain<<<1, 1>>>(value.data(), span.data(), steps, kFactor, kAddend);
    workload::finish_kernels();
    unsigned expected = 7;
    for (unsigned i = 0; i < steps; ++i)
        expected = expected * kFactor + kAddend;
    check.equal("multiply-add", 0, value.to_host()[0], expected);
    report("multiply-add", workload::total_cycles(span.to_host()), steps);
}

void measure_shared(unsigned steps, workload::Check& check) {
    std::vector<unsigned> chain(kSharedWords);
    for (unsigned i = 0; i < kSharedWords; ++i)
        chain[i] = (i + 5) % kSharedWords;
    workload::DeviceArray<unsigned> device_chain(chain);
    workload::DeviceArray<unsigned> reached(1);
    workload::DeviceArray<workload::Span> span(1);
    follow_shared<<<1, 1>>>(device_chain.data(), reached.data(), span.data(), steps);
    workload::finish_kernels();
    check.equal("shared chain", 0, reached.to_host()[0], walk(chain, 0, 2 * steps));
    report("shared memory", workload::total_cycles(span.to_host()), steps);
}

/// One walk over global memory. The chain goes round `places` places that are `stride` words apart, from place 0 at a
/// row's first word. The warm-up touches `warm_places` of them, so that the measured walk finds these lines in the
/// cache, or (one place) just the first row open.
void measure_global(const char* what, unsigned stride, unsigned places, unsigned warm_places, unsigned steps,
                    workload::Check& check) {
    std::vector<unsigned> chain(std::size_t{places} * stride + kRow);
    workload::DeviceArray<unsigned> device_chain(chain.size());
    const auto misaligned = reinterpret_cast<std::uintptr_t>(device_chain.data()) / kWord % kRow;
    const unsigned origin = static_cast<unsigned>((kRow - misaligned) % kRow);
    for (unsigned place = 0; place < places; ++place)
        chain[origin + place * stride] = origin + (place + 1) % places * stride;
    CUDA_CHECK(cudaMemcpy(device_chain.data(), chain.data(), chain.size() * kWord, cudaMemcpyHostToDevice));

    const unsigned start = origin + (warm_places == places ? 0 : warm_places * stride);
    workload::DeviceArray<unsigned> reached(2);
    workload::DeviceArray<workload::Span> span(1);
    follow<<<1, 1>>>(device_chain.data(), reached.data(), span.data(), origin, warm_places, start, steps);
    workload::finish_kernels();
    check.equal(what, 0, reached.to_host()[0], walk(chain, start, steps));
    check.equal(what, 1, reached.to_host()[1], walk(chain, origin, warm_places));
    report(what, workload::total_cycles(span.to_host()), steps);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("micro-latency", "Latency of arithmetic, shared memory, the data cache and DRAM",
                               {{"micro", {1024, 0, 1}, {128, 0, 1}}});
    line.size("steps of the chains (DRAM: what fits an open row, and at most 256 rows)", 1, 1u << 24);
    const unsigned steps = static_cast<unsigned>(line.parse(argc, argv).amount.size);

    workload::Check check;
    measure_multiply_add(steps, check);
    measure_shared(steps, check);
    measure_global("data cache hit", kLine, 8, 8, steps, check);
    const unsigned open_row_steps = std::min(steps, kLinesOfRow - 1);
    measure_global("DRAM, row open", kLine, kLinesOfRow, 1, open_row_steps, check);
    const unsigned conflict_steps = std::min(steps, 256u);
    measure_global("DRAM, another row open", kSameBank, conflict_steps + 1, 1, conflict_steps, check);
    return check.finish();
}
