// A line of the barrel core's trace: the cause of the issue slot, then the contents of each stage.
#include <fmt/format.h>

#include "sm/single_issue/barrel.h"

namespace heddle::sm {

void Barrel::trace_cycle(Cycle now) {
    std::string line = fmt::format("{:>8}  {:<13}", now, probe::kSlots[static_cast<std::size_t>(slot_)].name);
    for (UnitId unit = fetched_; unit != kNoUnit; unit = along_[unit])
        line += fmt::format(" F:u{}@{}", unit, frame_.units.pc[unit]);
    for (unsigned stage = 1; stage < pipe_.stages; ++stage) {
        if (!pipe_.holds(stage))
            continue;
        const std::string name = stage == 1 ? "D" : stage == memory_at_ ? "M" : std::to_string(stage);
        for (warp::FlightId f = pipe_.at(stage); f != warp::kNoFlight; f = frame_.flights[f].along) {
            const warp::Group& group = frame_.flights[f].group;
            line += fmt::format(" {}:u{}@{}", name, group.unit, group.pc);
            for (unsigned p = 0; p < group.parts; ++p)
                line += fmt::format("[r{} {:x}]", group.part[p].row, group.part[p].lanes);
        }
    }
    if (issue_.aside() != 0)
        line += fmt::format(" aside:{}", issue_.aside());
    for (const std::string& state : {frame_.formation.trace(), issue_.trace()})
        if (!state.empty())
            line += " " + state;
    frame_.trace(line);
}

} // namespace heddle::sm
