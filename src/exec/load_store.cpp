// Loads, stores and atomics: addresses, the check that they are allowed, and what the timing side is told of them.
//
// The check must cost next to nothing where all is well. One pass over the addresses of a row finds their minimum and
// maximum; two compares hold these against the allocation that the same instruction touched last.
#include <bit>
#include <cstring>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;
using ir::Space;
using warp::Group;
using warp::Outcome;

namespace {

constexpr bool writes(const MicroOp& op) {
    return op.kind != Kind::Load;
}

// Whether [address, address + bytes) lies in [0, limit).
constexpr bool inside(Address address, unsigned bytes, std::uint64_t limit) {
    return limit >= bytes && address <= limit - bytes;
}

constexpr bool in_window(Address address, Address window) {
    return address - window < kWindowBytes;
}

// Appends the lanes of `mask` to the entries; `address` by lane. Returns the bits of the new entries.
std::uint64_t record(const RowVectorOps& rowops, const Segment& s, std::uint32_t mask, const Address* address,
                     Access& access) {
    const unsigned first = access.count;
    if (mask == ~0U) {
        rowops.record(&access.address[first], &access.lane[first], &access.row[first], address, s.lane(0), s.row);
        access.count = static_cast<std::uint16_t>(first + kVectorLanes);
        return first_lanes(kVectorLanes) << first;
    }
    unsigned n = first;
    for (std::uint32_t m = mask; m != 0; m &= m - 1, ++n) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        access.address[n] = address[i];
        access.lane[n] = static_cast<std::uint8_t>(s.lane(i));
        access.row[n] = s.row;
    }
    access.count = static_cast<std::uint16_t>(n);
    return first_lanes(n - first) << first;
}

} // namespace

void Executor::Impl::memory(const Group& group, const MicroOp& op, Outcome& outcome, Access& access) {
    outcome.kind = Outcome::Kind::Memory;
    access.store = op.kind == Kind::Store;
    access.atomic = op.kind == Kind::Atomic;
    access.bytes = bound[group.pc].bytes;
    access.global = access.shared = access.local = access.constant = 0;
    outcome.executed = static_cast<std::uint16_t>(
        for_each_segment(parts_of(group), op, [&](const Segment& s) { access_segment(op, group.pc, s, access); }));
}

void Executor::Impl::access_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    Bound& b = bound[pc];
    alignas(64) Address address[kVectorLanes];
    AddressScan scan;
    const auto* base = op.src[0] == ir::kNowhere ? zeros : source(op.src[0], s.frame, pool);
    rowops.scan(base, op.src[0] == ir::kNowhere || b.wide_base, op.imm, s.mask, b.bytes, address, scan);
    if ((scan.bits & (b.bytes - 1U)) != 0)
        memory_fault(op, pc, s, address);

    Space space = op.space;
    Address window = 0; // what was taken off the addresses
    if (space == Space::Generic) {
        space = Space::Global;
        if (scan.min < kGlobalBase) { // windows lie below
            window = scan.min >= kLocalWindow ? kLocalWindow : kSharedWindow;
            if (!in_window(scan.min, window) || !in_window(scan.max, window))
                return access_mixed(op, pc, s, address, access);
            space = window == kLocalWindow ? Space::Local : Space::Shared;
            for (Address& a : address)
                a -= window;
            scan.min -= window;
            scan.max -= window;
            scan.first -= window;
        }
    }

    HostRow host{address, 0, 0, 0};
    switch (space) {
    case Space::Global:
    case Space::Const:
        if ((scan.min < b.begin || scan.max > b.last) && !in_image(op, b, scan, address, s.mask))
            memory_fault(op, pc, s, address, window);
        host.delta = reinterpret_cast<std::uint64_t>(image.host(kGlobalBase)) - kGlobalBase;
        host.global = s.mask;
        (space == Space::Const ? access.constant : access.global) |= record(rowops, s, s.mask, address, access);
        break;
    case Space::Shared:
        if (!inside(scan.max, b.bytes, shared_bytes))
            memory_fault(op, pc, s, address, window);
        host.delta = reinterpret_cast<std::uint64_t>(shared_of(s.row));
        access.shared |= record(rowops, s, s.mask, address, access);
        break;
    case Space::Local:
        if (!inside(scan.max, b.bytes, launch.kernel->local_bytes))
            memory_fault(op, pc, s, address, window);
        host.delta = reinterpret_cast<std::uint64_t>(local_of(s.row, s.lane(0)));
        host.lane_stride = local_stride;
        scan.consecutive = scan.uniform = false; // each thread has its own
        if (scan.max < launch.kernel->declared_local_bytes)
            access.local |= record(rowops, s, s.mask, address, access);
        else if (scan.min < launch.kernel->declared_local_bytes)
            access.local |= record(rowops, s, declared_local(s.mask, address), address, access);
        break;
    default: // Param: a kernel's parameters
        if (writes(op) || !inside(scan.max, b.bytes, launch.parameters.size()))
            memory_fault(op, pc, s, address, window);
        host.delta = reinterpret_cast<std::uint64_t>(parameter_block());
        break;
    }
    move(op, b, s, host, scan);
}

std::uint32_t Executor::Impl::declared_local(std::uint32_t mask, const Address* address) const {
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        if (address[i] >= launch.kernel->declared_local_bytes)
            mask &= ~(1U << i);
    }
    return mask;
}

// Whole-row copies where the lanes' data lie side by side or are the same, else lane by lane.
void Executor::Impl::move(const MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
                          const AddressScan& scan) const {
    if (b.direct == 0 || !(scan.consecutive || (scan.uniform && op.kind == Kind::Load)))
        return b.move(op, s.frame, pool, host, s.mask);

    auto* first = reinterpret_cast<std::byte*>(scan.first + host.delta);
    const auto copy = b.direct == 4 ? rowops.copy32 : rowops.copy64;
    if (op.kind == Kind::Load) {
        std::byte* to = s.frame + op.dst[0];
        if (op.dst[0] == ir::kNowhere)
            return;
        if (scan.consecutive)
            return copy(to, first - std::size_t{b.direct} * static_cast<unsigned>(std::countr_zero(s.mask)), s.mask);
        if (b.direct == 4) {
            std::uint32_t value;
            std::memcpy(&value, first, sizeof value);
            return rowops.fill32(to, value, s.mask);
        }
        std::uint64_t value;
        std::memcpy(&value, first, sizeof value);
        return rowops.fill64(to, value, s.mask);
    }
    if (s.mask != ~0U) // a masked copy would write back what lies between the lanes
        return b.move(op, s.frame, pool, host, s.mask);
    std::memcpy(first, source(op.src[1], s.frame, pool), std::size_t{kVectorLanes} * b.direct);
}

// Not in the allocation of the last time: looks for one that holds the whole row, else for one a lane.
bool Executor::Impl::in_image(const MicroOp& op, Bound& b, const AddressScan& scan, const Address* address,
                              std::uint32_t mask) {
    const Allocation* a = image.find(scan.min, b.bytes);
    if (a == nullptr || (a->read_only && writes(op)))
        return false;
    if (scan.max <= a->end() - b.bytes) {
        b.begin = a->begin;
        b.last = a->end() - b.bytes;
        return true;
    }
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const Address at = address[std::countr_zero(m)];
        if (at >= a->begin && at <= a->end() - b.bytes)
            continue;
        a = image.find(at, b.bytes);
        if (a == nullptr || (a->read_only && writes(op)))
            return false;
    }
    return true;
}

// Generic addresses of one row in several spaces.
void Executor::Impl::access_mixed(const MicroOp& op, Pc pc, const Segment& s, const Address* address, Access& access) {
    const Bound& b = bound[pc];
    alignas(64) Address resolved[kVectorLanes]; // offsets in windows
    alignas(64) Address host[kVectorLanes];
    std::uint32_t global = 0, in_shared = 0, in_local = 0;
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        const Address at = address[i];
        if (in_window(at, kSharedWindow) && inside(at - kSharedWindow, b.bytes, shared_bytes)) {
            resolved[i] = at - kSharedWindow;
            host[i] = reinterpret_cast<std::uint64_t>(shared_of(s.row)) + resolved[i];
            in_shared |= 1U << i;
        } else if (in_window(at, kLocalWindow) && inside(at - kLocalWindow, b.bytes, launch.kernel->local_bytes)) {
            resolved[i] = at - kLocalWindow;
            host[i] = reinterpret_cast<std::uint64_t>(local_of(s.row, s.lane(i))) + resolved[i];
            in_local |= 1U << i;
        } else {
            const Allocation* a = image.find(at, b.bytes);
            if (a == nullptr || (a->read_only && writes(op)))
                memory_fault(op, pc, s, address);
            resolved[i] = at;
            host[i] = reinterpret_cast<std::uint64_t>(image.host(at));
            global |= 1U << i;
        }
    }
    b.move(op, s.frame, pool, {host, 0, 0, global}, s.mask);

    const unsigned first = access.count;
    std::uint32_t timed = s.mask; // call parameters have no timing
    for (std::uint32_t m = in_local; m != 0; m &= m - 1)
        if (const auto i = std::countr_zero(m); resolved[i] >= launch.kernel->declared_local_bytes)
            timed &= ~(1U << i);
    record(rowops, s, timed, resolved, access);
    unsigned entry = first;
    for (std::uint32_t m = timed; m != 0; m &= m - 1, ++entry) {
        const std::uint32_t bit = m & (~m + 1);
        const std::uint64_t here = std::uint64_t{1} << entry;
        access.global |= (global & bit) != 0 ? here : 0;
        access.shared |= (in_shared & bit) != 0 ? here : 0;
        access.local |= (in_local & bit) != 0 ? here : 0;
    }
}

} // namespace heddle::exec
