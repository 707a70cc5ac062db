#include <bit>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

// Draws from a generator of its own (SplitMix64), so that runs repeat.
class Random final : public Replacement {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    bool renews_on_use() const override {
        return false;
    }
    bool chooses() const override {
        return true;
    }
    unsigned victim(std::span<const std::uint64_t> /*stamps*/, std::uint64_t candidates) override {
        for (auto skip = draw() % static_cast<unsigned>(std::popcount(candidates)); skip != 0; --skip)
            candidates &= candidates - 1;
        return static_cast<unsigned>(std::countr_zero(candidates));
    }

private:
    std::uint64_t draw() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

HEDDLE_REPLACEMENT(Random, "random", "any line, by a seeded generator", "common practice");

} // namespace
} // namespace heddle::mem
