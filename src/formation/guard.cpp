#include "formation/guard.h"

#include <fmt/format.h>

#include "exec/policy_fault.h"

namespace heddle::formation {

void Guard::check_each(const warp::Group& group) const {
    if (group.unit >= units_)
        refuse(group, "", fmt::format("a unit below {}", units_));
    if (group.pc >= pcs_)
        refuse(group, fmt::format(" at PC {}", group.pc), fmt::format("a PC below {}", pcs_));
    if (group.parts > kMaxParts)
        refuse(group, fmt::format(" of {} parts", group.parts), fmt::format("at most {} parts", kMaxParts));
    unsigned threads = 0;
    for (unsigned p = 0; p < group.parts; ++p) {
        const warp::Part& part = group.part[p];
        if (part.row >= rows_.size())
            refuse(group, fmt::format(" with row {}", part.row), fmt::format("a row below {}", rows_.size()));
        if (!fits(part))
            refuse(group, fmt::format(" with lanes {:#x} of row {}", part.lanes, part.row),
                   fmt::format("one or more of the lanes of its threads, {:#x}", rows_[part.row].live));
        threads += static_cast<unsigned>(count_lanes(part.lanes));
    }
    if (threads != group.threads)
        refuse(group, fmt::format(" of {} threads", group.threads), fmt::format("the {} in its parts", threads));
}

void Guard::check_starved(warp::FlightId answer, std::span<const warp::Flight> flights) const {
    if (answer == warp::kNoFlight)
        return;
    const bool waits = answer < flights.size() && flights[answer].lines_left != 0;
    if (!waits || !warp::hits_in_part(flights[answer]))
        exec::policy_fault(who_, fmt::format("starved() answers flight {}", answer),
                           "none, or a flight that waits for memory and some of whose threads have their data");
}

void Guard::check_divided(const warp::Group& ahead, const warp::UnitTable& units) const {
    if (ahead.unit >= units_ || !units.alive.contains(ahead.unit))
        exec::policy_fault(who_, fmt::format("divided() gives the threads that run ahead unit {}", ahead.unit),
                           fmt::format("a living unit below {}", units_));
}

void Guard::refuse(const warp::Group& group, const std::string& what, const std::string& allowed) const {
    exec::policy_fault(who_, fmt::format("form() makes a group of unit {}{}", group.unit, what), allowed);
}

} // namespace heddle::formation
