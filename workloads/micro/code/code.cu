// A kernel with much code: a loop whose body is straight code of as many steps as the size says, each a multiplication,
// a shift and an exclusive or of a thread's word. Few warps run it, so that instructions have to come as fast as they
// issue.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

/// The constant of a step: different ones, so that no steps fold into one.
__host__ __device__ constexpr unsigned constant_of(unsigned step) {
    return (step * 2654435761u + 40503u) | 1u;
}

__host__ __device__ constexpr unsigned step_of(unsigned word, unsigned step) {
    const unsigned product = word * constant_of(step) + step;
    return product ^ (product >> 15);
}

// ---- device ----

template <unsigned steps>
__global__ void straight_code(unsigned* words, unsigned rounds) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = words[thread];
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
        for (unsigned step = 0; step < steps; ++step)
            word = step_of(word, step);
    }
    words[thread] = word;
}

// ---- host ----

/// Runs the smallest kernel that has at least `wanted` steps. Returns how many it has.
template <unsigned steps = 256>
unsigned launch(unsigned wanted, unsigned blocks, unsigned block, unsigned* words, unsigned rounds) {
    if constexpr (steps < 4096) {
        if (wanted > steps)
            return launch<2 * steps>(wanted, blocks, block, words, rounds);
    }
    straight_code<steps><<<blocks, block>>>(words, rounds);
    return steps;
}

int main(int argc, char** argv) {
    constexpr unsigned kBlocks = 8;
    workload::CommandLine line("micro-code", "Straight code of many instructions, in a loop",
                               {{"micro", {2048, 0, 4}, {256, 0, 2}}});
    line.size("steps of the loop's body, of three operations each, rounded up to a power of two from 256 on", 1, 4096)
        .iterations("how often the loop runs");
    const workload::Options options = line.parse(argc, argv);
    const unsigned block = workload::block_threads(options, 128);
    const auto rounds = static_cast<unsigned>(options.amount.iterations);

    std::vector<unsigned> words(kBlocks * block);
    for (unsigned i = 0; i < words.size(); ++i)
        words[i] = i * 2246822519u;
    workload::DeviceArray<unsigned> device(words);
    const unsigned steps = launch(static_cast<unsigned>(options.amount.size), kBlocks, block, device.data(), rounds);
    workload::finish_kernels();

    for (unsigned& word : words)
        for (unsigned round = 0; round < rounds; ++round)
            for (unsigned step = 0; step < steps; ++step)
                word = step_of(word, step);
    workload::Check check;
    check.equal("words", device.to_host(), words);
    return check.finish();
}
