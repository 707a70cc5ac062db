#include "exec/async_copy.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "exec/cluster.h"
#include "exec/lane_access.h"
#include "exec/observer.h"
#include "ir/selection/make_op.h"

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
    if (Observer* const observer = state_.observer(); observer != nullptr) [[unlikely]]
        show(*observer, group, op);
}

void AsyncCopies::show(Observer& observer, const warp::Group& group, const ir::MicroOp& op) const {
    ir::MicroOp store = ir::make_op(ir::Opcode::St, op.type);
    store.space = ir::Space::Shared;
    store.vector = op.vector;
    store.flags = ir::kAsyncCopy;
    store.src_bytes = op.dst_bytes;
    std::copy_n(op.dst.begin(), op.vector, store.src.begin() + 1);
    Access written;
    written.store = true;
    written.bytes = static_cast<std::uint8_t>(ptx::size_of(op.type) * op.vector);
    state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            enter(s, i, lane_value<std::uint32_t>(op.src[1], s, state_.pool(), i) & kOffsetInBlock, written);
        });
    });
    written.shared = first_lanes(written.count);
    observer.copied(group, store, written);
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
               fmt::format("copy of {} bytes to {:#x}, which is no address of shared memory of the block", bytes,
                           address));
    if (offset + bytes > state_.shared_bytes())
        refuse(Fault::Kind::Address,
               fmt::format("out-of-bounds copy of {} bytes to offset {:#x} in shared memory of the block, which has {} "
                           "bytes",
                           bytes, offset, state_.shared_bytes()));
    return own + offset;
}

} // namespace heddle::exec
