#include "mem/dram/scheduler.h"

namespace heddle::mem {
namespace {

class FrFcfs final : public DramScheduler {
public:
    explicit FrFcfs(const DramConfig& /*config*/) {}

    DramSlot serve(unsigned bank, const DramQueue& queue) override {
        const DramSlot hit = queue.oldest_hit(bank);
        return hit != kNoDramSlot ? hit : queue.oldest(bank);
    }
};

HEDDLE_DRAM_SCHEDULER(FrFcfs, "frfcfs", "row hits first, then the oldest", "Rixner et al., ISCA 2000: first-ready");

} // namespace
} // namespace heddle::mem
