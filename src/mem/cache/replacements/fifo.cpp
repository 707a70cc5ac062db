#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

class FirstInFirstOut final : public Replacement {
public:
    explicit FirstInFirstOut(std::uint64_t /*seed*/) {}

    bool renews_on_use() const override {
        return false;
    }
    bool chooses() const override {
        return false;
    }
};

HEDDLE_REPLACEMENT(FirstInFirstOut, "fifo", "the line that was allocated first", "common practice");

} // namespace
} // namespace heddle::mem
