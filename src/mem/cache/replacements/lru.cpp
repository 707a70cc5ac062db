#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

class LeastRecentlyUsed final : public Replacement {
public:
    explicit LeastRecentlyUsed(std::uint64_t /*seed*/) {}

    bool renews_on_use() const override {
        return true;
    }
    bool chooses() const override {
        return false;
    }
};

HEDDLE_REPLACEMENT(LeastRecentlyUsed, "lru", "the line that was used least recently", "PRO Table I; MAWS Tables 3, 4");

} // namespace
} // namespace heddle::mem
