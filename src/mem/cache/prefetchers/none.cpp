#include "mem/cache/prefetcher.h"

namespace heddle::mem {
namespace {

class NoPrefetcher final : public Prefetcher {
public:
    explicit NoPrefetcher(const PrefetcherShape& /*shape*/) {}

    bool asks() const override {
        return false;
    }
    void access(const CacheAccess& /*access*/, Found /*found*/, PrefetchQueue& /*queue*/) override {}
};

HEDDLE_PREFETCHER(NoPrefetcher, "none", "lines are fetched when they miss", "every machine of the papers");

} // namespace
} // namespace heddle::mem
