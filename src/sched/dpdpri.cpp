#include <bit>
#include <vector>

#include "formation/dwf_units.h"
#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Post-dominator priority (DWF07 4.3): the unit that has passed the fewest post-dominators, so that threads that fall
// behind after a branch catch up. A unit at a branch's post-dominator counts as past it: it waits for other threads
// there. Of equal units the one with more threads, then the older one (assumed).
//
// There may be as many units as threads, so the units are in a tournament tree. Node i holds the better of nodes 2i and
// 2i + 1, the leaf of unit u is leaves_ + u, and the winner is in node 1.
class PostDominatorPriority final : public Scheduler {
public:
    PostDominatorPriority(const Share& share, const config::Machine& /*machine*/)
        : leaves_(std::bit_ceil(share.units)), best_(2 * std::size_t{leaves_}, kNoUnit), rank_(share.units),
          is_noted_(share.units) {
        noted_.reserve(share.units);
    }

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        for (const UnitId u : noted_) {
            is_noted_.erase(u);
            const std::uint32_t passed =
                formation::postdominators_passed(view.units, u) + (view.program->ops[view.units.pc[u]].meets ? 1 : 0);
            rank_[u] = {passed, view.units.threads[u], view.units.birth()[u]};
            play(u, u);
        }
        noted_.clear();
        UnitId best = best_[1];
        if (best != kNoUnit && can_issue.contains(best))
            return best;
        best = kNoUnit; // some units wait for their instructions
        can_issue.for_each([&](UnitId u) { best = better(best, u); });
        return best;
    }

    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc /*pc*/, unsigned /*threads*/) override {
        note(unit);
    }
    void grew(UnitId unit, unsigned /*threads*/) override {
        note(unit);
    }
    void left(UnitId unit) override {
        play(unit, kNoUnit);
    }

    std::string objection(const warp::UnitTraits& units) const override {
        return units.formation_word == formation::kPostdominatorsPassed
                   ? ""
                   : "its units do not count the post-dominators they have passed";
    }

private:
    struct Rank {
        std::uint32_t passed = 0;
        unsigned threads = 0;
        std::uint64_t birth = 0;
    };

    [[nodiscard]] UnitId better(UnitId a, UnitId b) const {
        if (a == kNoUnit || b == kNoUnit)
            return a == kNoUnit ? b : a;
        const Rank &x = rank_[a], &y = rank_[b];
        if (x.passed != y.passed)
            return x.passed < y.passed ? a : b;
        if (x.threads != y.threads)
            return x.threads > y.threads ? a : b;
        return x.birth < y.birth ? a : b;
    }
    // A unit has changed. What ranks it is not known here, so it is ranked at the next pick.
    void note(UnitId unit) {
        if (is_noted_.contains(unit))
            return;
        is_noted_.insert(unit);
        noted_.push_back(unit);
    }
    // Puts `who` (the unit, or kNoUnit to remove it) in the unit's leaf.
    void play(UnitId unit, UnitId who) {
        std::size_t node = leaves_ + std::size_t{unit};
        best_[node] = who;
        while ((node /= 2) != 0) {
            const UnitId winner = better(best_[2 * node], best_[2 * node + 1]);
            if (winner == best_[node] && winner != unit)
                return; // neither the old nor the new unit wins here
            best_[node] = winner;
        }
    }

    const unsigned leaves_;
    std::vector<UnitId> best_;
    std::vector<Rank> rank_;
    std::vector<UnitId> noted_; // units that entered or grew since the last pick
    UnitSet is_noted_;
};

HEDDLE_SCHEDULER(PostDominatorPriority, "dpdpri", "the unit that has passed the fewest post-dominators of branches",
                 "DWF07 4.3");

} // namespace
} // namespace heddle::sched
