// Random access: every thread reads words all over a buffer that no cache holds, a line transaction each.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

__host__ __device__ inline unsigned mixed(unsigned x) { // a bijection without order (Murmur3's finaliser)
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

// ---- device ----

__global__ void gather(const unsigned* source, unsigned* sums, unsigned mask, unsigned steps) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned s = 0; s < steps; ++s)
        sum += source[mixed(thread * steps + s) & mask];
    sums[thread] = sum;
}

// ---- host ----

int main(int argc, char** argv) {
    workload::CommandLine line("micro-random", "Reads of random words of a buffer",
                               {{"micro", {16u << 20, 0, 8}, {1u << 20, 0, 1}}});
    line.size("words of the buffer, rounded up to a power of two", 1, 1u << 28)
        .iterations("times that each thread reads eight words")
        .block();
    const workload::Options options = line.parse(argc, argv);
    unsigned words = 1;
    while (words < options.amount.size)
        words *= 2;
    const unsigned block = workload::block_threads(options, 256);
    const unsigned blocks = 120; // enough for every SM of every machine
    const unsigned threads = blocks * block;
    const unsigned steps = 8 * static_cast<unsigned>(options.amount.iterations);

    std::vector<unsigned> data(words), sums(threads);
    for (unsigned i = 0; i < words; ++i)
        data[i] = i * 2654435761u;
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned s = 0; s < steps; ++s)
            sums[t] += data[mixed(t * steps + s) & (words - 1)];

    workload::DeviceArray<unsigned> source(data), device_sums(threads);
    gather<<<blocks, block>>>(source.data(), device_sums.data(), words - 1, steps);
    workload::finish_kernels();

    workload::Check check;
    check.equal("sums", device_sums.to_host(), sums);
    return check.finish();
}
