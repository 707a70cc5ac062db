// The trace of an SM of sub-cores: a line for each cycle in which something happens, and one for each idle span.
#pragma once

#include <span>
#include <string>

#include "sm/frame/frame.h"
#include "sm/sub_core/issue_unit.h"
#include "sm/sub_core/memory_stage.h"

namespace heddle::sm {

class CycleTrace {
public:
    // All parts outlive it.
    CycleTrace(const Frame& frame, std::span<const IssueUnit> issue_units, const MemoryStage& memory)
        : frame_(frame), issue_units_(issue_units), memory_(memory) {}

    // How a line names an issued group: its unit, PC, rows and lanes.
    [[nodiscard]] static std::string text_of(const warp::Group& group);
    // What issued in cycle `now`, or why nothing did; `aside`: the number of flights put aside.
    void cycle(Cycle now, unsigned aside) const;
    // Nothing issues from `now` up to `until`.
    void idle(Cycle now, Cycle until) const;

private:
    const Frame& frame_;
    const std::span<const IssueUnit> issue_units_;
    const MemoryStage& memory_;
};

} // namespace heddle::sm
