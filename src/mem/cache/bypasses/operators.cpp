#include "mem/cache/bypass.h"

namespace heddle::mem {
namespace {

class CacheOperators final : public Bypass {
public:
    explicit CacheOperators(const BypassShape& /*shape*/) {}

    bool bypasses(const CacheAccess& load) override {
        return load.uncached;
    }
};

HEDDLE_BYPASS(CacheOperators, "operators",
              "loads whose cache operator keeps them out of the first level: .cg, .cv, L1::no_allocate",
              "PTX ISA, cache operators and eviction priorities");

} // namespace
} // namespace heddle::mem
