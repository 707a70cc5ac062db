#include <bit>
#include <string>

#include <fmt/format.h>

#include "sched/pc_table.h"
#include "sched/scheduler.h"
#include "stats/statistic.h"

namespace heddle::sched {

struct DmajConfig {
    static constexpr std::string_view kSection = "dmaj";
    std::uint64_t entries = 32;
    std::string ties = "pc";
    static std::span<const config::Parameter<DmajConfig>> parameters() {
        static const config::Parameter<DmajConfig> table[] = {
            {"entries", &DmajConfig::entries, "PCs", "1..2048",
             "PCs whose threads are counted; units at other PCs wait until an entry is free", "DWF07 4.3, Table 1"},
            {"ties", &DmajConfig::ties, "", "pc|first",
             "which of several PCs with equally many threads is chosen. pc: the smallest; first: the one that has been "
             "in the table for the longest time",
             "assumed"},
        };
        return table;
    }
};

struct DmajStats {
    std::uint64_t choices = 0;
    std::uint64_t overflows = 0;
    static std::span<const stats::Statistic<DmajStats>> statistics() {
        using S = DmajStats;
        static const stats::Statistic<S> table[] = {
            {"choices", &S::choices, "PCs", "choices of a PC; all its units then issue"},
            {"overflows", &S::overflows, "units",
             "units that came to the scheduler while the table had no entry for their PC"},
        };
        return table;
    }
};

namespace {

// Majority (DWF07 4.3): the PC with the most threads in the scheduler; dmaj.ties says which of equal ones. All units of
// this PC issue, the oldest first, also units that come meanwhile; then a PC is chosen again. (Order and ties are
// assumed.) While units of the chosen PC wait for their instruction, units of another PC issue (assumed).
class Majority final : public Scheduler {
public:
    Majority(const Share& share, const config::Machine& machine)
        : units_(share.units), entries_(static_cast<unsigned>(machine.get<DmajConfig>().entries)),
          first_of_ties_(machine.get<DmajConfig>().ties == "first"), table_(entries_, share.units) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        if (chosen_ != PcTable::kNone)
            if (const UnitId unit = table_.oldest(chosen_, can_issue); unit != kNoUnit)
                return unit;
        using Entry = PcTable::Entry;
        const PcTable::EntryId most = table_.best(can_issue, chosen_, [this](const Entry& a, const Entry& b) {
            if (a.threads != b.threads)
                return a.threads > b.threads;
            return first_of_ties_ ? a.number < b.number : a.pc < b.pc;
        });
        if (most == PcTable::kNone)
            return table_.oldest_uncounted(can_issue);
        if (chosen_ == PcTable::kNone) {
            chosen_ = most;
            ++stats_.choices;
        }
        return table_.oldest(most, can_issue);
    }

    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc pc, unsigned threads) override {
        stats_.overflows += table_.enter(unit, pc, threads) ? 0 : 1;
    }
    void grew(UnitId unit, unsigned threads) override {
        table_.grow(unit, threads);
    }
    void left(UnitId unit) override {
        if (table_.leave(unit) == chosen_)
            chosen_ = PcTable::kNone;
    }

    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("dmaj", stats_);
    }
    // DWF07 Table 1: 32 entries of 40 bits, 1.511 mm2, for 256 warps.
    std::vector<cost::HardwareCost> hardware_cost() const override {
        const auto counter = static_cast<unsigned>(std::bit_width(units_ - 1));
        return {{.structure = "issue logic (majority)",
                 .entries = entries_,
                 .bits = 32 + counter,
                 .source = "DWF07 Table 1, 4.4",
                 .note = fmt::format("PC 32, counter {}; fully associative", counter),
                 .mm2 = 1.511,
                 .mm2_bits = 1280}};
    }

private:
    const unsigned units_;
    const unsigned entries_;
    const bool first_of_ties_;
    PcTable table_;
    PcTable::EntryId chosen_ = PcTable::kNone;
    DmajStats stats_;
};

HEDDLE_SCHEDULER(Majority, "dmaj", "all units at the PC with the most threads, then a new PC is chosen", "DWF07 4.3");

} // namespace
} // namespace heddle::sched

HEDDLE_CONFIG_SECTION(heddle::sched::DmajConfig, "the majority scheduler")
HEDDLE_STATISTICS(heddle::sched::DmajStats, "dmaj", "majority scheduler: choices of the PC")
