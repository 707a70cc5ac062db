#include "exec/space_queries.h"

#include <cstring>

#include "exec/address_ranges.h"
#include "exec/lane_access.h"

namespace heddle::exec {

bool SpaceQueries::is_constant(Address address) const {
    const Allocation* const found = image_.find(address, 1);
    return found != nullptr && found->read_only;
}

// PTX ISA, "Generic Addressing": an address is global unless it is in the window of another space; the window of a
// kernel's parameters is a part of global memory.
void SpaceQueries::lies_in_space(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const {
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            const auto address = lane_value<Address>(op.src[0], s, state_.pool(), i);
            const bool global = address - kGlobalBase < kGlobalBytes || in_window(address, kParameterWindow);
            const bool constant = is_constant(address);
            const std::uint32_t result = op.space == ir::Space::Const ? constant : global && !constant;
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * sizeof result, &result, sizeof result);
        });
    });
}

} // namespace heddle::exec
