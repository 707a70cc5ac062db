// Seeded input generators: the same numbers on every machine and compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace workload {

/// SplitMix64: every seed is a good one, and consecutive seeds give unrelated sequences.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, count), by the high half of a product: the bias is below count / 2^32.
    std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32);
    }

    /// Uniform in [low, high).
    float uniform(float low, float high) {
        const float unit = static_cast<float>(next() >> 40) * 0x1p-24f;
        return low + (high - low) * unit;
    }

    /// That many of them.
    std::vector<float> uniform(std::size_t count, float low, float high) {
        std::vector<float> values(count);
        for (float& value : values)
            value = uniform(low, high);
        return values;
    }

private:
    std::uint64_t state_;
};

} // namespace workload
