#include "exec/scattered.h"

#include <array>
#include <bit>

#include "exec/frame.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Space;

// Enters the threads with a true guard in `access`, and finds their frames and addresses. Returns their number.
unsigned ScatteredAccess::gather_addresses(const warp::Group& group, const MicroOp& op, std::byte** frame_of,
                                           Address* address, Access& access) const {
    const bool absolute = op.src[0] == ir::kNowhere;
    const bool wide = absolute || state_.code().bound(group.pc).wide_base;
    const auto displacement = static_cast<Address>(op.imm);
    const LaunchState& state = state_;
    unsigned n = 0;
    for (const warp::Part& part : parts_of(group)) {
        std::byte* at = state.frame(part.row, 0);
        const std::byte* bases = absolute ? kZeroRow.data() : source(op.src[0], at, state.pool());
        for (std::uint32_t m = static_cast<std::uint32_t>(part.lanes) & state.guard_bits(op, at); m != 0;
             m &= m - 1, ++n) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            address[n] = wide ? reinterpret_cast<const std::uint64_t*>(bases)[lane] + displacement
                              : static_cast<std::uint32_t>(reinterpret_cast<const std::uint32_t*>(bases)[lane] +
                                                           displacement); // 32 bits, as the base
            frame_of[n] = at;
            access.lane[n] = static_cast<std::uint8_t>(lane);
            access.row[n] = part.row;
        }
    }
    return n;
}

bool ScatteredAccess::execute(const warp::Group& group, const MicroOp& op, warp::Outcome& outcome, Access& access) {
    const Bound& b = state_.code().bound(group.pc);
    LastRange& range = ranges_.last(group.pc);
    alignas(64) std::array<Address, kVectorLanes> addresses;
    std::array<std::byte*, kVectorLanes> frame_of;
    const unsigned n = gather_addresses(group, op, frame_of.data(), addresses.data(), access);
    outcome.executed = static_cast<std::uint16_t>(n);
    if (n == 0)
        return true;
    const auto mask = static_cast<std::uint32_t>(first_lanes(n));
    AddressScan scan;
    rowops_.scan(
        {reinterpret_cast<const std::byte*>(addresses.data()), true, b.bytes, mask, 0, range.begin, range.span},
        access.address.data(), scan);
    const Segment first{frame_of[0], mask, access.row[0], 0, 0};
    if ((!scan.good || range.space == Space::Generic) &&
        !ranges_.find(op, b.bytes, first, access.address.data(), range))
        return false;

    std::array<Address, kVectorLanes> host; // equal for threads that access one address
    find_host(range, n, access, host.data());
    const MovedThreads threads{frame_of.data(), access.lane.data(), host.data(), n};
    if (global_.windowed && range.space == Space::Global)
        move_in_window(op, b, threads,
                       {access.address.data(), mask, b.bytes, scan.consecutive, scan.uniform, range.begin});
    else
        b.move_threads(op, state_.pool(), threads);
    enter(range, n, access);
    return true;
}

// The host addresses of the entries.
void ScatteredAccess::find_host(const LastRange& range, unsigned n, const Access& access, Address* host) const {
    const LaunchState& state = state_;
    const auto shift = [&](std::uint64_t delta) {
        for (unsigned i = 0; i < n; ++i)
            host[i] = access.address[i] + delta;
    };
    switch (range.space) {
    case Space::Shared:
        for (unsigned i = 0; i < n; ++i)
            host[i] = access.address[i] - range.begin + reinterpret_cast<std::uint64_t>(state.shared_of(access.row[i]));
        return;
    case Space::Local:
        for (unsigned i = 0; i < n; ++i)
            host[i] = access.address[i] - range.begin +
                      reinterpret_cast<std::uint64_t>(state.local_of(access.row[i], access.lane[i]));
        return;
    case Space::Param:
        return shift(reinterpret_cast<std::uint64_t>(state.code().parameters()) - range.begin);
    default:
        return shift(global_.host_delta());
    }
}

// As LoadStore::move_in_window(); the lanes of `row` are the threads.
void ScatteredAccess::move_in_window(const MicroOp& op, const Bound& b, const MovedThreads& threads,
                                     const GlobalRow& row) {
    std::array<Address, kVectorLanes> host;
    const auto in_log = [&](const std::byte* data) {
        for (unsigned i = 0; i < threads.count; ++i)
            host[i] = reinterpret_cast<std::uint64_t>(data + std::size_t{i} * b.bytes);
        return MovedThreads{threads.frame, threads.lane, host.data(), threads.count};
    };
    if (op.kind == ir::Kind::Store)
        return b.move_threads(op, state_.pool(), in_log(global_.log.store(global_.now, row)));
    b.move_threads(op, state_.pool(), threads);
    alignas(64) std::byte data[kVectorLanes * GlobalRow::kMaxBytes];
    const std::uint32_t stored = global_.log.perhaps_stored(row);
    if (stored == 0)
        return;
    global_.log.read(row, stored, data);
    in_log(data);
    for (std::uint32_t m = stored; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        b.move_threads(op, state_.pool(), {threads.frame + i, threads.lane + i, &host[i], 1});
    }
}

// Drops the entries without timing, and sets the space of the others.
void ScatteredAccess::enter(const LastRange& range, unsigned n, Access& access) const {
    if (range.space == Space::Param)
        return;
    std::uint32_t timed = static_cast<std::uint32_t>(first_lanes(n));
    if (range.space == Space::Shared || range.space == Space::Local) {
        for (unsigned i = 0; i < n; ++i)
            access.address[i] -= range.begin;
        if (range.space == Space::Local)
            timed = ranges_.timed_local(timed, access.address.data());
    }
    if (timed != first_lanes(n)) {
        unsigned to = 0;
        for (std::uint32_t m = timed; m != 0; m &= m - 1, ++to) {
            const auto from = static_cast<unsigned>(std::countr_zero(m));
            access.address[to] = access.address[from];
            access.lane[to] = access.lane[from];
            access.row[to] = access.row[from];
        }
        n = to;
    }
    access.count = static_cast<std::uint16_t>(n);
    entries_in(range.space, access) = first_lanes(n);
}

} // namespace heddle::exec
