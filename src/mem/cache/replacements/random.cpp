#include "base/random.h"

#include <bit>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

// Draws from a generator of its own, so that runs repeat.
class Random final : public Replacement {
public:
    explicit Random(std::uint64_t seed) : draw_(seed) {}

    bool renews_on_use() const override {
        return false;
    }
    bool chooses() const override {
        return true;
    }
    unsigned victim(std::span<const std::uint64_t> /*stamps*/, std::uint64_t candidates) override {
        for (auto skip = draw_() % static_cast<unsigned>(std::popcount(candidates)); skip != 0; --skip)
            candidates &= candidates - 1;
        return static_cast<unsigned>(std::countr_zero(candidates));
    }

private:
    SplitMix64 draw_;
};

HEDDLE_REPLACEMENT(Random, "random", "any line, by a seeded generator", "common practice");

} // namespace
} // namespace heddle::mem
