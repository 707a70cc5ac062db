#include "exec/lane_exchange.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace heddle::exec {

using ir::MicroOp;
using ir::Sub;

namespace {

using Lanes = std::array<std::uint32_t, kPtxWarp>; // by laneid

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

std::uint32_t vote_result(Sub mode, std::uint32_t values, std::uint32_t members) {
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

// Combines the values of `lanes`, a mask that is not 0, by f.
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

// Numbers in their order as integers, -0 before +0; its own inverse.
std::uint32_t ordered(std::uint32_t bits) {
    return static_cast<std::int32_t>(bits) < 0 ? bits ^ 0x7fffffff : bits;
}

// Of numbers of single precision. A NaN is passed over, or with .NaN the result; so it is when there is nothing else.
std::uint32_t least_or_most_number(const MicroOp& op, const Lanes& values, std::uint32_t lanes) {
    constexpr std::uint32_t kMagnitude = 0x7fffffff;
    constexpr std::uint32_t kInfinity = 0x7f800000;
    constexpr std::uint32_t kNan = 0x7fffffff;
    Lanes numbers;
    for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(m));
        const auto bits = static_cast<std::uint32_t>(values[lane]);
        if ((bits & kMagnitude) <= kInfinity)
            numbers[lane] = ordered(op.has(ir::kMagnitudes) ? bits & kMagnitude : bits);
        else if (op.has(ir::kNanResult))
            return kNan;
        else
            lanes ^= 1U << lane;
    }
    return lanes == 0 ? kNan : ordered(least_or_most<std::int32_t>(op.sub, numbers, lanes));
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
        if (op.type == ir::Type::F32)
            return least_or_most_number(op, values, lanes);
        return op.type == ir::Type::S32 ? least_or_most<std::int32_t>(op.sub, values, lanes)
                                        : least_or_most<U>(op.sub, values, lanes);
    }
}

} // namespace

void LaneExchange::read(OpOfSegment ops, unsigned source, std::span<const Segment> of_warp, Lanes& values) const {
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        const Segment& s = of_warp[i];
        if (ops.is_one()) {
            lanes_.read(ops[i].src[source], s, values.data());
            continue;
        }
        Lanes here; // also of threads of the row that come from another place
        lanes_.read(ops[i].src[source], s, here.data());
        for (std::uint32_t m = lanes_.laneids(s); m != 0; m &= m - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            values[lane] = here[lane];
        }
    }
}

void LaneExchange::write_predicate(ir::Place place, const Segment& s, std::uint32_t by_laneid) const {
    if (place != ir::kNowhere)
        exec::write_predicate(s.frame, place, lanes_.reordered(s, by_laneid >> lanes_.shift_of(s)), s.mask);
}

void LaneExchange::shuffle(OpOfSegment ops, std::span<const Segment> of_warp) const {
    Lanes a, b, c, from, valid, result;
    if (state_.launch().width < kPtxWarp) // rows may be missing
        for (Lanes* lanes : {&a, &b, &c})
            lanes->fill(0);
    read(ops, 0, of_warp, a);
    read(ops, 1, of_warp, b);
    read(ops, 2, of_warp, c);
    shuffle_sources(ops.any().sub, b, c, from, valid);
    // PTX does not define the value of an inactive source lane. Programs that sum up a block of fewer than 32 threads
    // with all lanes in the mask (cuda-samples, faiss) are right when it is 0.
    if (const std::uint32_t there = lanes_.present(of_warp); there != ~0U)
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            if (((there >> lane) & 1) == 0)
                a[lane] = 0;
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        result[lane] = a[from[lane]];
    std::uint32_t bits = 0;
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        bits |= valid[lane] << lane;
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        lanes_.write(of_warp[i], ops[i].dst[0], result.data());
        write_predicate(ops[i].dst[1], of_warp[i], bits);
    }
}

void LaneExchange::vote(OpOfSegment ops, std::span<const Segment> of_warp) const {
    const std::uint32_t there = lanes_.present(of_warp);
    std::uint32_t values = 0;
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        const Segment& s = of_warp[i];
        const MicroOp& op = ops[i];
        const std::uint32_t bits = state_.predicate_bits(op.src[0], s.frame);
        values |= lanes_.reordered(s, (op.has(ir::kSourceNegated) ? ~bits : bits) & s.mask) << lanes_.shift_of(s);
    }
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        const Segment& s = of_warp[i];
        const MicroOp& op = ops[i];
        Lanes members, result;
        members.fill(~0U);
        if (op.has(ir::kHasMask))
            lanes_.read(op.src[3], s, members.data());
        std::uint32_t bits = 0;
        for (std::uint32_t m = lanes_.laneids(s); m != 0; m &= m - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            result[lane] = vote_result(op.sub, values, there & members[lane]);
            bits |= (result[lane] & 1) << lane;
        }
        if (op.sub == Sub::VoteBallot)
            lanes_.write(s, op.dst[0], result.data());
        else
            write_predicate(op.dst[0], s, bits);
    }
}

template <class F>
void LaneExchange::answer_each(OpOfSegment ops, std::span<const Segment> of_warp, F&& f) const {
    const std::uint32_t there = lanes_.present(of_warp);
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        const Segment& s = of_warp[i];
        const MicroOp& op = ops[i];
        Lanes members, result;
        members.fill(~0U);
        if (op.has(ir::kHasMask))
            lanes_.read(op.src[3], s, members.data());
        std::uint32_t bits = 0;
        for (std::uint32_t m = lanes_.laneids(s); m != 0; m &= m - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            const Answer answer = f(lane, there & members[lane]);
            result[lane] = answer.value;
            bits |= (answer.predicate ? 1U : 0U) << lane;
        }
        lanes_.write(s, op.dst[0], result.data());
        write_predicate(op.dst[1], s, bits);
    }
}

// PTX ISA, "match.sync": the present members that have the thread's value; with .all, all members or none.
void LaneExchange::match(OpOfSegment ops, std::span<const Segment> of_warp) const {
    std::array<std::uint64_t, kPtxWarp> values{};
    for (std::size_t k = 0; k < of_warp.size(); ++k) {
        const Segment& s = of_warp[k];
        const MicroOp& op = ops[k];
        const std::byte* const from = source(op.src[0], s.frame, state_.pool());
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(m));
            std::memcpy(&values[lanes_.laneid(s, i)], from + std::size_t{i} * op.src_bytes, op.src_bytes);
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
    answer_each(ops, of_warp, [&](unsigned lane, std::uint32_t among) {
        const std::uint32_t same = same_as(lane, among);
        if (ops.any().sub == Sub::VoteAny)
            return Answer{same};
        return Answer{same == among ? among : 0, same == among};
    });
}

// Most often all threads name the same members: the value of the last members is reused.
void LaneExchange::reduce(OpOfSegment ops, std::span<const Segment> of_warp) const {
    Lanes values;
    read(ops, 0, of_warp, values);
    std::uint32_t last = 0, value = 0;
    answer_each(ops, of_warp, [&](unsigned lane, std::uint32_t among) {
        among |= 1U << lane; // PTX does not define the result of a thread that is no member
        if (among != last)
            value = reduced(ops.any(), values, last = among);
        return Answer{value};
    });
}

// PTX ISA, "elect.sync": one leader for the same members at all times; here the lowest that is present.
void LaneExchange::elect(OpOfSegment ops, std::span<const Segment> of_warp) const {
    answer_each(ops, of_warp, [](unsigned lane, std::uint32_t among) {
        const auto leader = static_cast<unsigned>(std::countr_zero(among | 1U << lane));
        return Answer{leader, leader == lane};
    });
}

void LaneExchange::activemask(const MicroOp& op, std::span<const Segment> of_warp) const {
    Lanes value;
    value.fill(lanes_.present(of_warp));
    for (const Segment& s : of_warp)
        lanes_.write(s, op.dst[0], value.data());
}

} // namespace heddle::exec
