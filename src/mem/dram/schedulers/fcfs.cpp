#include "mem/dram/scheduler.h"

namespace heddle::mem {
namespace {

// Data move in order of arrival; banks open rows ahead for younger requests, as in the simple model.
class Fcfs final : public DramScheduler {
public:
    explicit Fcfs(const DramConfig& /*config*/) {}

    DramSlot serve(unsigned bank, const DramQueue& queue) override {
        return queue.oldest(bank);
    }
    bool restricts_transfers() const override {
        return true;
    }
    BankMask may_transfer(const DramQueue& queue) override {
        const DramSlot oldest = queue.oldest();
        return oldest == kNoDramSlot ? 0 : BankMask{1} << queue[oldest].place.bank;
    }
};

HEDDLE_DRAM_SCHEDULER(Fcfs, "fcfs", "first come first served; banks open rows ahead",
                      "Rixner et al., ISCA 2000: in order");

} // namespace
} // namespace heddle::mem
