// Streaming bandwidth: one block reads, writes or copies consecutive words, as many bytes a cycle as the memory gives.
// On lwm11 the bus moves 32 bytes a cycle, so neither a read nor a copy (its reads and its write-backs together) can
// be faster than that.

#include "common/check.h"
#include "common/command_line.h"
#include "common/cycles.h"
#include "common/device.h"

// ---- device ----

__global__ void read_words(const unsigned* source, unsigned* sums, workload::Span* spans, unsigned words) {
    const unsigned thread = threadIdx.x;
    unsigned sum = 0;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned i = thread; i < words; i += blockDim.x)
        sum += source[i];
    sums[thread] = sum;
    spans[thread] = {begin, clock64()};
}

__global__ void write_words(unsigned* target, workload::Span* spans, unsigned words) {
    const unsigned thread = threadIdx.x;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned i = thread; i < words; i += blockDim.x)
        target[i] = 3 * i;
    spans[thread] = {begin, clock64()};
}

__global__ void copy_words(unsigned* target, const unsigned* source, workload::Span* spans, unsigned words) {
    const unsigned thread = threadIdx.x;
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned i = thread; i < words; i += blockDim.x)
        target[i] = source[i];
    spans[thread] = {begin, clock64()};
}

// ---- host ----

namespace {

void report(const char* what, double bytes, long long cycles) {
    std::printf("%-8s %12.0f bytes %10lld cycles %8.2f bytes a cycle\n", what, bytes, cycles,
                bytes / static_cast<double>(cycles));
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("micro-bandwidth", "Bytes a cycle of streaming reads, writes and copies",
                               {{"micro", {4u << 20, 0, 1}, {256u << 10, 0, 1}}});
    line.size("bytes of the array", 4, 1u << 30).block();
    const workload::Options options = line.parse(argc, argv);
    const unsigned words = static_cast<unsigned>(options.amount.size / sizeof(unsigned));
    const double bytes = static_cast<double>(words) * sizeof(unsigned);

    const unsigned threads = workload::block_threads(options, 1024); // threads hide latency: the most there are

    std::vector<unsigned> data(words);
    std::vector<unsigned> sums(threads);
    std::vector<unsigned> triples(words);
    for (unsigned i = 0; i < words; ++i) {
        data[i] = i * 2654435761u;
        sums[i % threads] += data[i];
        triples[i] = 3 * i;
    }
    workload::DeviceArray<unsigned> source(data);
    workload::DeviceArray<unsigned> target(words);
    workload::DeviceArray<unsigned> device_sums(threads);
    workload::DeviceArray<workload::Span> spans(threads);
    workload::Check check;

    read_words<<<1, threads>>>(source.data(), device_sums.data(), spans.data(), words);
    workload::finish_kernels();
    check.equal("sum", device_sums.to_host(), sums);
    report("read", bytes, workload::total_cycles(spans.to_host()));

    write_words<<<1, threads>>>(target.data(), spans.data(), words);
    workload::finish_kernels();
    check.equal("written", target.to_host(), triples);
    report("write", bytes, workload::total_cycles(spans.to_host()));

    copy_words<<<1, threads>>>(target.data(), source.data(), spans.data(), words);
    workload::finish_kernels();
    check.equal("copied", target.to_host(), data);
    report("copy", 2 * bytes, workload::total_cycles(spans.to_host()));
    return check.finish();
}
