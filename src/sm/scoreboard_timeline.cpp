// What the scoreboarded core tells a timeline beside what its threads, its blocks and its way to memory do
// (residents_timeline.cpp, memory_port.cpp). A unit waits for memory while its next instruction needs what a long
// operation writes, or while it drains.
#include "sm/scoreboard_core.h"

namespace heddle::sm {

void ScoreboardCore::record(probe::Timeline& timeline) {
    timeline_ = residents_.timeline = memory_.timeline = &timeline;
    sample_due_ = timeline.residency.due();
}

probe::SmShape ScoreboardCore::shape() const {
    return {units_.capacity(), static_cast<unsigned>(residents_.config.threads / residents_.config.width),
            static_cast<unsigned>(residents_.config.blocks)};
}

void ScoreboardCore::sample(Cycle clock) {
    timeline_->sample(clock, block_order());
    sample_due_ = timeline_->residency.due();
}

// Instructions may have come: who waited for them need not any more.
void ScoreboardCore::record_fill(Cycle now) {
    timeline_->units.waiting(probe::Activity::Instructions).for_each([&](UnitId unit) {
        if (!front_.waits(unit))
            timeline_->units.goes_on(unit, probe::Activity::Instructions, now);
    });
}

} // namespace heddle::sm
