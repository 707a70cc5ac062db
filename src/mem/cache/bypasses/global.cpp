#include "mem/cache/bypass.h"

namespace heddle::mem {
namespace {

class GlobalLoads final : public Bypass {
public:
    explicit GlobalLoads(const BypassShape& /*shape*/) {}

    bool bypasses(const CacheAccess& load) override {
        return !load.local;
    }
};

HEDDLE_BYPASS(GlobalLoads, "global", "loads of all but .local memory", "CUDA: -Xptxas -dlcm=cg, the default of Kepler");

} // namespace
} // namespace heddle::mem
