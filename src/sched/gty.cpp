#include <algorithm>
#include <vector>

#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Greedy then youngest: the unit that issued last while it can issue, else the unit that was made last. What the
// compiler says of a stall or a yield is in the control bits: such a unit cannot issue.
//
// Younger units that spin until an older one sets a word may issue in every cycle in which it could. A unit that is
// passed over for kPatience cycles goes first for kTurn cycles (both assumed: the paper says nothing of it).
class GreedyThenYoungest final : public Scheduler {
public:
    GreedyThenYoungest(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) override {
        const auto& birth = view.units.birth();
        if (now >= next_look_) [[unlikely]]
            look_for_starved(can_issue, birth.size(), now);
        if (starved_ != kNoUnit && can_issue.contains(starved_)) [[unlikely]]
            return issue(starved_, birth[starved_]);
        if (last_ != kNoUnit && can_issue.contains(last_) && birth[last_] == born_) // not a new unit with its number
            return issue(last_, born_);
        UnitId youngest = kNoUnit;
        std::uint64_t born = 0;
        can_issue.for_each([&](UnitId unit) {
            const bool younger = youngest == kNoUnit || birth[unit] >= born;
            youngest = younger ? unit : youngest;
            born = younger ? birth[unit] : born;
        });
        return issue(youngest, born);
    }

private:
    static constexpr Cycle kPatience = 16384, kTurn = 1024, kBetweenLooks = 64;

    UnitId issue(UnitId unit, std::uint64_t born) {
        last_ = unit;
        born_ = born;
        if (unit < passed_over_.size())
            passed_over_[unit] = 0;
        return unit;
    }

    // Every kBetweenLooks cycles: a unit that can issue and has issued nothing since is passed over.
    void look_for_starved(const UnitSet& can_issue, std::size_t units, Cycle now) {
        next_look_ = now + kBetweenLooks;
        passed_over_.resize(std::max(passed_over_.size(), units), 0);
        if (now >= turn_ends_)
            starved_ = kNoUnit;
        can_issue.for_each([&](UnitId unit) {
            if (++passed_over_[unit] >= kPatience / kBetweenLooks && starved_ == kNoUnit) {
                starved_ = unit;
                turn_ends_ = now + kTurn;
            }
        });
    }

    UnitId last_ = kNoUnit;
    std::uint64_t born_ = 0; // when last_ was made
    UnitId starved_ = kNoUnit;
    Cycle next_look_ = 0, turn_ends_ = 0;
    std::vector<std::uint16_t> passed_over_; // by unit: looks since it issued at which it could
};

HEDDLE_SCHEDULER(GreedyThenYoungest, "gty",
                 "greedy then youngest: the unit that issued last while it can issue, else the youngest",
                 "Huerta et al., MICRO 2025, 4.1");

} // namespace
} // namespace heddle::sched
