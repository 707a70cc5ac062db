#include "base/random.h"

#include <bit>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

class Random final : public Replacement {
public:
    explicit Random(const ReplacementShape& shape) : lots_(shape.seed) {}

    bool learns() const override {
        return false;
    }
    unsigned victim(unsigned /*set*/, WayMask candidates, const CacheAccess& /*access*/) override {
        for (auto skip = lots_() % static_cast<unsigned>(std::popcount(candidates)); skip != 0; --skip)
            candidates &= candidates - 1;
        return static_cast<unsigned>(std::countr_zero(candidates));
    }

private:
    SplitMix64 lots_;
};

HEDDLE_REPLACEMENT(Random, "random", "any line, by a seeded generator", "common practice");

} // namespace
} // namespace heddle::mem
