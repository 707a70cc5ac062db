#include "exec/observer.h"

#include <array>
#include <bit>
#include <cstring>

#include "exec/executor.h"
#include "exec/lane_access.h"
#include "ir/async_copy.h"

namespace heddle::exec {

using check::Event;
using check::How;
using check::Space;
using check::Strength;
using ir::Kind;
using ir::MicroOp;

namespace {

template <class F>
void for_each_bit(LaneMask mask, F&& f) {
    for (; mask != 0; mask &= mask - 1)
        f(static_cast<unsigned>(std::countr_zero(mask)));
}

How how_of(const MicroOp& op) {
    return op.kind == Kind::Atomic ? How::Atomic : ir::stores(op.kind) ? How::Write : How::Read;
}

// PTX ISA: a volatile access is a relaxed one of system scope.
Strength strength_of(const MicroOp& op) {
    if (op.kind != Kind::Atomic && !op.has(ir::kStrong) && !op.has(ir::kVolatile))
        return Strength::Weak;
    return op.has(ir::kBlockScope) ? Strength::Block : Strength::Device;
}

} // namespace

std::uint32_t Observer::block(RowId row) const {
    const Dim3 at = state_.ctaid(row), grid = state_.launch().grid;
    return at.x + grid.x * (at.y + grid.y * at.z);
}

check::ThreadId Observer::thread(RowId row, unsigned lane) const {
    return block(row) * static_cast<std::uint32_t>(state_.launch().block.count()) + state_.thread_of(row, lane);
}

Address Observer::shared_address(RowId row, std::uint32_t offset) const {
    return check::shared_address(block(row), offset);
}

// Ranks of a cluster count with x fastest, from the cluster's first block on.
Address Observer::shared_address(RowId row, unsigned rank, std::uint32_t offset) const {
    const Dim3 grid = state_.launch().grid, cluster = state_.launch().cluster, own = state_.ctaid(row);
    const std::uint32_t x = own.x / cluster.x * cluster.x + rank % cluster.x;
    const std::uint32_t y = own.y / cluster.y * cluster.y + rank / cluster.x % cluster.y;
    const std::uint32_t z = own.z / cluster.z * cluster.z + rank / cluster.x / cluster.y;
    return check::shared_address(x + grid.x * (y + grid.y * z), offset);
}

void Observer::add_threads(RowId row, LaneMask lanes) {
    for_each_bit(lanes, [&](unsigned lane) { log_.add_thread(thread(row, lane)); });
}

void Observer::starts_block(Dim3 ctaid) {
    const Dim3 grid = state_.launch().grid;
    log_.add(Event::Kind::Start, 0).block = ctaid.x + grid.x * (ctaid.y + grid.y * ctaid.z);
}

void Observer::note_members(Pc pc, std::span<const warp::Part> parts) {
    const MicroOp& op = state_.code().op(pc);
    const bool masked = op.has(ir::kHasMask) && op.src[3] != ir::kNowhere;
    members_.clear();
    members_pc_ = pc;
    state_.for_each_segment(parts, op, [&](const Segment& s) {
        std::array<std::uint32_t, kPtxWarp> masks;
        masks.fill(op.is_of_warpgroup() ? 0 : ~0U);
        if (masked)
            lanes_.read(op.src[3], s, masks.data());
        for_each_lane(s.mask, [&](unsigned i) {
            members_.push_back({thread(s.row, s.lane(i)), masks[lanes_.laneid(s, i) % kPtxWarp]});
        });
    });
}

void Observer::members_meet() {
    if (members_.empty())
        return;
    log_.add(Event::Kind::WarpMeets, members_pc_);
    for (const Member& member : members_) {
        log_.add_thread(member.thread);
        log_.add_address(member.mask);
    }
}

// The threads of the group with a true guard.
void Observer::add_event(Event::Kind kind, const warp::Group& group) {
    const MicroOp& op = state_.code().op(group.pc);
    Event& e = log_.add(kind, group.pc);
    e.scope = op.has(ir::kBlockScope) ? check::Scope::Block : check::Scope::Device;
    if (kind == Event::Kind::WaitsForCopies) {
        e.all = op.imm == ir::async_copy::kWaitForAll;
        e.number = e.all ? 0 : static_cast<std::uint32_t>(op.imm);
    }
    state_.for_each_segment(parts_of(group), op, [&](const Segment& s) { add_threads(s.row, s.lanes()); });
}

void Observer::executed(const warp::Group& group, const warp::Outcome& outcome, const Access& access) {
    const MicroOp& op = state_.code().op(group.pc);
    if (outcome.kind == warp::Outcome::Kind::Exit) {
        log_.add(Event::Kind::Exits, group.pc);
        for (unsigned p = 0; p < group.parts; ++p)
            add_threads(group.part[p].row, outcome.taken[p]);
        return;
    }
    if (op.kind == Kind::Fence)
        return add_event(Event::Kind::Fence, group);
    if (op.kind == Kind::Nop && op.has(ir::kAsyncCopy))
        return add_event(op.imm == ir::async_copy::kCloseGroup ? Event::Kind::ClosesGroup : Event::Kind::WaitsForCopies,
                         group);
    if (access.count == 0 || op.opcode == ir::Opcode::CpBulk)
        return;
    add_access(group, op, access, Space::Global, access.global);
    add_access(group, op, access, Space::Shared, access.shared);
    add_access(group, op, access, Space::Local, access.local);
    if (op.opcode == ir::Opcode::Suld)
        add_access(group, op, access, Space::Global, first_lanes(access.count));
}

void Observer::copied(const warp::Group& group, const MicroOp& store, const Access& written) {
    add_access(group, store, written, Space::Shared, written.shared);
}

void Observer::add_access(const warp::Group& group, const MicroOp& op, const Access& access, Space space,
                          std::uint64_t entries) {
    if (entries == 0)
        return;
    Event& e = log_.add(Event::Kind::Access, group.pc);
    e.how = how_of(op);
    e.strength = strength_of(op);
    e.space = space;
    e.acquires = op.has(ir::kAcquire);
    e.releases = op.has(ir::kRelease);
    e.by_copy = op.has(ir::kAsyncCopy);
    e.bytes = access.bytes;
    for_each_bit(entries, [&](unsigned i) {
        const RowId row = access.row[i];
        const auto offset = static_cast<std::uint32_t>(access.address[i]);
        log_.add_thread(thread(row, access.lane[i]));
        if (space != Space::Shared)
            log_.add_address(access.address[i]);
        else if ((access.other_block >> i & 1) != 0)
            log_.add_address(shared_address(row, access.rank[i], offset));
        else
            log_.add_address(shared_address(row, offset));
    });
    e.has_values = op.kind == Kind::Store;
    if (e.has_values)
        add_values(op, access, entries);
}

void Observer::add_values(const MicroOp& op, const Access& access, std::uint64_t entries) {
    const unsigned element = access.bytes / op.vector;
    for_each_bit(entries, [&](unsigned i) {
        std::byte* const to = log_.add_value(access.bytes);
        const unsigned lane = access.lane[i];
        const std::byte* const frame = state_.frame(access.row[i], lane / kVectorLanes);
        for (unsigned n = 0; n < op.vector; ++n)
            std::memcpy(to + std::size_t{n} * element,
                        source(op.src[1 + n], frame, state_.pool()) + std::size_t{lane % kVectorLanes} * op.src_bytes,
                        element);
    });
}

// A bulk store is a micro-op for each piece: they are one place in reports.
Pc Observer::first_of_instruction(Pc pc) const {
    const std::vector<ir::Origin>& origins = state_.code().program().origins;
    const auto same = [](const ir::Origin& a, const ir::Origin& b) {
        return a.unit == b.unit && a.where.line == b.where.line && a.where.column == b.where.column;
    };
    while (pc != 0 && same(origins[pc - 1], origins[pc]))
        --pc;
    return pc;
}

void Observer::accesses_range(Pc pc, RowId row, unsigned lane, Space space, How how, Address begin, std::uint64_t bytes,
                              const std::byte* value) {
    const std::uint64_t piece = std::uint64_t{1} << std::countr_zero(begin | bytes | 16);
    Event& e = log_.add(Event::Kind::Access, first_of_instruction(pc));
    e.how = how;
    e.strength = how == How::Atomic ? Strength::Device : Strength::Weak;
    e.space = space;
    e.bytes = static_cast<std::uint8_t>(piece);
    e.has_values = value != nullptr;
    for (std::uint64_t at = 0; at < bytes; at += piece) {
        log_.add_thread(thread(row, lane));
        log_.add_address(begin + at);
        if (value != nullptr)
            std::memcpy(log_.add_value(piece), value + at, piece);
    }
}

void Observer::arrives(Pc pc, RowId row, LaneMask lanes, LaneMask waits, unsigned number, unsigned expected) {
    const MicroOp& op = state_.code().op(pc);
    for (const LaneMask part : {waits, lanes & ~waits}) {
        if (part == 0)
            continue;
        Event& e = log_.add(Event::Kind::Arrives, pc);
        e.block = block(row);
        e.number = number;
        e.expected = expected;
        e.waits = part == waits;
        e.aligned = op.opcode == ir::Opcode::Bar || op.has(ir::kAligned);
        add_threads(row, part);
    }
}

void Observer::completes(RowId row, unsigned number) {
    Event& e = log_.add(Event::Kind::Completes, 0);
    e.block = block(row);
    e.number = number;
}

void Observer::arrives_at_cluster(RowId row, LaneMask lanes) {
    log_.add(Event::Kind::ClusterArrives, 0).block =
        static_cast<std::uint32_t>(state_.launch().cluster_of(state_.ctaid(row)));
    add_threads(row, lanes);
}

void Observer::waits_for_cluster(Pc pc, RowId row, LaneMask lanes) {
    log_.add(Event::Kind::ClusterWaits, pc).block =
        static_cast<std::uint32_t>(state_.launch().cluster_of(state_.ctaid(row)));
    add_threads(row, lanes);
}

void Observer::completes_cluster(std::uint64_t cluster) {
    log_.add(Event::Kind::ClusterComplete, 0).block = static_cast<std::uint32_t>(cluster);
}

} // namespace heddle::exec
