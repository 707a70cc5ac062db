// Loads and stores of threads that lie in many rows (dynamic warp formation): what load_store.cpp does for each row
// would find few lanes in each. Here all threads' addresses are brought side by side and gone over once, and data are
// moved thread by thread.
#include <array>
#include <bit>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Space;

// About where the work a thread is less than the work a row.
bool Executor::Impl::is_scattered(const warp::Group& group) const {
    return group.parts > 1 && group.threads <= std::min(12U * (group.parts - 1U), kVectorLanes) && halves == 1;
}

// The threads whose guard is true, as the entries of `access`, and their addresses.
unsigned Executor::Impl::gather_addresses(const warp::Group& group, const MicroOp& op, std::byte** frame_of,
                                          Address* address, Access& access) const {
    const bool absolute = op.src[0] == ir::kNowhere;
    const bool wide = absolute || bound[group.pc].wide_base;
    const auto displacement = static_cast<Address>(op.imm);
    unsigned n = 0;
    for (const warp::Part& part : parts_of(group)) {
        std::byte* at = frame(part.row, 0);
        const std::byte* bases = absolute ? zeros : source(op.src[0], at, pool);
        for (std::uint32_t m = static_cast<std::uint32_t>(part.lanes) & guard_bits(op, at); m != 0; m &= m - 1, ++n) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            address[n] = wide ? reinterpret_cast<const std::uint64_t*>(bases)[lane] + displacement
                              : static_cast<std::uint32_t>(reinterpret_cast<const std::uint32_t*>(bases)[lane] +
                                                           displacement); // as wide as its base
            frame_of[n] = at;
            access.lane[n] = static_cast<std::uint8_t>(lane);
            access.row[n] = part.row;
        }
    }
    return n;
}

bool Executor::Impl::access_scattered(const warp::Group& group, const MicroOp& op, warp::Outcome& outcome,
                                      Access& access) {
    const Bound& b = bound[group.pc];
    LastRange& range = ranges[group.pc];
    alignas(64) std::array<Address, kVectorLanes> addresses;
    std::array<std::byte*, kVectorLanes> frame_of;
    const unsigned n = gather_addresses(group, op, frame_of.data(), addresses.data(), access);
    outcome.executed = static_cast<std::uint16_t>(n);
    if (n == 0)
        return true;
    const auto mask = static_cast<std::uint32_t>(first_lanes(n));
    AddressScan scan;
    rowops.scan({reinterpret_cast<const std::byte*>(addresses.data()), true, b.bytes, mask, 0, range.begin, range.span},
                access.address.data(), scan);
    const Segment first{frame_of[0], mask, access.row[0], 0, 0};
    if ((!scan.good || range.space == Space::Generic) && !one_range(op, b, first, access.address.data(), range))
        return false;

    std::array<Address, kVectorLanes> host; // the same for each thread that accesses one
    find_host(range, n, access, host.data());
    const MovedThreads threads{frame_of.data(), access.lane.data(), host.data(), n};
    if (windowed && range.space == Space::Global)
        move_scattered_in_window(op, b, threads,
                                 {access.address.data(), mask, b.bytes, scan.consecutive, scan.uniform, range.begin});
    else
        b.move_threads(op, pool, threads);
    enter_scattered(range, n, access);
    return true;
}

// Where the addresses lie in this process.
void Executor::Impl::find_host(const LastRange& range, unsigned n, const Access& access, Address* host) const {
    const auto shift = [&](std::uint64_t delta) {
        for (unsigned i = 0; i < n; ++i)
            host[i] = access.address[i] + delta;
    };
    switch (range.space) {
    case Space::Shared:
        for (unsigned i = 0; i < n; ++i)
            host[i] = access.address[i] - range.begin + reinterpret_cast<std::uint64_t>(shared_of(access.row[i]));
        return;
    case Space::Local:
        for (unsigned i = 0; i < n; ++i)
            host[i] = access.address[i] - range.begin +
                      reinterpret_cast<std::uint64_t>(local_of(access.row[i], access.lane[i]));
        return;
    case Space::Param:
        return shift(reinterpret_cast<std::uint64_t>(parameter_block()));
    default:
        return shift(reinterpret_cast<std::uint64_t>(image.host(kGlobalBase)) - kGlobalBase);
    }
}

// As move_in_window(), `row` being the threads.
void Executor::Impl::move_scattered_in_window(const MicroOp& op, const Bound& b, const MovedThreads& threads,
                                              const GlobalRow& row) {
    std::array<Address, kVectorLanes> host;
    const auto in_log = [&](const std::byte* data) {
        for (unsigned i = 0; i < threads.count; ++i)
            host[i] = reinterpret_cast<std::uint64_t>(data + std::size_t{i} * b.bytes);
        return MovedThreads{threads.frame, threads.lane, host.data(), threads.count};
    };
    if (op.kind == ir::Kind::Store)
        return b.move_threads(op, pool, in_log(log.store(now, row)));
    b.move_threads(op, pool, threads);
    alignas(64) std::byte data[kVectorLanes * GlobalRow::kMaxBytes];
    const std::uint32_t stored = log.perhaps_stored(row);
    if (stored == 0)
        return;
    log.read(row, stored, data);
    in_log(data);
    for (std::uint32_t m = stored; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        b.move_threads(op, pool, {threads.frame + i, threads.lane + i, &host[i], 1});
    }
}

// What of the entries has timing, and in which space.
void Executor::Impl::enter_scattered(const LastRange& range, unsigned n, Access& access) const {
    if (range.space == Space::Param)
        return;
    std::uint32_t timed = static_cast<std::uint32_t>(first_lanes(n));
    if (range.space == Space::Shared || range.space == Space::Local) {
        for (unsigned i = 0; i < n; ++i)
            access.address[i] -= range.begin;
        if (range.space == Space::Local)
            timed = declared_local(timed, access.address.data());
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
