// The instruction cache of the SM behind those of the front ends, as the machine has it.
#pragma once

#include <memory>
#include <vector>

#include "sm/frame/instruction_l1.h"
#include "sm/sub_core/constant_cache.h"
#include "sm/sub_core/front_end.h"

namespace heddle::sm {

// Requests of `fronts` front ends to that cache.
[[nodiscard]] unsigned fetch_requests(const config::Machine& machine, std::size_t fronts);

// Requests of `fronts` front ends and of the constant caches of `sub_cores` sub-cores to that cache: items that the
// core's wheel needs for them. Those of the front ends come first, then those of each sub-core.
[[nodiscard]] unsigned path_requests(const config::Machine& machine, std::size_t fronts, std::size_t sub_cores);

// The constant caches of the sub-cores; none where the machine or its formation has none. `units`: of the SM.
[[nodiscard]] std::vector<ConstantCache> make_constant_caches(const config::Machine& machine, InstructionL1* l1,
                                                              std::size_t fronts, std::size_t sub_cores, unsigned units,
                                                              unsigned sm);

// The cache, with the paths of the front ends to it; null: the machine has none. Request r is item first_item + r of
// the wheel.
[[nodiscard]] std::unique_ptr<InstructionL1> make_instruction_l1(const config::Machine& machine, MemoryPort& memory,
                                                                 LatencyWheel& wheel, unsigned first_item,
                                                                 std::vector<FrontEnd>& fronts, std::size_t sub_cores,
                                                                 unsigned sm);

} // namespace heddle::sm
