#include "base/random.h"

#include "mem/cache/bypass.h"

namespace heddle::mem {
namespace {

class RandomLoads final : public Bypass {
public:
    explicit RandomLoads(const BypassShape& shape) : rate_(shape.rate), lots_(shape.seed) {}

    bool bypasses(const CacheAccess& /*load*/) override {
        return static_cast<double>(lots_() >> 11) * 0x1p-53 < rate_; // a draw from 0 up to 1
    }

private:
    double rate_;
    SplitMix64 lots_;
};

HEDDLE_BYPASS(RandomLoads, "random", "a share of dcache.bypass_rate of the loads, by a seeded generator", "for tests");

} // namespace
} // namespace heddle::mem
