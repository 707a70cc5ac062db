#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Post-dominator priority (DWF07 4.3): the unit that has passed the fewest post-dominators, so that threads which fall
// behind after a branch catch up. One that stands at a branch's post-dominator counts as past it: it waits for the
// others there. On ties the fuller one, then the older (assumed).
class PostDominatorPriority final : public Scheduler {
public:
    PostDominatorPriority(unsigned /*units*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        UnitId best = kNoUnit;
        std::uint32_t fewest = 0;
        const warp::UnitTable& units = view.units;
        can_issue.for_each([&](UnitId u) {
            if (best != kNoUnit && units.hint[u] > fewest)
                return;
            const std::uint32_t passed = units.hint[u] + (view.program->ops[units.pc[u]].meets ? 1 : 0);
            if (best == kNoUnit || passed < fewest || (passed == fewest && goes_first(units, u, best))) {
                best = u;
                fewest = passed;
            }
        });
        return best;
    }

    std::string objection(const warp::UnitTraits& units) const override {
        return units.count_postdominators ? "" : "its units do not count the post-dominators they have passed";
    }

private:
    static bool goes_first(const warp::UnitTable& units, UnitId a, UnitId b) {
        return units.threads[a] != units.threads[b] ? units.threads[a] > units.threads[b]
                                                    : units.birth[a] < units.birth[b];
    }
};

HEDDLE_SCHEDULER(PostDominatorPriority, "dpdpri", "the unit that has passed the fewest post-dominators of branches",
                 "DWF07 4.3");

} // namespace
} // namespace heddle::sched
