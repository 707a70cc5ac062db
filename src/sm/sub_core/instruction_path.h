// The instruction cache of the SM behind those of the front ends, as the machine has it.
#pragma once

#include <memory>
#include <vector>

#include "sm/frame/instruction_l1.h"
#include "sm/sub_core/front_end.h"

namespace heddle::sm {

// Requests of `fronts` front ends to that cache: items that the core's wheel needs for them.
[[nodiscard]] unsigned fetch_requests(const config::Machine& machine, std::size_t fronts);

// The cache, with the paths of the front ends to it; null: the machine has none. Request r is item first_item + r of
// the wheel.
[[nodiscard]] std::unique_ptr<InstructionL1> make_instruction_l1(const config::Machine& machine, MemoryPort& memory,
                                                                 LatencyWheel& wheel, unsigned first_item,
                                                                 std::vector<FrontEnd>& fronts, unsigned sm);

} // namespace heddle::sm
