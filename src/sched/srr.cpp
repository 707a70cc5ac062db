#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Stays with a block while it has a ready unit, round-robin inside the block; then takes the next block slot with one,
// in cyclic order.
class StickyRoundRobin final : public Scheduler {
public:
    StickyRoundRobin(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        UnitId first = kNoUnit; // the first ready unit of the nearest block, in cyclic order after the last unit
        unsigned nearest = kBlocks;
        for (UnitId unit = can_issue.next_after(last_), begin = unit;;) {
            const unsigned distance = (view.units.block[unit] + kBlocks - block_) % kBlocks;
            if (distance < nearest) {
                nearest = distance;
                first = unit;
            }
            unit = can_issue.next_after(unit);
            if (nearest == 0 || unit == begin)
                break;
        }
        block_ = view.units.block[first];
        last_ = first;
        return first;
    }

    std::string objection(const warp::UnitTraits& units) const override {
        return units.span_blocks ? "it stays with a block, and a unit may hold threads of several" : "";
    }

private:
    static constexpr unsigned kBlocks = 1U << 16; // more than there are slots

    unsigned block_ = 0;
    UnitId last_ = UnitSet::kCapacity - 1; // unit 0 goes first
};

HEDDLE_SCHEDULER(StickyRoundRobin, "srr",
                 "round-robin over the current block's units while one is ready, then the next block",
                 "LWM11 5; rule assumed");

} // namespace
} // namespace heddle::sched
