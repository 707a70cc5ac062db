// The scoreboarded core's trace: a line a cycle, with what each scheduler issued, or why it did not.
#include <fmt/format.h>

#include "sm/sub_core/scoreboard_core.h"

namespace heddle::sm {

std::string ScoreboardCore::traced(const warp::Group& group) const {
    std::string out = fmt::format("u{}@{}", group.unit, group.pc);
    for (unsigned p = 0; p < group.parts; ++p)
        out += fmt::format("[r{} {:x}]", group.part[p].row, group.part[p].lanes);
    return out;
}

void ScoreboardCore::trace_cycle(Cycle now) {
    std::string line = fmt::format("{:>8} ", now);
    for (std::size_t s = 0; s < schedulers_.size(); ++s) {
        const SchedulerUnit& scheduler = schedulers_[s];
        const std::string_view cause = probe::kSlots[static_cast<std::size_t>(scheduler.slot)].name;
        line += fmt::format(" s{}:{}", s, scheduler.issued != kNoUnit ? scheduler.traced : cause);
    }
    if (!to_load_store_.empty())
        line += fmt::format(" ldst:{}", to_load_store_.size());
    if (aside_ != 0)
        line += fmt::format(" aside:{}", aside_);
    for (const std::string& state : {formation_.trace(), schedulers_.front().policy->trace()})
        if (!state.empty())
            line += " " + state;
    trace_(line);
}

void ScoreboardCore::trace_idle(Cycle now, Cycle until) {
    std::string causes;
    for (const SchedulerUnit& s : schedulers_)
        causes += fmt::format("{}{}", causes.empty() ? "" : ", ", probe::kSlots[static_cast<std::size_t>(s.slot)].name);
    trace_(fmt::format("{:>8}  idle for {} cycles: {}", now, until - now, causes));
}

} // namespace heddle::sm
