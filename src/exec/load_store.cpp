// Loads, stores and atomics: addresses, the check that they are allowed, and what the timing side is told of them.
//
// The check must cost next to nothing where all is well. One pass over the addresses of a row holds them against the
// range (an allocation, or a window) that the same instruction accessed last; only what lies elsewhere is looked up.
#include <algorithm>
#include <array>
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

constexpr bool in_window(Address address, Address window) {
    return address - window < kWindowBytes;
}

// By byte, the positions of its set bits and how many there are.
struct Positions {
    std::array<std::uint64_t, 256> set{};
    std::array<std::uint8_t, 256> count{};
};
constexpr Positions kPositions = [] {
    Positions table;
    for (unsigned byte = 0; byte < 256; ++byte)
        for (std::uint64_t bit = 0; bit < 8; ++bit)
            if (((byte >> bit) & 1) != 0)
                table.set[byte] |= bit << (8U * table.count[byte]++);
    return table;
}();
constexpr std::array<std::uint8_t, kMaxWidth> kLanes = [] {
    std::array<std::uint8_t, kMaxWidth> lanes{};
    for (std::uint8_t i = 0; i < kMaxWidth; ++i)
        lanes[i] = i;
    return lanes;
}();

// Enters the lanes of `mask`, whose addresses are at the end of the entries already, one a lane of the frame. Returns
// the bits of the new entries.
std::uint64_t record(const Segment& s, std::uint32_t mask, Access& access) {
    const unsigned first = access.count;
    if (mask == ~0U) {
        std::memcpy(&access.lane[first], &kLanes[s.lane(0)], kVectorLanes);
        std::fill_n(&access.row[first], kVectorLanes, s.row);
        access.count = static_cast<std::uint16_t>(first + kVectorLanes);
        return std::uint64_t{~0U} << first;
    }
    const Address* from = &access.address[first];
    Address* to = &access.address[first]; // never ahead of what is read
    for (std::uint32_t m = mask; m != 0; m &= m - 1)
        *to++ = from[std::countr_zero(m)];
    const auto n = static_cast<unsigned>(to - from);
    std::uint8_t* lane = &access.lane[first];
    for (unsigned byte = 0; byte < 4; ++byte) {
        const std::uint32_t bits = (mask >> (8 * byte)) & 0xff;
        const std::uint64_t lanes = kPositions.set[bits] + 0x0101010101010101U * s.lane(8 * byte);
        std::memcpy(lane, &lanes, sizeof lanes);
        lane += kPositions.count[bits];
    }
    for (unsigned i = 0; i < n; ++i)
        access.row[first + i] = s.row;
    access.count = static_cast<std::uint16_t>(first + n);
    return first_lanes(n) << first;
}

} // namespace

void Executor::Impl::memory(const Group& group, const MicroOp& op, Cycle at, Outcome& outcome, Access& access) {
    now = at;
    outcome.kind = Outcome::Kind::Memory;
    access.store = op.kind == Kind::Store;
    access.atomic = op.kind == Kind::Atomic;
    access.bytes = bound[group.pc].bytes;
    access.global = access.shared = access.local = access.constant = 0;
    if (is_scattered(group) && op.kind != Kind::Atomic && access_scattered(group, op, outcome, access))
        return;
    outcome.executed = static_cast<std::uint16_t>(
        for_each_segment(parts_of(group), op, [&](const Segment& s) { access_segment(op, group.pc, s, access); }));
}

void Executor::Impl::access_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const Bound& b = bound[pc];
    LastRange& range = ranges[pc];
    Address* address = &access.address[access.count]; // all lanes, until record() moves those that count together
    const bool absolute = op.src[0] == ir::kNowhere;
    AddressScan scan;
    rowops.scan({absolute ? zeros : source(op.src[0], s.frame, pool), absolute || b.wide_base, b.bytes, s.mask, op.imm,
                 range.begin, range.span},
                address, scan);
    if (!scan.good || range.space == Space::Generic) {
        if (!one_range(op, b, s, address, range))
            return access_mixed(op, pc, s, address, access);
    }

    HostRow host{address, 0, 0, 0};
    switch (range.space) {
    case Space::Shared:
        host.delta = reinterpret_cast<std::uint64_t>(shared_of(s.row)) - range.begin;
        break;
    case Space::Local:
        host.delta = reinterpret_cast<std::uint64_t>(local_of(s.row, s.lane(0))) - range.begin;
        host.lane_stride = local_stride;
        scan.consecutive = scan.uniform = false; // each thread has its own
        break;
    case Space::Param:
        host.delta = reinterpret_cast<std::uint64_t>(parameter_block());
        break;
    default:
        host.delta = reinterpret_cast<std::uint64_t>(image.host(kGlobalBase)) - kGlobalBase;
        host.global = s.mask;
        break;
    }
    if (windowed && range.space == Space::Global)
        move_in_window(op, b, s, host, scan, address, range.begin);
    else
        move(op, b, s, host, scan);
    if (range.space == Space::Param) // has no timing
        return;
    std::uint32_t timed = s.mask;
    if (range.space == Space::Shared || range.space == Space::Local) {
        for (unsigned i = 0; i < kVectorLanes; ++i)
            address[i] -= range.begin;
        if (range.space == Space::Local)
            timed = declared_local(timed, address);
    }
    access.ascends = access.count == 0 && (scan.consecutive || scan.uniform);
    const std::uint64_t entries = record(s, timed, access);
    entries_in(range.space, access) |= entries;
}

// Call parameters lie behind the variables in local memory, and have no timing.
std::uint32_t Executor::Impl::declared_local(std::uint32_t mask, const Address* address) const {
    if (launch.kernel->declared_local_bytes == launch.kernel->local_bytes)
        return mask;
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

// Where a thread's address leads, its alignment aside.
Target Executor::Impl::resolve(const MicroOp& op, const Segment& s, unsigned i, unsigned bytes, Address address) const {
    const auto window = [&](Space space, Address begin, std::uint64_t limit, const std::byte* memory) -> Target {
        if (limit < bytes || address - begin > limit - bytes)
            return {};
        return {space, begin, limit - bytes, reinterpret_cast<std::uint64_t>(memory + (address - begin))};
    };
    const bool generic = op.space == Space::Generic;
    if (op.space == Space::Shared || (generic && in_window(address, kSharedWindow)))
        return window(Space::Shared, generic ? kSharedWindow : 0, shared_bytes, shared_of(s.row));
    if (op.space == Space::Local || (generic && in_window(address, kLocalWindow)))
        return window(Space::Local, generic ? kLocalWindow : 0, launch.kernel->local_bytes, local_of(s.row, s.lane(i)));
    if (op.space == Space::Param)
        return writes(op) ? Target{} : window(Space::Param, 0, launch.parameters.size(), parameter_block());
    const Allocation* a = image.find(address, bytes);
    if (a == nullptr || (a->read_only && writes(op)))
        return {};
    return {op.space == Space::Const ? Space::Const : Space::Global, a->begin, a->bytes - bytes,
            reinterpret_cast<std::uint64_t>(image.host(address))};
}

// Not in the range of the last time: looks for one that holds the whole row, and keeps it for the next time.
bool Executor::Impl::one_range(const MicroOp& op, const Bound& b, const Segment& s, const Address* address,
                               LastRange& range) const {
    const auto first = static_cast<unsigned>(std::countr_zero(s.mask));
    const Target target = resolve(op, s, first, b.bytes, address[first]);
    if (target.space == Space::Generic)
        return false;
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const Address at = address[std::countr_zero(m)];
        if (at - target.begin > target.span || at % b.bytes != 0)
            return false;
    }
    range = {target.space, target.begin, target.span};
    return true;
}

// Lanes in several allocations or spaces, or one that must not do what it does.
void Executor::Impl::access_mixed(const MicroOp& op, Pc pc, const Segment& s, Address* address, Access& access) {
    const Bound& b = bound[pc];
    std::array<Address, kVectorLanes> host;
    std::array<std::uint32_t, 8> lanes{}; // by space
    Target target;
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        if (target.space == Space::Global && address[i] - target.begin <= target.span)
            target.host = reinterpret_cast<std::uint64_t>(image.host(address[i]));
        else
            target = resolve(op, s, i, b.bytes, address[i]);
        if (target.space == Space::Generic || address[i] % b.bytes != 0)
            memory_fault(op, pc, s, address);
        host[i] = target.host;
        lanes[static_cast<unsigned>(target.space)] |= 1U << i;
    }
    const auto of = [&](Space space) { return lanes[static_cast<unsigned>(space)]; };
    const std::uint32_t logged = windowed ? of(Space::Global) : 0;
    const HostRow row{host.data(), 0, 0, of(Space::Global)};
    if (s.mask != logged)
        b.move(op, s.frame, pool, row, s.mask & ~logged);
    if (logged != 0) {
        Segment global = s;
        global.mask = logged;
        move_in_window(op, b, global, row, AddressScan{}, address, GlobalRow::kSeveral);
    }

    if (op.space == Space::Generic)
        for (std::uint32_t m = of(Space::Shared) | of(Space::Local); m != 0; m &= m - 1) {
            Address& at = address[std::countr_zero(m)];
            at -= in_window(at, kSharedWindow) ? kSharedWindow : kLocalWindow;
        }
    const std::uint32_t untimed = of(Space::Param) | (of(Space::Local) & ~declared_local(of(Space::Local), address));
    access.ascends = false;
    std::uint64_t entry = std::uint64_t{1} << access.count;
    for (std::uint32_t m = s.mask & ~untimed; m != 0; m &= m - 1, entry <<= 1) {
        const std::uint32_t bit = m & (~m + 1);
        access.global |= (of(Space::Global) & bit) != 0 ? entry : 0;
        access.constant |= (of(Space::Const) & bit) != 0 ? entry : 0;
        access.shared |= (of(Space::Shared) & bit) != 0 ? entry : 0;
        access.local |= (of(Space::Local) & bit) != 0 ? entry : 0;
    }
    record(s, s.mask & ~untimed, access);
}

} // namespace heddle::exec
