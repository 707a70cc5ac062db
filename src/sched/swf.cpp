#include "formation/maws_units.h"
#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Shallowest warp first (MAWS 5.6): the unit with the earliest expected miss, so that its request leaves early. Units
// of equal depth take turns (assumed).
class ShallowestFirst final : public Scheduler {
public:
    ShallowestFirst(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        const UnitId first = can_issue.next_after(last_);
        UnitId best = first;
        for (UnitId u = can_issue.next_after(first); u != first; u = can_issue.next_after(u))
            if (cycles_left(view, u) < cycles_left(view, best))
                best = u;
        return last_ = best;
    }

    std::string objection(const warp::UnitTraits& units) const override {
        if (units.formation_word == formation::kMissFreeCyclesLeft)
            return {};
        return "it orders units by the cycles left before they miss, which only formation 'maws' counts";
    }

    // MAWS 5.6: a second register beside MFC, of the same width.
    std::vector<cost::HardwareCost> hardware_cost() const override {
        return {{.structure = "remaining miss-free cycles",
                 .source = "MAWS 5.6",
                 .note = "a register a warp-split, loaded from its MFC counter; no width is given"}};
    }

private:
    [[nodiscard]] static std::uint32_t cycles_left(const warp::View& view, UnitId unit) {
        return formation::miss_free_cycles_left(view.units, unit);
    }

    UnitId last_ = UnitSet::kCapacity - 1; // unit 0 goes first
};

HEDDLE_SCHEDULER(ShallowestFirst, "swf", "the warp-split with the fewest miss-free cycles left", "MAWS 5.6");

} // namespace
} // namespace heddle::sched
