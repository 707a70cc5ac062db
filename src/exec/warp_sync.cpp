#include "exec/warp_sync.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace heddle::exec {

using ir::MicroOp;
using warp::Group;
using warp::Outcome;
using warp::Part;

void WarpSync::begin() {
    segments_.reserve(std::size_t{state_.launch().rows} * state_.halves());
}

template <class Key, class F>
void WarpSync::for_each_group(const Key& key, const F& f) {
    for (std::span<Segment> all(segments_); !all.empty();) {
        std::size_t end = 1;
        for (std::size_t i = 1; i < all.size(); ++i)
            if (key(all[i]) == key(all[0]))
                std::swap(all[end++], all[i]);
        f(std::span<const Segment>(all.first(end)));
        all = all.subspan(end);
    }
}

template <class F>
void WarpSync::for_each_warp(const F& f) {
    for_each_group([this](const Segment& s) { return lanes_.warp_of(s); }, f);
}

template <class F>
void WarpSync::for_each_mask(const MicroOp& op, const Segment& s, const F& f) const {
    std::array<std::uint32_t, kPtxWarp> masks;
    lanes_.read(op.src[3], s, masks.data());
    for (std::uint32_t m = lanes_.laneids(s); m != 0; m &= m - 1) {
        const auto laneid = static_cast<unsigned>(std::countr_zero(m));
        f(laneid, masks[laneid]);
    }
}

std::uint16_t WarpSync::gather(std::span<const Part> parts, const MicroOp& op) {
    segments_.clear();
    return state_.for_each_segment(parts, op, [&](const Segment& s) { segments_.push_back(s); });
}

bool WarpSync::warpgroups_complete() {
    bool ok = true;
    const auto key = [this](const Segment& s) { return lanes_.warpgroup_of(s); };
    for_each_group(key, [&](std::span<const Segment> of_warpgroup) {
        unsigned present = 0;
        for (const Segment& s : of_warpgroup)
            present += count_lanes(s.mask);
        ok = ok && present == lanes_.live_in_warpgroup(of_warpgroup[0]);
    });
    return ok;
}

bool WarpSync::complete(const MicroOp& op) {
    if (op.is_of_warpgroup())
        return warpgroups_complete();
    if (!op.has(ir::kHasMask) && op.opcode != ir::Opcode::WarpBarrier)
        return true; // the forms without a mask work on the present threads
    bool ok = true;
    for_each_warp([&](std::span<const Segment> of_warp) {
        const std::uint32_t missing = lanes_.live_of_warp(of_warp[0]) & ~lanes_.present(of_warp);
        if (missing != 0)
            for (const Segment& s : of_warp)
                for_each_mask(op, s,
                              [&](unsigned /*laneid*/, std::uint32_t mask) { ok = ok && (mask & missing) == 0; });
        ok = ok && (ir::is_constant(op.src[3]) || all_meet(op, of_warp));
    });
    return ok;
}

bool WarpSync::all_meet(const MicroOp& op, std::span<const Segment> of_warp) const {
    std::array<std::uint32_t, kPtxWarp> masks{};
    for (const Segment& s : of_warp)
        lanes_.read(op.src[3], s, masks.data());
    if (std::equal(masks.begin() + 1, masks.end(), masks.begin()))
        return true;
    const std::uint32_t present = lanes_.present(of_warp), live = lanes_.live_of_warp(of_warp[0]);
    std::uint32_t met = 0;
    for (std::uint32_t left = present; left != 0;) {
        const std::uint32_t mask = masks[static_cast<unsigned>(std::countr_zero(left))];
        std::uint32_t same = 0;
        for (unsigned laneid = 0; laneid < kPtxWarp; ++laneid)
            same |= std::uint32_t{masks[laneid] == mask} << laneid;
        same &= left;
        left &= ~same;
        if ((mask & live & ~same) == 0)
            met |= same;
    }
    return met == present || met == 0;
}

void WarpSync::exchange(Pc pc, const MicroOp& op) {
    if (op.opcode == ir::Opcode::WarpBarrier || op.is_of_warpgroup())
        return; // memory is in order anyway
    for_each_warp([&](std::span<const Segment> of_warp) {
        switch (op.opcode) {
        case ir::Opcode::Wmma:
        case ir::Opcode::Mma:
        case ir::Opcode::Wgmma:
            return matrices_.multiply(pc, op, of_warp);
        case ir::Opcode::Ldmatrix:
        case ir::Opcode::Stmatrix:
        case ir::Opcode::Movmatrix:
            return matrices_.exchange(op, of_warp);
        default:
            return exchange_lanes(OpOfSegment(op), of_warp);
        }
    });
}

void WarpSync::exchange_lanes(OpOfSegment ops, std::span<const Segment> of_warp) {
    switch (ops.any().opcode) {
    case ir::Opcode::WarpBarrier:
        return;
    case ir::Opcode::Shfl:
        return exchange_.shuffle(ops, of_warp);
    case ir::Opcode::Match:
        return exchange_.match(ops, of_warp);
    case ir::Opcode::Redux:
        return exchange_.reduce(ops, of_warp);
    case ir::Opcode::Elect:
        return exchange_.elect(ops, of_warp);
    default:
        return exchange_.vote(ops, of_warp);
    }
}

void WarpSync::execute(const Group& group, const MicroOp& op, Outcome& outcome) {
    outcome.executed = gather(parts_of(group), op);
    if (complete(op))
        return exchange(group.pc, op);
    outcome.kind = Outcome::Kind::WarpSync;
    for (unsigned p = 0; p < group.parts; ++p)
        outcome.taken[p] = 0;
    for (const Segment& s : segments_)
        outcome.taken[s.part] |= s.lanes();
}

bool WarpSync::rendezvous_complete(Pc pc, std::span<const Part> parked) {
    const MicroOp& op = state_.code().op(pc);
    gather(parked, op);
    return complete(op);
}

void WarpSync::execute_rendezvous(Pc pc, std::span<const Part> parked) {
    const MicroOp& op = state_.code().op(pc);
    gather(parked, op);
    exchange(pc, op);
}

bool WarpSync::can_meet(Pc a, Pc b) const {
    const MicroOp& x = state_.code().op(a);
    const MicroOp& y = state_.code().op(b);
    return x.has(ir::kHasMask) && y.has(ir::kHasMask) && x.opcode == y.opcode && x.sub == y.sub && x.type == y.type &&
           x.src_bytes == y.src_bytes;
}

std::set<std::uint32_t> WarpSync::masks_of(std::span<const warp::Waiting> threads) const {
    std::set<std::uint32_t> masks;
    for (const warp::Waiting& w : threads) {
        const MicroOp& op = state_.code().op(w.pc);
        if (!op.has(ir::kHasMask))
            continue;
        state_.for_each_segment({&w.part, 1}, op, [&](const Segment& s) {
            for_each_mask(op, s, [&](unsigned /*laneid*/, std::uint32_t mask) { masks.insert(mask); });
        });
    }
    return masks;
}

void WarpSync::gather_members(std::span<const warp::Waiting> threads, std::uint32_t mask) {
    segments_.clear();
    ops_.clear();
    members_.clear();
    for (const warp::Waiting& w : threads) {
        const MicroOp& op = state_.code().op(w.pc);
        state_.for_each_segment({&w.part, 1}, op, [&](Segment s) {
            std::uint32_t laneids = 0;
            for_each_mask(op, s,
                          [&](unsigned laneid, std::uint32_t its) { laneids |= its == mask ? 1U << laneid : 0; });
            s.mask = lanes_.reordered(s, laneids >> lanes_.shift_of(s));
            if (s.mask == 0)
                return;
            segments_.push_back(s);
            ops_.push_back(&op);
            members_.push_back({w.pc, {s.row, s.lanes()}});
        });
    }
}

bool WarpSync::members_complete(std::vector<warp::Waiting>& waiting) {
    for (const std::uint32_t mask : masks_of(waiting)) {
        gather_members(waiting, mask);
        if ((mask & lanes_.live_of_warp(segments_[0]) & ~lanes_.present(segments_)) != 0)
            continue;
        waiting = members_;
        return true;
    }
    return false;
}

void WarpSync::execute_members() {
    exchange_lanes(OpOfSegment(ops_), segments_);
}

void WarpSync::activemask(const Group& group, const MicroOp& op, Outcome& outcome) {
    outcome.executed = gather(parts_of(group), op);
    for_each_warp([&](std::span<const Segment> of_warp) { exchange_.activemask(op, of_warp); });
}

} // namespace heddle::exec
