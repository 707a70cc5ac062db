#include "mem/cache/replacements/by_age.h"

namespace heddle::mem {
namespace {

class LeastRecentlyUsed final : public ByAge {
public:
    explicit LeastRecentlyUsed(const ReplacementShape& /*shape*/) : ByAge(Order::Use) {}
};

HEDDLE_REPLACEMENT(LeastRecentlyUsed, "lru", "the line that was used least recently", "PRO Table I; MAWS Tables 3, 4");

} // namespace
} // namespace heddle::mem
