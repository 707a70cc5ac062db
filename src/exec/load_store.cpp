#include "exec/load_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "exec/frame.h"
#include "exec/lane_access.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;
using ir::Space;
using warp::Group;
using warp::Outcome;

namespace {

// The positions and the number of the set bits of each byte value.
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

// Enters the lanes of `mask`. Behind the entries, access.address holds an address for each lane of the frame. Returns
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
    Address* to = &access.address[first]; // never ahead of `from`
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

// The check of addresses costs next to nothing where all is well: one pass over the addresses of a row compares them
// with the range (an allocation, or a window) that the same instruction accessed last. Only other addresses are looked
// up.
void LoadStore::execute(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome, Access& access) {
    global_.now = now;
    outcome.kind = Outcome::Kind::Memory;
    access.store = op.kind == Kind::Store;
    access.atomic = op.kind == Kind::Atomic;
    access.bytes = state_.code().bound(group.pc).bytes;
    access.global = access.shared = access.local = access.constant = access.other_block = 0;
    if (scattered_.suits(group) && op.kind != Kind::Atomic && scattered_.execute(group, op, outcome, access))
        return;
    outcome.executed = state_.for_each_segment(parts_of(group), op,
                                               [&](const Segment& s) { access_segment(op, group.pc, s, access); });
}

void LoadStore::access_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const LaunchState& state = state_;
    const Bound& b = state.code().bound(pc);
    LastRange& range = ranges_.last(pc);
    Address* address = &access.address[access.count]; // of all lanes; record() removes the lanes without an entry
    const bool absolute = op.src[0] == ir::kNowhere;
    AddressScan scan;
    rowops_.scan({absolute ? kZeroRow.data() : source(op.src[0], s.frame, state.pool()), absolute || b.wide_base,
                  b.bytes, s.mask, op.imm, range.begin, range.span},
                 address, scan);
    if (!scan.good || range.space == Space::Generic) {
        if (!ranges_.find(op, b.bytes, s, address, range))
            return access_mixed(op, pc, s, address, access);
    }

    HostRow host{address, 0, 0, 0};
    switch (range.space) {
    case Space::Shared:
        host.delta = reinterpret_cast<std::uint64_t>(state.shared_of(s.row)) - range.begin;
        break;
    case Space::Local:
        host.delta = reinterpret_cast<std::uint64_t>(state.local_of(s.row, s.lane(0))) - range.begin;
        host.lane_stride = state.local_stride();
        scan.consecutive = scan.uniform = false; // each thread has its own memory
        break;
    case Space::Param:
        host.delta = reinterpret_cast<std::uint64_t>(state.code().parameters()) - range.begin;
        break;
    default:
        host.delta = global_.host_delta();
        host.global = s.mask;
        break;
    }
    if (global_.windowed && range.space == Space::Global)
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
            timed = ranges_.timed_local(timed, address);
    }
    access.ascends = access.count == 0 && (scan.consecutive || scan.uniform);
    const std::uint64_t entries = record(s, timed, access);
    entries_in(range.space, access) |= entries;
}

void LoadStore::keep_arrivals(const MicroOp& op, const Segment& s, const HostRow& host, std::uint32_t mask) {
    const std::byte* const updates = source(op.src[1], s.frame, state_.pool());
    for_each_lane(mask, [&](unsigned i) {
        CopyArrival arrival{host.at(i), 0};
        std::memcpy(&arrival.update, updates + i * sizeof arrival.update, sizeof arrival.update);
        arrivals_.push_back(arrival);
    });
}

void LoadStore::move(const MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
                     const AddressScan& scan) {
    const std::byte* const pool = state_.pool();
    if (b.direct == 0 || !(scan.consecutive || (scan.uniform && op.kind == Kind::Load)))
        return move_lanes(op, b, s, host, s.mask);

    auto* first = reinterpret_cast<std::byte*>(scan.first + host.delta);
    const auto copy = b.direct == 4 ? rowops_.copy32 : rowops_.copy64;
    if (op.kind == Kind::Load) {
        std::byte* to = s.frame + op.dst[0];
        if (op.dst[0] == ir::kNowhere)
            return;
        if (scan.consecutive)
            return copy(to, first - std::size_t{b.direct} * static_cast<unsigned>(std::countr_zero(s.mask)), s.mask);
        if (b.direct == 4) {
            std::uint32_t value;
            std::memcpy(&value, first, sizeof value);
            return rowops_.fill32(to, value, s.mask);
        }
        std::uint64_t value;
        std::memcpy(&value, first, sizeof value);
        return rowops_.fill64(to, value, s.mask);
    }
    if (s.mask != ~0U) // a masked copy would write to memory between the lanes
        return b.move(op, s.frame, pool, host, s.mask);
    std::memcpy(first, source(op.src[1], s.frame, pool), std::size_t{kVectorLanes} * b.direct);
}

void LoadStore::move_in_window(const MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
                               const AddressScan& scan, const Address* address, Address allocation) {
    const std::byte* const pool = state_.pool();
    const GlobalRow row{address, s.mask, b.bytes, scan.consecutive, scan.uniform, allocation};
    const HostRow in_log{reinterpret_cast<const Address*>(kZeroRow.data()), 0, b.bytes, s.mask};
    switch (op.kind) {
    case Kind::Load: {
        move(op, b, s, host, scan);
        const std::uint32_t lanes = global_.log.perhaps_stored(row);
        if (lanes == 0)
            return;
        alignas(64) std::byte data[kVectorLanes * GlobalRow::kMaxBytes];
        global_.log.read(row, lanes, data);
        return b.move(op, s.frame, pool, in_log.element(reinterpret_cast<std::uint64_t>(data)), lanes);
    }
    case Kind::Store: {
        std::byte* data = global_.log.store(global_.now, row);
        if (b.direct == 4)
            std::memcpy(data, source(op.src[1], s.frame, pool), std::size_t{kVectorLanes} * 4);
        else if (b.direct == 8)
            std::memcpy(data, source(op.src[1], s.frame, pool), std::size_t{kVectorLanes} * 8);
        else
            b.move(op, s.frame, pool, in_log.element(reinterpret_cast<std::uint64_t>(data)), s.mask);
        return;
    }
    default:
        return global_.log.atomic(global_.now, row, op, b.move, s.frame, pool);
    }
}

Target LoadStore::overrun(const MicroOp& op, Pc pc, const Segment& s, unsigned i, Address* address) {
    const unsigned bytes = state_.code().bound(pc).bytes;
    const bool aligned = address[i] % bytes == 0;
    Target target = aligned ? ranges_.resolve_overrun(op, bytes, address[i]) : Target{};
    if (target.space == Space::Generic)
        faults_.memory_fault(op, pc, s, address);
    overruns_.add(pc, global_.now, op.kind != Kind::Load,
                  [&] { return faults_.overrun(op, pc, s.row, s.lane(i), address[i]); });
    const Allocation* const holder = global_.image.find(address[i], 1);
    if (op.kind != Kind::Load && holder != nullptr && holder->is_out_of_reach()) {
        address[i] = MemoryImage::kOutOfReach;
        target.host = reinterpret_cast<std::uint64_t>(global_.image.host(address[i]));
    }
    return target;
}

void LoadStore::access_mixed(const MicroOp& op, Pc pc, const Segment& s, Address* address, Access& access) {
    const Bound& b = state_.code().bound(pc);
    // Addresses of these spaces have 32 bits, also in a register of 64.
    if (op.space == Space::Shared || op.space == Space::SharedCluster || op.space == Space::Local)
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1)
            address[std::countr_zero(m)] &= UINT32_MAX;
    std::array<Address, kVectorLanes> host;
    std::array<std::uint32_t, 8> lanes{}; // by space
    Target target;
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        if (target.space == Space::Global && address[i] - target.begin <= target.span)
            target.host = reinterpret_cast<std::uint64_t>(global_.image.host(address[i]));
        else
            target = ranges_.resolve(op, s, i, b.bytes, address[i]);
        if (target.space == Space::Generic || address[i] % b.bytes != 0)
            target = overrun(op, pc, s, i, address);
        host[i] = target.host;
        lanes[static_cast<unsigned>(target.space)] |= 1U << i;
        if (target.span == 0) // also of an overrun
            target = {};
    }
    const auto of = [&](Space space) { return lanes[static_cast<unsigned>(space)]; };
    const std::uint32_t logged = global_.windowed ? of(Space::Global) : 0;
    const HostRow row{host.data(), 0, 0, of(Space::Global)};
    if (s.mask != logged)
        move_lanes(op, b, s, row, s.mask & ~logged);
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
    std::array<std::uint8_t, kVectorLanes> rank{}; // from 1; 0: of the own block
    const auto own = reinterpret_cast<std::uint64_t>(state_.shared_of(s.row));
    for (std::uint32_t m = of(Space::Shared); m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        rank[i] = static_cast<std::uint8_t>(address[i] >> kRankShift);
        address[i] &= kOffsetInBlock;
        if (host[i] - address[i] == own) // by an address of the cluster
            rank[i] = 0;
    }
    const std::uint32_t untimed =
        of(Space::Param) | (of(Space::Local) & ~ranges_.timed_local(of(Space::Local), address));
    access.ascends = false;
    std::uint64_t entry = std::uint64_t{1} << access.count;
    for (std::uint32_t m = s.mask & ~untimed; m != 0; m &= m - 1, entry <<= 1) {
        const std::uint32_t bit = m & (~m + 1);
        access.global |= (of(Space::Global) & bit) != 0 ? entry : 0;
        access.constant |= (of(Space::Const) & bit) != 0 ? entry : 0;
        access.shared |= (of(Space::Shared) & bit) != 0 ? entry : 0;
        if (const std::uint8_t of_block = rank[static_cast<unsigned>(std::countr_zero(bit)) % kVectorLanes];
            of_block != 0) {
            access.other_block |= entry;
            access.rank[static_cast<unsigned>(std::countr_zero(entry))] = static_cast<std::uint8_t>(of_block - 1);
        }
        access.local |= (of(Space::Local) & bit) != 0 ? entry : 0;
    }
    record(s, s.mask & ~untimed, access);
}

} // namespace heddle::exec
