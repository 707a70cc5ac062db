#include "sched/pc_table.h"
#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Minority (DWF07 4.3): the PC with the fewest threads in the scheduler, so that threads left behind catch up. Of equal
// PCs the smaller, of its units the oldest; the table has as many PCs as there are units (assumed).
class Minority final : public Scheduler {
public:
    Minority(const Share& share, const config::Machine& /*machine*/) : table_(share.units, share.units) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        using Entry = PcTable::Entry;
        const PcTable::EntryId fewest = table_.best(can_issue, PcTable::kNone, [](const Entry& a, const Entry& b) {
            return a.threads != b.threads ? a.threads < b.threads : a.pc < b.pc;
        });
        return table_.oldest(fewest, can_issue);
    }

    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc pc, unsigned threads) override {
        table_.enter(unit, pc, threads);
    }
    void grew(UnitId unit, unsigned threads) override {
        table_.grow(unit, threads);
    }
    void left(UnitId unit) override {
        table_.leave(unit);
    }

private:
    PcTable table_;
};

HEDDLE_SCHEDULER(Minority, "dmin", "the oldest unit at the PC with the fewest threads", "DWF07 4.3");

} // namespace
} // namespace heddle::sched
