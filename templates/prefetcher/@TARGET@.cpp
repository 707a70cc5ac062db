// @NAME@: a prefetcher.
#include "config/plugin.h"
#include "mem/cache/prefetcher.h"

namespace {

using namespace heddle;
using namespace heddle::mem;

class @TYPE@ final : public Prefetcher {
public:
    explicit @TYPE@(const PrefetcherShape& shape) : line_(Address{1} << shape.line_shift) {}

    void access(const CacheAccess& access, Found found, PrefetchQueue& queue) override {
        if (!found.hit)
            queue.ask(access.address ^ line_, access);
    }

private:
    Address line_; // bytes
};

HEDDLE_PREFETCHER(@TYPE@, "@NAME@", "the other line of an aligned pair, when one misses", "example");

} // namespace

HEDDLE_PLUGIN("@NAME@", "the prefetcher @NAME@")
