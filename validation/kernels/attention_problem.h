// What the programs of attention have in common on the host: the problem, its inputs, the time of a launch and the
// check of what it computes.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <string>

#include "attention.h"
#include "tensor_map.h"

namespace attention {

struct Sizes {
    unsigned batches, sequence, heads;
    bool causal; // a query sees the keys up to its own
};

inline std::size_t elements(Sizes sizes) {
    return std::size_t{sizes.batches} * sizes.sequence * sizes.heads * kSize;
}

/// Of scores, as exponents of two.
inline float softmax_scale() {
    return 1.44269504f / std::sqrt(static_cast<float>(kSize));
}

__global__ void read_all(const uint4* from, unsigned count, unsigned* never) {
    unsigned any = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const uint4 x = from[i];
        any |= x.x | x.y | x.z | x.w;
    }
    if (any == 1)
        *never = any;
}

/// Reads 96 MiB of zeros, so that the last-level cache has nothing of what was there before.
inline void read_something_else() {
    constexpr unsigned kCount = 96U << 20 >> 4;
    workload::DeviceArray<uint4> zeros(kCount);
    workload::DeviceArray<unsigned> never(1);
    zeros.fill_bytes(0);
    read_all<<<4 * workload::device_attribute(cudaDevAttrMultiProcessorCount), 256>>>(zeros.data(), kCount,
                                                                                      never.data());
    workload::finish_kernels();
}

/// The inputs and results of a problem: f16 by batch, row, head and element; logarithms of sums by batch, head and row.
class Problem {
public:
    explicit Problem(Sizes sizes) : sizes(sizes) {
        out.fill_bytes(0xff); // no numbers
        logarithms.fill_bytes(0xff);
    }

    /// Ends the program when a result is missing, or one of the rows that the host computes differs.
    void check(const char* name) const {
        const std::vector<__half> here = out.to_host();
        const std::vector<float> logs = logarithms.to_host();
        for (std::size_t i = 0; i < here.size(); ++i)
            validation::expect_near(name, i, __half2float(here[i]), 0, 4); // a mean of values up to 1
        for (std::size_t i = 0; i < logs.size(); ++i)
            validation::expect_near(name, i, logs[i], 0, 1e4);
        constexpr unsigned kPlaces = 5, kRows = 37;
        const unsigned heads = sizes.batches * sizes.heads;
        for (unsigned place = 0; place < kPlaces; ++place)
            for (unsigned i = 0; i < kRows; ++i)
                check_row(name, here, logs, (heads - 1) * place / (kPlaces - 1),
                          (sizes.sequence - 1) * i / (kRows - 1));
    }

    const Sizes sizes;

private:
    [[nodiscard]] std::size_t place(unsigned head, unsigned row) const {
        return ((head / sizes.heads * std::size_t{sizes.sequence} + row) * sizes.heads + head % sizes.heads) * kSize;
    }

    // `head`: of all batches.
    void check_row(const char* name, const std::vector<__half>& here, const std::vector<float>& logs, unsigned head,
                   unsigned row) const {
        const unsigned keys = sizes.causal ? row + 1 : sizes.sequence;
        double sums[kSize] = {}, total = 0;
        for (unsigned key = 0; key < keys; ++key) {
            float score = 0; // exact
            for (unsigned e = 0; e < kSize; ++e)
                score += __half2float(q_[place(head, row) + e]) * __half2float(k_[place(head, key) + e]);
            const double weight = std::exp(score / std::sqrt(static_cast<double>(kSize)));
            total += weight;
            for (unsigned e = 0; e < kSize; ++e)
                sums[e] += weight * __half2float(v_[place(head, key) + e]);
        }
        for (unsigned e = 0; e < kSize; ++e) // weights and results have the 11 bits of f16
            validation::expect_near(name, place(head, row) + e, __half2float(here[place(head, row) + e]),
                                    sums[e] / total, 1e-3);
        const std::size_t at = std::size_t{head} * sizes.sequence + row;
        validation::expect_near(name, at, logs[at], std::log(total), 1e-4);
    }

    // Scores that differ by some units.
    static std::vector<__half> queries(std::size_t count) {
        std::vector<__half> out = validation::eighths<__half>(count, 1);
        for (__half& x : out)
            x = __float2half(4 * __half2float(x));
        return out;
    }

    std::vector<__half> q_ = queries(elements(sizes)), k_ = validation::eighths<__half>(elements(sizes), 2),
                        v_ = validation::eighths<__half>(elements(sizes), 3);

public:
    workload::DeviceArray<__half> q{q_}, k{k_}, v{v_}, out{elements(sizes)};
    workload::DeviceArray<float> logarithms{elements(sizes) / kSize};
};

/// What a launch takes, in nanoseconds, with a last-level cache that has nothing of its inputs: the mean of `times`.
/// Behind a launch of a small part of the work, `warm`, after which code and runtime are there. `prepare`: what a
/// launch needs and is not timed.
template <class Warm, class Prepare, class Launch>
double cold_nanoseconds(Warm&& warm, Prepare&& prepare, Launch&& launch, unsigned times) {
    validation::TimedLaunch timed;
    prepare();
    warm();
    double sum = 0;
    for (unsigned i = 0; i < times; ++i) {
        prepare();
        read_something_else();
        sum += timed.nanoseconds(launch);
    }
    workload::finish_kernels();
    return sum / times;
}

/// Runs what the words of a command line ask for: no word the published sizes, "--quick" a small one, "--long" the
/// published ones with more launches, or batches, rows, heads and "full" or "causal".
template <class Measure>
int run(int count, char** words, Sizes published, Sizes small, Measure&& measure) {
    if (count == 5) {
        const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(words[i], nullptr, 10)); };
        const Sizes sizes{number(1), number(2), number(3), std::strcmp(words[4], "causal") == 0};
        const std::string name = std::string(words[4]) + ".b" + words[1] + ".s" + words[2] + ".h" + words[3];
        measure(sizes, name.c_str(), 8U);
        return 0;
    }
    Sizes sizes = validation::is_quick(count, words) ? small : published;
    const unsigned times = validation::times_the_work(count, words) == 1 ? 1 : 8;
    for (const bool causal : {false, true}) {
        sizes.causal = causal;
        measure(sizes, causal ? "causal" : "full", times);
    }
    return 0;
}

} // namespace attention
