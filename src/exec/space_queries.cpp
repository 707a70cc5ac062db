#include "exec/space_queries.h"

#include <cstring>

#include "exec/address_ranges.h"
#include "exec/lane_access.h"

namespace heddle::exec {

bool SpaceQueries::is_constant(Address address) const {
    const Allocation* const found = image_.find(address, 1);
    return found != nullptr && found->constant;
}

bool SpaceQueries::is_own_shared(Address address, RowId row) const {
    if (!in_window(address, kSharedWindow))
        return false;
    const auto field = static_cast<unsigned>((address - kSharedWindow) >> kRankShift);
    return field == 0 || state_.shared_of_rank(row, field - 1) == state_.shared_of(row);
}

// PTX ISA, "Generic Addressing": an address is global unless it is in the window of another space; the window of a
// kernel's parameters is a part of global memory.
bool SpaceQueries::lies_in(ir::Space space, Address address, RowId row) const {
    if (space == ir::Space::Shared)
        return is_own_shared(address, row);
    const bool global = address - kGlobalBase < kGlobalBytes || in_window(address, kParameterWindow);
    const bool constant = is_constant(address);
    return space == ir::Space::Const ? constant : global && !constant;
}

void SpaceQueries::lies_in_space(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const {
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            const auto address = lane_value<Address>(op.src[0], s, state_.pool(), i);
            const std::uint32_t result = lies_in(op.space, address, s.row) ? 1 : 0;
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * sizeof result, &result, sizeof result);
        });
    });
}

} // namespace heddle::exec
