// Exchanges between the threads of a PTX warp: shfl, vote, match, redux, elect, bar.warp.sync, activemask.
//
// A PTX warp is 32 consecutive threads whatever the machine's width: several narrow rows, or half of a wide one. What
// follows works on laneids; a segment's lanes start at laneid `shift_of(segment)`.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Sub;
using warp::Group;
using warp::Outcome;
using warp::Part;

namespace {

using Lanes = std::array<std::uint32_t, kPtxWarp>;

// Calls f(span) once a PTX warp with the segments that belong to it. Reorders the segments.
template <class Key, class F>
void for_each_warp(std::span<Segment> all, const Key& key, F&& f) {
    while (!all.empty()) {
        std::size_t end = 1;
        for (std::size_t i = 1; i < all.size(); ++i)
            if (key(all[i]) == key(all[0]))
                std::swap(all[end++], all[i]);
        f(all.first(end));
        all = all.subspan(end);
    }
}

// PTX ISA, "shfl.sync": the source lane, and whether it lies in the segment, by laneid. Free of branches, so that
// compilers vectorise it.
template <Sub kMode>
void shuffle_sources(const Lanes& b, const Lanes& c, Lanes& from, Lanes& valid) {
    for (std::uint32_t lane = 0; lane < kPtxWarp; ++lane) {
        const std::uint32_t bval = b[lane] & 31;
        const std::uint32_t segment = (c[lane] >> 8) & 31;
        const std::uint32_t limit = (lane & segment) | (c[lane] & 31 & ~segment);
        std::uint32_t j = 0;
        bool inside = false;
        if constexpr (kMode == Sub::ShflUp) { // `limit` is the lower bound here; below lane 0 is outside any segment
            j = lane - bval;
            inside = static_cast<std::int32_t>(j) >= static_cast<std::int32_t>(limit);
        } else {
            j = kMode == Sub::ShflDown   ? lane + bval
                : kMode == Sub::ShflBfly ? lane ^ bval
                                         : (lane & segment) | (bval & ~segment);
            inside = j <= limit;
        }
        from[lane] = inside ? j : lane;
        valid[lane] = inside ? 1 : 0;
    }
}

void shuffle_sources(Sub mode, const Lanes& b, const Lanes& c, Lanes& from, Lanes& valid) {
    switch (mode) {
    case Sub::ShflUp:
        return shuffle_sources<Sub::ShflUp>(b, c, from, valid);
    case Sub::ShflDown:
        return shuffle_sources<Sub::ShflDown>(b, c, from, valid);
    case Sub::ShflBfly:
        return shuffle_sources<Sub::ShflBfly>(b, c, from, valid);
    default:
        return shuffle_sources<Sub::ShflIdx>(b, c, from, valid);
    }
}

std::uint32_t vote(Sub mode, std::uint32_t values, std::uint32_t members) {
    const std::uint32_t yes = values & members;
    switch (mode) {
    case Sub::VoteAll:
        return yes == members ? 1 : 0;
    case Sub::VoteAny:
        return yes != 0 ? 1 : 0;
    case Sub::VoteUni:
        return yes == members || yes == 0 ? 1 : 0;
    default:
        return yes;
    }
}

// Of the values of `lanes`, of which there is at least one.
template <class T, class F>
std::uint32_t fold(const Lanes& values, std::uint32_t lanes, F&& f) {
    auto result = static_cast<T>(values[static_cast<unsigned>(std::countr_zero(lanes))]);
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
        result = f(result, static_cast<T>(values[static_cast<unsigned>(std::countr_zero(lanes))]));
    return static_cast<std::uint32_t>(result);
}

template <class T>
std::uint32_t least_or_most(Sub operation, const Lanes& values, std::uint32_t lanes) {
    if (operation == Sub::AtomMin)
        return fold<T>(values, lanes, [](T a, T b) { return std::min(a, b); });
    return fold<T>(values, lanes, [](T a, T b) { return std::max(a, b); });
}

// PTX ISA, "redux.sync".
std::uint32_t reduced(const MicroOp& op, const Lanes& values, std::uint32_t lanes) {
    using U = std::uint32_t;
    switch (op.sub) {
    case Sub::AtomAdd: // modulo 2^32, whatever the type
        return fold<U>(values, lanes, [](U a, U b) { return a + b; });
    case Sub::AtomAnd:
        return fold<U>(values, lanes, [](U a, U b) { return a & b; });
    case Sub::AtomOr:
        return fold<U>(values, lanes, [](U a, U b) { return a | b; });
    case Sub::AtomXor:
        return fold<U>(values, lanes, [](U a, U b) { return a ^ b; });
    default:
        return op.type == ir::Type::S32 ? least_or_most<std::int32_t>(op.sub, values, lanes)
                                        : least_or_most<U>(op.sub, values, lanes);
    }
}

} // namespace

unsigned Executor::Impl::shift_of(const Segment& s) const {
    return first_thread(s) % kPtxWarp;
}

std::uint64_t Executor::Impl::warp_of(const Segment& s) const {
    return std::uint64_t{rows[s.row].slot} << 32 | first_thread(s) / kPtxWarp;
}

std::uint32_t Executor::Impl::present(std::span<const Segment> of_warp) const {
    std::uint32_t lanes = 0;
    for (const Segment& s : of_warp)
        lanes |= reordered(s, s.mask) << shift_of(s);
    return lanes;
}

std::uint32_t Executor::Impl::live_of_warp(const Segment& s) const {
    const RowState& row = rows[s.row];
    if (launch.width >= kPtxWarp)
        return reordered(s, static_cast<std::uint32_t>(row.live >> (s.half * kVectorLanes)));
    const std::uint32_t first = row.first_row + row.first_thread / kPtxWarp * kPtxWarp / launch.width;
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const std::uint32_t end = row.first_row + (threads + launch.width - 1) / launch.width;
    LaneMask live = 0;
    for (std::uint32_t i = 0; i < kPtxWarp / launch.width && first + i < end; ++i)
        live |= (rows[first + i].swizzled ? swap_pairs(rows[first + i].live) : rows[first + i].live)
                << (i * launch.width);
    return static_cast<std::uint32_t>(live);
}

template <class Word>
void Executor::Impl::read_lanes(ir::Place place, const Segment& s, Word* by_laneid) const {
    const std::byte* from = source(place, s.frame, pool);
    if (launch.width >= kVectorLanes) // of a size that compilers know
        std::memcpy(by_laneid, from, kVectorLanes * sizeof(Word));
    else
        std::memcpy(by_laneid + shift_of(s), from, launch.width * sizeof(Word));
    if (rows[s.row].swizzled)
        for (unsigned i = 0; i < std::min(launch.width, kVectorLanes); i += 2)
            std::swap(by_laneid[shift_of(s) + i], by_laneid[shift_of(s) + i + 1]);
}
template void Executor::Impl::read_lanes(ir::Place, const Segment&, std::uint32_t*) const;
template void Executor::Impl::read_lanes(ir::Place, const Segment&, std::uint64_t*) const;

std::span<Segment> Executor::Impl::gather_segments(std::span<const Part> parts, const MicroOp& op,
                                                   unsigned* threads) const {
    segments.clear();
    const unsigned n = for_each_segment(parts, op, [&](const Segment& s) { segments.push_back(s); });
    if (threads != nullptr)
        *threads = n;
    return segments;
}

bool Executor::Impl::complete(const MicroOp& op, std::span<Segment> all) const {
    if (!op.has(ir::kHasMask) && op.opcode != ir::Opcode::WarpBarrier)
        return true; // the old forms work on whoever is there
    bool ok = true;
    for_each_warp(
        all, [this](const Segment& s) { return warp_of(s); },
        [&](std::span<Segment> of_warp) {
            const std::uint32_t missing = live_of_warp(of_warp[0]) & ~present(of_warp);
            if (missing == 0)
                return;
            for (const Segment& s : of_warp) {
                Lanes masks;
                read_lanes(op.src[3], s, masks.data());
                for (std::uint32_t m = reordered(s, s.mask); m != 0; m &= m - 1)
                    ok = ok && (masks[static_cast<unsigned>(std::countr_zero(m)) + shift_of(s)] & missing) == 0;
            }
        });
    return ok;
}

void Executor::Impl::shuffle(const MicroOp& op, std::span<const Segment> of_warp) const {
    Lanes a, b, c, from, valid, result;
    if (launch.width < kPtxWarp) // rows may be missing
        for (Lanes* lanes : {&a, &b, &c})
            lanes->fill(0);
    for (const Segment& s : of_warp) {
        read_lanes(op.src[0], s, a.data());
        read_lanes(op.src[1], s, b.data());
        read_lanes(op.src[2], s, c.data());
    }
    shuffle_sources(op.sub, b, c, from, valid);
    // A lane that does not take part gives nothing defined: the thread keeps its own value.
    if (const std::uint32_t there = present(of_warp); there != ~0U)
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            if (((there >> from[lane]) & 1) == 0)
                from[lane] = lane;
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        result[lane] = a[from[lane]];
    for (const Segment& s : of_warp)
        write_lanes(s, op.dst[0], result.data());
    if (op.dst[1] == ir::kNowhere)
        return;
    std::uint32_t bits = 0;
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        bits |= valid[lane] << lane;
    for (const Segment& s : of_warp)
        write_predicate(s.frame, op.dst[1], reordered(s, bits >> shift_of(s)), s.mask);
}

void Executor::Impl::vote_over(const MicroOp& op, std::span<const Segment> of_warp) const {
    const std::uint32_t there = present(of_warp);
    std::uint32_t values = 0;
    for (const Segment& s : of_warp) {
        const std::uint32_t bits = predicate_bits(op.src[0], s.frame);
        values |= reordered(s, (op.has(ir::kSourceNegated) ? ~bits : bits) & s.mask) << shift_of(s);
    }
    for (const Segment& s : of_warp) {
        Lanes members, result;
        members.fill(~0U);
        if (op.has(ir::kHasMask))
            read_lanes(op.src[3], s, members.data());
        std::uint32_t bits = 0;
        for (std::uint32_t m = reordered(s, s.mask) << shift_of(s); m != 0; m &= m - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            result[lane] = vote(op.sub, values, there & members[lane]);
            bits |= (result[lane] & 1) << lane;
        }
        if (op.sub == Sub::VoteBallot)
            write_lanes(s, op.dst[0], result.data());
        else
            write_predicate(s.frame, op.dst[0], reordered(s, bits >> shift_of(s)), s.mask);
    }
}

// What a thread gets: a register and, where the instruction names one, a predicate.
struct Executor::Impl::Answer {
    std::uint32_t value;
    bool predicate = false;
};

// f(laneid, the members of its mask that are there) -> Answer, for each thread.
template <class F>
void Executor::Impl::answer_each(const MicroOp& op, std::span<const Segment> of_warp, F&& f) const {
    const std::uint32_t there = present(of_warp);
    for (const Segment& s : of_warp) {
        Lanes members, result;
        read_lanes(op.src[3], s, members.data());
        std::uint32_t bits = 0;
        for (std::uint32_t m = reordered(s, s.mask) << shift_of(s); m != 0; m &= m - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            const Answer answer = f(lane, there & members[lane]);
            result[lane] = answer.value;
            bits |= (answer.predicate ? 1U : 0U) << lane;
        }
        write_lanes(s, op.dst[0], result.data());
        if (op.dst[1] != ir::kNowhere)
            write_predicate(s.frame, op.dst[1], reordered(s, bits >> shift_of(s)), s.mask);
    }
}

// PTX ISA, "match.sync": who among the members is there and has a thread's value; with .all, everybody or nobody.
void Executor::Impl::match(const MicroOp& op, std::span<const Segment> of_warp) const {
    std::array<std::uint64_t, kPtxWarp> values{};
    for (const Segment& s : of_warp) {
        const std::byte* const from = source(op.src[0], s.frame, pool);
        const unsigned swizzle = rows[s.row].swizzled ? 1 : 0;
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(m));
            std::memcpy(&values[(i ^ swizzle) + shift_of(s)], from + std::size_t{i} * op.src_bytes, op.src_bytes);
        }
    }
    const auto same_as = [&](unsigned lane, std::uint32_t among) {
        std::uint32_t same = 0;
        for (std::uint32_t m = among; m != 0; m &= m - 1) {
            const auto other = static_cast<unsigned>(std::countr_zero(m));
            same |= (values[other] == values[lane] ? 1U : 0U) << other;
        }
        return same;
    };
    answer_each(op, of_warp, [&](unsigned lane, std::uint32_t among) {
        const std::uint32_t same = same_as(lane, among);
        if (op.sub == Sub::VoteAny)
            return Answer{same};
        return Answer{same == among ? among : 0, same == among};
    });
}

// Most often all threads name the same members.
void Executor::Impl::reduce(const MicroOp& op, std::span<const Segment> of_warp) const {
    Lanes values;
    for (const Segment& s : of_warp)
        read_lanes(op.src[0], s, values.data());
    std::uint32_t last = 0, value = 0;
    answer_each(op, of_warp, [&](unsigned lane, std::uint32_t among) {
        among |= 1U << lane; // PTX leaves open what a thread gets that is no member
        if (among != last)
            value = reduced(op, values, last = among);
        return Answer{value};
    });
}

// PTX ISA, "elect.sync": the same leader for the same members at all times; here the lowest of those that are there.
void Executor::Impl::elect(const MicroOp& op, std::span<const Segment> of_warp) const {
    answer_each(op, of_warp, [](unsigned lane, std::uint32_t among) {
        const auto leader = static_cast<unsigned>(std::countr_zero(among | 1U << lane));
        return Answer{leader, leader == lane};
    });
}

template <class Word>
void Executor::Impl::write_lanes(const Segment& s, ir::Place place, const Word* by_laneid) const {
    if (place == ir::kNowhere)
        return;
    const unsigned swizzle = rows[s.row].swizzled ? 1 : 0;
    if (s.mask == ~0U && swizzle == 0)
        return (sizeof(Word) == 8 ? rowops.copy64 : rowops.copy32)(
            s.frame + place, reinterpret_cast<const std::byte*>(by_laneid), s.mask);
    auto* to = reinterpret_cast<Word*>(s.frame + place);
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        to[i] = by_laneid[(i ^ swizzle) + shift_of(s)];
    }
}
template void Executor::Impl::write_lanes(const Segment&, ir::Place, const std::uint32_t*) const;
template void Executor::Impl::write_lanes(const Segment&, ir::Place, const std::uint64_t*) const;

void Executor::Impl::exchange(const MicroOp& op, std::span<Segment> all) const {
    if (op.opcode == ir::Opcode::WarpBarrier)
        return; // memory is in order anyway
    for_each_warp(
        all, [this](const Segment& s) { return warp_of(s); },
        [&](std::span<Segment> of_warp) {
            switch (op.opcode) {
            case ir::Opcode::Shfl:
                return shuffle(op, of_warp);
            case ir::Opcode::Match:
                return match(op, of_warp);
            case ir::Opcode::Redux:
                return reduce(op, of_warp);
            case ir::Opcode::Elect:
                return elect(op, of_warp);
            case ir::Opcode::Wmma:
            case ir::Opcode::Mma:
                return multiply(op, of_warp);
            case ir::Opcode::Ldmatrix:
            case ir::Opcode::Movmatrix:
                return exchange_matrices(op, of_warp);
            default:
                return vote_over(op, of_warp);
            }
        });
}

void Executor::Impl::warp_sync(const Group& group, const MicroOp& op, Outcome& outcome) {
    unsigned threads = 0;
    const std::span<Segment> all = gather_segments(parts_of(group), op, &threads);
    outcome.executed = static_cast<std::uint16_t>(threads);
    if (complete(op, all))
        return exchange(op, all);
    outcome.kind = Outcome::Kind::WarpSync;
    for (unsigned p = 0; p < group.parts; ++p)
        outcome.taken[p] = 0;
    for (const Segment& s : all)
        outcome.taken[s.part] |= LaneMask{s.mask} << (s.half * kVectorLanes);
}

void Executor::Impl::activemask(const Group& group, const MicroOp& op, Outcome& outcome) {
    unsigned threads = 0;
    const std::span<Segment> all = gather_segments(parts_of(group), op, &threads);
    outcome.executed = static_cast<std::uint16_t>(threads);
    for_each_warp(
        all, [this](const Segment& s) { return warp_of(s); },
        [&](std::span<Segment> of_warp) {
            Lanes value;
            value.fill(present(of_warp));
            for (const Segment& s : of_warp)
                write_lanes(s, op.dst[0], value.data());
        });
}

bool Executor::rendezvous_complete(Pc pc, std::span<const Part> parked) const {
    const MicroOp& op = impl_->ops[pc];
    return impl_->complete(op, impl_->gather_segments(parked, op, nullptr));
}

void Executor::execute_rendezvous(Pc pc, std::span<const Part> parked) {
    const MicroOp& op = impl_->ops[pc];
    impl_->exchange(op, impl_->gather_segments(parked, op, nullptr));
}

} // namespace heddle::exec
