// "checked": a formation that wraps another (checked.formation) and checks it against its contract, thread by thread,
// while a core runs it. A violation of the contract throws Violation.
//
// It follows each thread's PC by the outcomes alone. A group must hold threads that are where the group is, are neither
// in flight nor waiting, and lie in lanes of their own. No thread is in two units. A thread that waits is resumed
// before it continues. All threads of a block have exited before other threads take their rows.
#pragma once

#include <stdexcept>
#include <vector>

#include "config/parameter.h"
#include "warp/group.h"

namespace heddle::properties {

struct CheckedConfig {
    static constexpr std::string_view kSection = "checked";
    std::string formation = "pdom";
    bool home_lanes = true;
    static std::span<const config::Parameter<CheckedConfig>> parameters();
};

struct Violation : std::logic_error {
    using std::logic_error::logic_error;
};

// A group that went into the pipeline.
struct Issued {
    Pc pc;
    warp::Part part;
    auto operator<=>(const Issued& other) const {
        return std::tuple(pc, part.row, part.lanes) <=> std::tuple(other.pc, other.part.row, other.part.lanes);
    }
    bool operator==(const Issued& other) const {
        return (*this <=> other) == 0;
    }
};
// The parts of all groups since the vector was cleared.
[[nodiscard]] std::vector<Issued>& issued_parts();

} // namespace heddle::properties
