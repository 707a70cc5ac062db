#include "exec/async_copy.h"

#include <cstring>

#include <fmt/format.h>

#include "exec/cluster.h"
#include "exec/lane_access.h"

namespace heddle::exec {

void AsyncCopies::store(const warp::Group& group, const ir::MicroOp& op) const {
    const unsigned element = ptx::size_of(op.type), bytes = element * op.vector;
    state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            std::byte* to = place(group, s, i, lane_value<std::uint32_t>(op.src[1], s, state_.pool(), i), bytes);
            for (unsigned e = 0; e < op.vector; ++e, to += element) {
                const auto value = lane_value<std::uint32_t>(op.dst.at(e), s, state_.pool(), i);
                std::memcpy(to, &value, element);
            }
        });
    });
}

std::byte* AsyncCopies::place(const warp::Group& group, const Segment& s, unsigned i, Address address,
                              unsigned bytes) const {
    const auto refuse = [&](Fault::Kind kind, const std::string& what) {
        faults_.fault(kind, group.pc, s.row, s.lane(i), what);
    };
    if (address % bytes != 0)
        refuse(
            Fault::Kind::Misaligned,
            fmt::format("misaligned copy of {} bytes to {:#x} of shared memory: the address must be a multiple of {}",
                        bytes, address, bytes));
    const Address field = address >> kRankShift, offset = address & kOffsetInBlock;
    std::byte* const own = state_.shared_of(s.row);
    if (field != 0 && state_.shared_of_rank(s.row, static_cast<unsigned>(field) - 1) != own)
        refuse(Fault::Kind::Address,
               fmt::format("copy of {} bytes to {:#x}, which is no address of shared memory of the "
                           "block",
                           bytes, address));
    if (offset + bytes > state_.shared_bytes())
        refuse(Fault::Kind::Address,
               fmt::format("out-of-bounds copy of {} bytes to offset {:#x} in shared memory of the block, which has {} "
                           "bytes",
                           bytes, offset, state_.shared_bytes()));
    return own + offset;
}

} // namespace heddle::exec
