#include "mem/cache/bypass.h"

namespace heddle::mem {
namespace {

class NoBypass final : public Bypass {
public:
    explicit NoBypass(const BypassShape& /*shape*/) {}

    bool decides() const override {
        return false;
    }
    bool bypasses(const CacheAccess& /*load*/) override {
        return false;
    }
};

HEDDLE_BYPASS(NoBypass, "none", "every load that misses brings its line into the cache", "every machine of the papers");

} // namespace
} // namespace heddle::mem
