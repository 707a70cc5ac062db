// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a seeded generator for policies that draw lots, so that runs repeat.
#pragma once

#include <cstdint>

namespace heddle::mem {

class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t draw() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

} // namespace heddle::mem
