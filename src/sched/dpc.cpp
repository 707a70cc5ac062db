#include "sched/pc_table.h"
#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Program counter (DWF07 4.3): the smallest PC first, so that threads left behind catch up in code laid out in order.
// Of its units the oldest (assumed).
class ProgramCounter final : public Scheduler {
public:
    ProgramCounter(const Share& share, const config::Machine& /*machine*/) : table_(share.units, share.units) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        using Entry = PcTable::Entry;
        return table_.oldest(
            table_.best(can_issue, PcTable::kNone, [](const Entry& a, const Entry& b) { return a.pc < b.pc; }),
            can_issue);
    }

    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc pc, unsigned threads) override {
        table_.enter(unit, pc, threads);
    }
    void left(UnitId unit) override {
        table_.leave(unit);
    }

private:
    PcTable table_;
};

HEDDLE_SCHEDULER(ProgramCounter, "dpc", "the unit at the smallest PC", "DWF07 4.3");

} // namespace
} // namespace heddle::sched
