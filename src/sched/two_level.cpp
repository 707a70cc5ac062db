#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sched/scheduler.h"

namespace heddle::sched {

struct TwoLevelConfig {
    static constexpr std::string_view kSection = "two-level";
    std::uint64_t group = 8;
    bool strict = false;
    std::uint64_t timeout = 0;
    static std::span<const config::Parameter<TwoLevelConfig>> parameters() {
        using C = TwoLevelConfig;
        static const config::Parameter<C> table[] = {
            {"group", &C::group, "units", "1..2048",
             "units of a fetch group, by unit number; in a core with several schedulers, units of one scheduler",
             "LWM11 3.2"},
            {"strict", &C::strict, "", "",
             "only the current group issues, until none of its units can be scheduled or is in the pipeline",
             "LWM10 3.2"},
            {"timeout", &C::timeout, "instructions", "0..4294967296",
             "instructions fetched by the first group after which it becomes the last; 0: never",
             "LWM11 3.3: 32768 for groups of one large warp"},
        };
        return table;
    }
};

// In the strict form the current group counts as the first.
struct TwoLevelStats {
    std::uint64_t switches = 0, strict_switches = 0, timeouts = 0;
    static std::span<const stats::Statistic<TwoLevelStats>> statistics() {
        using S = TwoLevelStats;
        static const stats::Statistic<S> table[] = {
            {"switches", &S::switches, "switches",
             "the first fetch group became the last because none of its units could continue without others, while a "
             "unit of another group could"},
            {"strict_switches", &S::strict_switches, "switches",
             "the current group was left because none of its units could be scheduled (two-level.strict)"},
            {"timeouts", &S::timeouts, "switches",
             "the first group became the last because it had fetched two-level.timeout instructions"},
        };
        return table;
    }
};

namespace {

// Fetch groups ordered by rank, round-robin inside a group (LWM11 3.2, LWM10 3.2). Each scheduler of a core has its own
// groups.
//
// The first group becomes the last when all its living units are stalled (they wait for a long-latency operation, or at
// a barrier) and another group has a unit that is not. At most one group moves in a cycle. Lower groups issue when the
// first has no ready unit. Ranks are updated when a unit is picked: nothing depends on them between picks.
class TwoLevel final : public Scheduler {
public:
    TwoLevel(const Share& share, const config::Machine& machine)
        : config_(machine.get<TwoLevelConfig>()), own_(share.own()),
          span_(static_cast<unsigned>(config_.group) * share.count),
          last_(std::max<std::uint64_t>((share.size() + config_.group - 1) / config_.group, 1)) {
        for (unsigned g = 0; g < last_.size(); ++g) {
            rank_.push_back(g);
            last_[g] = static_cast<UnitId>((g + 1) * span_ - 1); // the lowest unit goes first
        }
    }

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) override {
        if (!config_.strict)
            rotate(view, now);
        for (const unsigned group : rank_)
            if (const UnitId unit = next_of(group, can_issue); unit != kNoUnit)
                return take(group, unit);
        return kNoUnit; // not reached: the set has a member
    }

    std::string trace() const override {
        return fmt::format("first:{}", rank_.front());
    }

    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("two-level", stats_);
    }

    std::vector<cost::HardwareCost> hardware_cost() const override {
        return {{.structure = "fetch groups",
                 .source = "LWM11 3.4, LWM10 3.3",
                 .note = "\"does not require any additional storage\": logic in the fetch stage; the papers count no "
                         "bits for ranks, places in a group and the timeout"}};
    }

    std::string objection(const warp::UnitTraits& units) const override {
        return units.die_at_issue ? "its groups are of units that live on, and a unit ends when it issues" : "";
    }

private:
    void rotate(const warp::View& view, Cycle now) {
        for (Cycle cycles = now - seen_; cycles != 0 && is_stalled(rank_.front(), view); --cycles) {
            if (std::all_of(rank_.begin() + 1, rank_.end(), [&](unsigned g) { return is_stalled(g, view); }))
                break;
            demote();
            ++stats_.switches;
        }
        seen_ = now;
    }

    void demote() {
        std::rotate(rank_.begin(), rank_.begin() + 1, rank_.end());
        fetched_ = 0;
    }

    // Whether no living unit of the group can continue without others.
    [[nodiscard]] bool is_stalled(unsigned group, const warp::View& view) const {
        const unsigned end = (group + 1) * span_;
        for (unsigned u = view.units.alive.first_from(group * span_); u < end; u = view.units.alive.first_from(u + 1)) {
            const auto unit = static_cast<UnitId>(u);
            if (own_.contains(unit) && !view.is_stalled(unit))
                return false;
        }
        return true;
    }

    // The group's next ready unit after its last one; kNoUnit when none is ready.
    [[nodiscard]] UnitId next_of(unsigned group, const UnitSet& can_issue) const {
        const unsigned begin = group * span_;
        const unsigned end = begin + span_;
        if (const UnitId behind = can_issue.first_from(last_[group] + 1U); behind < end)
            return behind;
        const UnitId first = can_issue.first_from(begin);
        return first < end ? first : kNoUnit;
    }

    UnitId take(unsigned group, UnitId unit) {
        last_[group] = unit;
        if (config_.strict && rank_.front() != group) { // the next group in turn starts here
            ++stats_.strict_switches;
            while (rank_.front() != group)
                demote();
        }
        if (group == rank_.front() && config_.timeout != 0 && ++fetched_ >= config_.timeout) {
            demote();
            ++stats_.timeouts;
        }
        return unit;
    }

    const TwoLevelConfig config_;
    const UnitSet own_;
    const unsigned span_;        // unit numbers from one group to the next
    std::vector<unsigned> rank_; // groups in the order of their rank
    std::vector<UnitId> last_;   // unit that went last, by group
    Cycle seen_ = 0;             // the cycle in which ranks were up to date
    std::uint64_t fetched_ = 0;  // picks of the first group since it became the first
    TwoLevelStats stats_;
};

HEDDLE_SCHEDULER(
    TwoLevel, "two-level",
    "fetch groups ordered by rank; the first group becomes the last when all its units wait for memory or a barrier",
    "LWM11 3.2, LWM10 3.2");

} // namespace
} // namespace heddle::sched

HEDDLE_CONFIG_SECTION(heddle::sched::TwoLevelConfig, "the two-level scheduler")
HEDDLE_STATISTICS(heddle::sched::TwoLevelStats, "two-level", "switches between fetch groups")
