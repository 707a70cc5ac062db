#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sched/known_units.h"
#include "sched/scheduler.h"
#include "sched/unit_list.h"

namespace heddle::sched {

struct TlConfig {
    static constexpr std::string_view kSection = "tl";
    std::uint64_t active = 6;
    std::uint64_t patience = 1000;
    static std::span<const config::Parameter<TlConfig>> parameters() {
        static const config::Parameter<TlConfig> table[] = {
            {"active", &TlConfig::active, "units", "1..2048",
             "active units of a scheduler, which issue in turn; its other units are in a queue",
             "PRO IV names the scheduler; 6 as GPGPU-Sim's GTX 480 has it"},
            {"patience", &TlConfig::patience, "cycles", "0..1000000",
             "cycles without an active unit that can issue, while queued units can, before these issue out of turn",
             "GPGPU-Sim: for ever"},
        };
        return table;
    }
};

struct TlStats {
    std::uint64_t demotions = 0, promotions = 0, left_empty = 0, out_of_turn = 0;
    static std::span<const stats::Statistic<TlStats>> statistics() {
        using S = TlStats;
        static const stats::Statistic<S> table[] = {
            {"demotions", &S::demotions, "units",
             "units that left the active set because of a wait for memory or at a barrier"},
            {"promotions", &S::promotions, "units", "units that entered the active set, including the first ones"},
            {"out_of_turn", &S::out_of_turn, "picks",
             "picks of units that were not active, after tl.patience cycles in which no active unit could issue"},
            {"left_empty", &S::left_empty, "slots",
             "slots left empty because only units that were not active could issue"},
        };
        return table;
    }
};

namespace {

// The two-level scheduler that PRO IV compares with is that of GPGPU-Sim: a few active units issue, loosely
// round-robin. An active unit that waits for a long-latency operation or at a barrier goes to the end of a queue, and
// the unit at the head of the queue becomes active.
//
// In GPGPU-Sim the head becomes active even if it waits, and goes back a cycle later. Here the first unit of the queue
// that does not wait becomes active at once (assumed; it only differs in these cycles, and nothing happens in a cycle
// without a pick). When all units of the queue wait, places stay free.
//
// A slot is empty when no active unit can issue: other units are not considered. But active units may wait for threads
// of units in the queue (the rest of their PTX warp, or a compaction block). So when no active unit could issue for
// tl.patience cycles, the first unit of the queue that can issue does so, goes to the end of the queue, and does not
// become active (assumed).
class TwoLevelActive final : public Scheduler {
public:
    TwoLevelActive(const Share& share, const config::Machine& machine)
        : places_(machine.get<TlConfig>().active), patience_(machine.get<TlConfig>().patience), known_(share.units),
          active_set_(share.units), links_(share.units) {
        active_.reserve(std::min<std::size_t>(places_, share.units));
    }

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) override {
        known_.update(
            can_issue, view.units, [this](UnitId unit) { forget(unit); },
            [this](UnitId unit) { links_.append(pending_, unit); });
        demote(view);
        promote(view);
        const auto first =
            std::find_if(active_.begin(), active_.end(), [&](UnitId unit) { return can_issue.contains(unit); });
        if (first != active_.end()) {
            std::rotate(active_.begin(), first + 1, active_.end());
            empty_since_ = kNever;
            return active_.back();
        }
        empty_since_ = std::min(empty_since_, now);
        if (now - empty_since_ < patience_) {
            ++stats_.left_empty;
            return kNoUnit;
        }
        const UnitId unit = links_.first_of(pending_, can_issue);
        links_.remove(pending_, unit);
        links_.append(pending_, unit);
        ++stats_.out_of_turn;
        return unit;
    }

    const UnitSet* considered() const override {
        return &active_set_;
    }

    std::string trace() const override {
        return fmt::format("active:{}", fmt::join(active_, ","));
    }

    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("tl", stats_);
    }

    std::string objection(const warp::UnitTraits& units) const override {
        return units.die_at_issue ? "it keeps units that wait in a queue, and a unit ends when it issues" : "";
    }

private:
    void forget(UnitId unit) {
        if (const auto place = std::find(active_.begin(), active_.end(), unit); place != active_.end()) {
            active_.erase(place);
            active_set_.erase(unit);
        } else {
            links_.remove(pending_, unit);
        }
    }

    void demote(const warp::View& view) {
        std::size_t kept = 0;
        for (const UnitId unit : active_) {
            if (view.is_stalled(unit)) {
                links_.append(pending_, unit);
                active_set_.erase(unit);
            } else {
                active_[kept++] = unit;
            }
        }
        stats_.demotions += active_.size() - kept;
        active_.resize(kept);
    }

    void promote(const warp::View& view) {
        for (UnitId unit = pending_.first; unit != kNoUnit && active_.size() < places_;) {
            const UnitId next = links_.next(unit);
            if (!view.is_stalled(unit)) {
                links_.remove(pending_, unit);
                active_.push_back(unit);
                active_set_.insert(unit);
                ++stats_.promotions;
            }
            unit = next;
        }
    }

    const std::size_t places_;
    const Cycle patience_;
    Cycle empty_since_ = kNever; // since when no active unit could issue
    KnownUnits known_;
    std::vector<UnitId> active_; // in the order of their turns
    UnitSet active_set_;         // the same units
    UnitLinks links_;
    UnitLinks::List pending_;
    TlStats stats_;
};

HEDDLE_SCHEDULER(
    TwoLevelActive, "tl",
    "two levels: a few active units take turns; an active unit that waits is replaced by the first of a queue",
    "PRO IV; GPGPU-Sim");

} // namespace
} // namespace heddle::sched

HEDDLE_CONFIG_SECTION(heddle::sched::TlConfig, "the scheduler with a few active units")
HEDDLE_STATISTICS(heddle::sched::TlStats, "tl", "changes of the active units")
