#include "mem/cache/prefetcher.h"

namespace heddle::mem {
namespace {

// Tagged: the first use of a prefetched line requests lines, later uses do not.
class NextLine final : public Prefetcher {
public:
    explicit NextLine(const PrefetcherShape& shape) : shape_(shape) {}

    void access(const CacheAccess& access, Found found, PrefetchQueue& queue) override {
        if (found.hit && !found.first_use)
            return;
        for (unsigned n = 0; n < shape_.degree; ++n)
            queue.ask(access.address + (Address{shape_.distance + n} << shape_.line_shift), access);
    }

private:
    PrefetcherShape shape_;
};

HEDDLE_PREFETCHER(NextLine, "next-line",
                  "after a miss, and after the first use of a prefetched line: prefetch_degree lines from the "
                  "prefetch_distance-th next one on",
                  "Smith, Cache Memories, ACM Computing Surveys 1982 (tagged prefetch)");

} // namespace
} // namespace heddle::mem
