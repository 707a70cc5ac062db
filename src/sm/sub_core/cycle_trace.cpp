#include "sm/sub_core/cycle_trace.h"

#include <fmt/format.h>

namespace heddle::sm {

std::string CycleTrace::text_of(const warp::Group& group) {
    std::string out = fmt::format("u{}@{}", group.unit, group.pc);
    for (unsigned p = 0; p < group.parts; ++p)
        out += fmt::format("[r{} {:x}]", group.part[p].row, group.part[p].lanes);
    return out;
}

void CycleTrace::cycle(Cycle now, unsigned aside) const {
    std::string line = fmt::format("{:>8} ", now);
    for (std::size_t s = 0; s < issue_units_.size(); ++s) {
        const IssueUnit& unit = issue_units_[s];
        const std::string_view cause = probe::kSlots[static_cast<std::size_t>(unit.slot)].name;
        line += fmt::format(" s{}:{}", s, unit.issued != kNoUnit ? unit.traced : cause);
    }
    if (memory_.size() != 0)
        line += fmt::format(" ldst:{}", memory_.size());
    if (aside != 0)
        line += fmt::format(" aside:{}", aside);
    for (const std::string& state : {frame_.formation.trace(), issue_units_.front().policy().trace()})
        if (!state.empty())
            line += " " + state;
    frame_.trace(line);
}

void CycleTrace::idle(Cycle now, Cycle until) const {
    std::string causes;
    for (const IssueUnit& unit : issue_units_)
        causes +=
            fmt::format("{}{}", causes.empty() ? "" : ", ", probe::kSlots[static_cast<std::size_t>(unit.slot)].name);
    frame_.trace(fmt::format("{:>8}  idle for {} cycles: {}", now, until - now, causes));
}

} // namespace heddle::sm
