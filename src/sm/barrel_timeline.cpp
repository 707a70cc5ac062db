// What the barrel core tells a timeline beside what its threads, its blocks and its way to memory do
// (residents_timeline.cpp, memory_port.cpp).
#include "sm/barrel.h"

namespace heddle::sm {

void Barrel::record(probe::Timeline& timeline) {
    timeline_ = residents_.timeline = memory_.timeline = &timeline;
    sample_due_ = timeline.residency.due();
}

probe::SmShape Barrel::shape() const {
    return {units_.capacity(), static_cast<unsigned>(residents_.config.threads / residents_.config.width),
            static_cast<unsigned>(residents_.config.blocks)};
}

void Barrel::sample(Cycle clock) {
    timeline_->sample(clock, scheduler_->block_order(view_));
    sample_due_ = timeline_->residency.due();
}

// Instructions have come: who waited for them need not any more.
void Barrel::record_fill(Cycle now) {
    timeline_->units.waiting(probe::Activity::Instructions).for_each([&](UnitId unit) {
        if (!blocked_.contains(unit))
            timeline_->units.goes_on(unit, probe::Activity::Instructions, now);
    });
}

} // namespace heddle::sm
