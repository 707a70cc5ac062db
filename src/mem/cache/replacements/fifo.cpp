#include "mem/cache/replacements/by_age.h"

namespace heddle::mem {
namespace {

class FirstInFirstOut final : public ByAge {
public:
    explicit FirstInFirstOut(const ReplacementShape& /*shape*/) : ByAge(Order::Arrival) {}
};

HEDDLE_REPLACEMENT(FirstInFirstOut, "fifo", "the line that was allocated first", "common practice");

} // namespace
} // namespace heddle::mem
