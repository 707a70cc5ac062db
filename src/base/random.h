// Random numbers that are the same on every computer and in every run.
#pragma once

#include <cstdint>

namespace heddle {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014). Any seed will do.
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // A number below `n`, which is below 2^32.
    std::uint64_t below(std::uint64_t n) {
        return (((*this)() >> 32) * n) >> 32;
    }

private:
    std::uint64_t state_;
};

// The linear congruential generator of Knuth's MMIX. The higher bits are the better ones.
class MmixGenerator {
public:
    std::uint64_t operator()() {
        return state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    }

private:
    std::uint64_t state_ = 0;
};

} // namespace heddle
