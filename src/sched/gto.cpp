#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// For each of up to 64 units, a mask of older units: the oldest of a set is found in a few steps, whatever its size. Of
// units with equal age the one with the lower number is the older.
class AgeOrder {
public:
    void rebuild(const warp::UnitTable& units) {
        std::array<std::pair<std::uint64_t, unsigned>, 64> by_age;
        for (unsigned u = 0; u < units.capacity(); ++u)
            by_age[u] = {units.birth()[u], u};
        std::sort(by_age.begin(), by_age.begin() + units.capacity());
        std::uint64_t older = 0;
        for (unsigned i = 0; i < units.capacity(); ++i) {
            older_[by_age[i].second] = older;
            older |= std::uint64_t{1} << by_age[i].second;
        }
    }
    // `units` is not empty.
    [[nodiscard]] UnitId oldest(std::uint64_t units) const {
        auto unit = static_cast<unsigned>(std::countr_zero(units));
        for (std::uint64_t older = units & older_[unit]; older != 0; older &= older_[unit])
            unit = static_cast<unsigned>(std::countr_zero(older));
        return static_cast<UnitId>(unit);
    }

private:
    std::array<std::uint64_t, 64> older_{}; // by unit
};

// Greedy then oldest: the unit that issued last while it can issue, else the unit that was made first.
class GreedyThenOldest final : public Scheduler {
public:
    GreedyThenOldest(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        const auto& birth = view.units.birth();
        if (last_ != kNoUnit && can_issue.contains(last_) && birth[last_] == born_) // not a new unit with its number
            return last_;
        last_ = knows_ages(view.units) ? ages_.oldest(can_issue.word(0)) : search(can_issue, birth);
        born_ = birth[last_];
        return last_;
    }

private:
    // Whether the order of ages is up to date. It is brought up to date when about kWorthwhile picks followed without a
    // new unit: then it pays for itself.
    bool knows_ages(const warp::UnitTable& units) {
        if (units.birth_changes() == ordered_at_) [[likely]]
            return true;
        if (units.birth_changes() != seen_) {
            seen_ = units.birth_changes();
            picks_ = 0;
        }
        if (++picks_ < kWorthwhile || units.capacity() > 64)
            return false;
        ages_.rebuild(units);
        ordered_at_ = seen_;
        return true;
    }
    [[nodiscard]] static UnitId search(const UnitSet& can_issue, const std::vector<std::uint64_t>& birth) {
        UnitId oldest = kNoUnit;
        std::uint64_t born = ~std::uint64_t{0};
        can_issue.for_each([&](UnitId unit) {
            const bool older = birth[unit] < born; // no branch: it could not be predicted
            oldest = older ? unit : oldest;
            born = older ? birth[unit] : born;
        });
        return oldest;
    }

    static constexpr unsigned kWorthwhile = 32;

    UnitId last_ = kNoUnit;
    std::uint64_t born_ = 0; // when last_ was made
    AgeOrder ages_;
    std::uint64_t ordered_at_ = ~std::uint64_t{0}; // UnitTable::birth_changes()
    std::uint64_t seen_ = ~std::uint64_t{0};       // UnitTable::birth_changes() at the last pick
    unsigned picks_ = 0;                           // picks since birth_changes() changed
};

HEDDLE_SCHEDULER(GreedyThenOldest, "gto",
                 "greedy then oldest: the unit that issued last while it can issue, else the oldest", "PRO II");

} // namespace
} // namespace heddle::sched
