#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Greedy then oldest: the unit that issued last as long as it can, else the one that was made first.
class GreedyThenOldest final : public Scheduler {
public:
    GreedyThenOldest(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        const auto& birth = view.units.birth;
        if (last_ != kNoUnit && can_issue.contains(last_) && birth[last_] == born_) // not another with its number
            return last_;
        UnitId oldest = kNoUnit;
        std::uint64_t born = ~std::uint64_t{0};
        can_issue.for_each([&](UnitId unit) {
            const bool older = birth[unit] < born; // anybody's guess: no branch
            oldest = older ? unit : oldest;
            born = older ? birth[unit] : born;
        });
        born_ = born;
        return last_ = oldest;
    }

private:
    UnitId last_ = kNoUnit;
    std::uint64_t born_ = 0; // when it was made
};

HEDDLE_SCHEDULER(GreedyThenOldest, "gto", "the last unit as long as it can issue, else the oldest", "PRO II");

} // namespace
} // namespace heddle::sched
