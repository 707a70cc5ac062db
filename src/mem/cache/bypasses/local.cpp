#include "mem/cache/bypass.h"

namespace heddle::mem {
namespace {

class LocalLoads final : public Bypass {
public:
    explicit LocalLoads(const BypassShape& /*shape*/) {}

    bool bypasses(const CacheAccess& load) override {
        return load.local;
    }
};

HEDDLE_BYPASS(LocalLoads, "local", "loads of .local memory", "common practice");

} // namespace
} // namespace heddle::mem
