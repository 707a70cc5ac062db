#include "mem/replacement.h"

namespace heddle::mem {
namespace {

class FirstInFirstOut final : public Replacement {
public:
    explicit FirstInFirstOut(std::uint64_t /*seed*/) {}

    bool renews_on_use() const override {
        return false;
    }
    unsigned victim(std::span<const std::uint64_t> stamps, std::uint64_t candidates) override {
        return oldest(stamps, candidates);
    }
};

HEDDLE_REPLACEMENT(FirstInFirstOut, "fifo", "the line that was allocated first", "common practice");

} // namespace
} // namespace heddle::mem
