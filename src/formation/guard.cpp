#include "formation/guard.h"

#include <fmt/format.h>

#include "exec/policy_fault.h"

namespace heddle::formation {

void Guard::check(const warp::Group& group) const {
    if (group.unit >= formation_.units.capacity())
        refuse(group, "", fmt::format("a unit below {}", formation_.units.capacity()));
    if (group.pc >= program_.ops.size())
        refuse(group, fmt::format(" at PC {}", group.pc), fmt::format("a PC below {}", program_.ops.size()));
    if (group.parts > kMaxParts)
        refuse(group, fmt::format(" of {} parts", group.parts), fmt::format("at most {} parts", kMaxParts));
    unsigned threads = 0;
    for (unsigned p = 0; p < group.parts; ++p) {
        const warp::Part& part = group.part[p];
        if (part.row >= rows_)
            refuse(group, fmt::format(" with row {}", part.row), fmt::format("a row below {}", rows_));
        if (const LaneMask live = executor_.live(part.row); part.lanes == 0 || (part.lanes & ~live) != 0)
            refuse(group, fmt::format(" with lanes {:#x} of row {}", part.lanes, part.row),
                   fmt::format("one or more of the lanes of its threads, {:#x}", live));
        threads += static_cast<unsigned>(count_lanes(part.lanes));
    }
    if (threads != group.threads)
        refuse(group, fmt::format(" of {} threads", group.threads), fmt::format("the {} in its parts", threads));
}

void Guard::refuse(const warp::Group& group, const std::string& what, const std::string& allowed) const {
    exec::policy_fault(who_, fmt::format("form() makes a group of unit {}{}", group.unit, what), allowed);
}

} // namespace heddle::formation
