// @NAME@: a replacement.
#include <bit>
#include <vector>

#include "config/plugin.h"
#include "mem/cache/replacement.h"

namespace {

using namespace heddle;
using namespace heddle::mem;

class @TYPE@ final : public Replacement {
public:
    explicit @TYPE@(const ReplacementShape& shape)
        : ways_(shape.ways), uses_(std::size_t{shape.sets} * shape.ways) {}

    unsigned victim(unsigned set, WayMask candidates, const CacheAccess& /*access*/) override {
        auto best = static_cast<unsigned>(std::countr_zero(candidates));
        for (WayMask rest = candidates; rest != 0; rest &= rest - 1) {
            const auto way = static_cast<unsigned>(std::countr_zero(rest));
            if (uses(set, way) < uses(set, best))
                best = way;
        }
        return best;
    }
    void hit(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        ++uses(set, way);
    }
    void fill(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        uses(set, way) = 0;
    }

private:
    std::uint64_t& uses(unsigned set, unsigned way) {
        return uses_[std::size_t{set} * ways_ + way];
    }

    unsigned ways_;
    std::vector<std::uint64_t> uses_; // by line
};

HEDDLE_REPLACEMENT(@TYPE@, "@NAME@", "the line that was used least often, lowest way on ties", "example");

} // namespace

HEDDLE_PLUGIN("@NAME@", "the replacement @NAME@")
