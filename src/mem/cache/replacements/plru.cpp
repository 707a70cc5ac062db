#include <bit>
#include <vector>

#include <fmt/format.h>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

// A binary tree over the ways of a set, as in a heap: node 1 is the root, node n has children 2n and 2n + 1, and way w
// is the leaf ways + w. The bit of a node says in which half the next victim lies: 0 the lower, 1 the upper. A use
// makes the bits on its path point away from it.
class TreePseudoLru final : public Replacement {
public:
    explicit TreePseudoLru(const ReplacementShape& shape) : ways_(shape.ways), bits_(shape.sets) {}

    std::string objection() const override {
        if (std::has_single_bit(ways_))
            return {};
        return fmt::format("its tree needs a power of two of ways, not {}", ways_);
    }
    unsigned victim(unsigned set, WayMask candidates, const CacheAccess& /*access*/) override {
        unsigned node = 1;
        for (unsigned half = ways_ / 2, low = 0; half != 0; half /= 2) {
            const WayMask lower = (((WayMask{1} << half) - 1) << low) & candidates;
            const WayMask upper = (((WayMask{1} << half) - 1) << (low + half)) & candidates;
            // Where no way of the half may go, the other half has one
            const bool up = lower == 0 || (upper != 0 && ((bits_[set] >> node) & 1) != 0);
            node = 2 * node + (up ? 1 : 0);
            low += up ? half : 0;
        }
        return node - ways_;
    }
    void hit(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        for (unsigned node = ways_ + way; node > 1; node /= 2) {
            const std::uint64_t parent = std::uint64_t{1} << (node / 2);
            bits_[set] = (node & 1) != 0 ? bits_[set] & ~parent : bits_[set] | parent;
        }
    }
    void fill(unsigned set, unsigned way, const CacheAccess& access) override {
        hit(set, way, access);
    }

private:
    unsigned ways_;
    std::vector<std::uint64_t> bits_; // by set, bit n for node n
};

HEDDLE_REPLACEMENT(TreePseudoLru, "plru",
                   "where the bits of a tree lead that point away from uses; ways a power of two", "common practice");

} // namespace
} // namespace heddle::mem
