// The figures of a row of a profile, by name: what tables show, `--sort` sorts by and pages colour.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/profile/rows.h"

namespace heddle::report {

class ProfileColumn {
public:
    // "cost", "slots", "stalled", "waited_for", "with_inlined", a counter of probe::kCounterInfo, a ratio of counters,
    // a cause of probe::kSlots. Nothing for another name.
    [[nodiscard]] static std::optional<ProfileColumn> find(std::string_view name);
    // As find. Throws UserError that suggests the nearest name.
    [[nodiscard]] static ProfileColumn named(const std::string& name);
    // The names of all columns, the causes last.
    [[nodiscard]] static std::vector<std::string> names();

    // Nothing where a row has no such figure: a ratio whose denominator is 0.
    [[nodiscard]] std::optional<double> value(const ProfileRows&, const ProfileRow&) const;
    // "56.1", "1,234", "2.25"; empty for no value.
    [[nodiscard]] std::string text(std::optional<double>) const;

    [[nodiscard]] bool is_counter() const {
        return kind_ == Kind::Counter;
    }
    [[nodiscard]] bool is_cause() const {
        return kind_ == Kind::Cause;
    }

    std::string name, heading, unit, meaning;
    int decimals = 0;
    bool least_first = false; // the least value is the one to look at: lanes, hit rates

private:
    enum class Kind { Cost, Slots, Stalled, WaitedFor, WithInlined, Counter, Ratio, Cause };
    Kind kind_ = Kind::Cost;
    std::size_t index_ = 0; // of the counter or the ratio
};

// Indices of the rows that have a value in the column, the one to look at first at the front.
[[nodiscard]] std::vector<std::size_t> sorted_by(const ProfileRows&, const ProfileColumn&);

} // namespace heddle::report
