#include "rig.h"

namespace heddle::exec::test {
namespace {

class WarpSync : public Rig, public ::testing::WithParamInterface<Rows> {
protected:
    MicroOp shfl(Sub mode, std::uint32_t b, std::uint32_t c, std::uint32_t members = ~0U) {
        MicroOp op;
        op.opcode = Opcode::Shfl;
        op.kind = Kind::WarpSync;
        op.type = Type::B32;
        op.sub = mode;
        op.flags = ir::kHasMask;
        op.dst = {r(1), p(1), kNowhere, kNowhere};
        op.src = {r(0), constant32(b), constant32(c), constant32(members), kNowhere};
        return op;
    }
    MicroOp vote(Sub mode, Place members) {
        MicroOp op;
        op.opcode = Opcode::Vote;
        op.kind = Kind::WarpSync;
        op.sub = mode;
        op.flags = ir::kHasMask;
        op.dst[0] = mode == Sub::VoteBallot ? r(1) : p(1);
        op.src = {p(0), kNowhere, kNowhere, members, kNowhere};
        return op;
    }
    void values() {
        for (unsigned t = 0; t < 64; ++t)
            set(r(0), t, 100 + t);
    }
};
INSTANTIATE_TEST_SUITE_P(Rows, WarpSync, ::testing::ValuesIn(kRows), rows_name);

// __shfl_*_sync as CUDA's headers give c: (32 - width) << 8 | (mode is up ? 0 : 31).
TEST_P(WarpSync, ShuffleModes) {
    const Pc up = emit(shfl(Sub::ShflUp, 3, 0));
    const Pc down = emit(shfl(Sub::ShflDown, 5, 31));
    const Pc bfly = emit(shfl(Sub::ShflBfly, 9, 31));
    const Pc idx = emit(shfl(Sub::ShflIdx, 37, 31)); // b modulo 32
    start(GetParam(), {64});
    values();
    const auto check = [&](Pc pc, auto&& source) {
        run(pc);
        EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
        EXPECT_EQ(outcome.executed, 64);
        for (unsigned t = 0; t < 64; ++t) {
            const unsigned lane = t % 32;
            const auto [from, valid] = source(lane);
            EXPECT_EQ(get(r(1), t), 100 + t - lane + (valid ? from : lane)) << t;
            EXPECT_EQ(predicate(p(1), t), valid) << t;
        }
    };
    using From = std::pair<unsigned, bool>;
    check(up, [](unsigned lane) { return From{lane - 3, lane >= 3}; });
    check(down, [](unsigned lane) { return From{lane + 5, lane + 5 < 32}; });
    check(bfly, [](unsigned lane) { return From{lane ^ 9U, true}; });
    check(idx, [](unsigned) { return From{5, true}; });
}

TEST_P(WarpSync, ShuffleSegments) {
    const std::uint32_t eight = (32 - 8) << 8; // width 8
    const Pc up = emit(shfl(Sub::ShflUp, 3, eight));
    const Pc down = emit(shfl(Sub::ShflDown, 3, eight | 31));
    const Pc bfly = emit(shfl(Sub::ShflBfly, 12, eight | 31)); // leaves the segment: below it is allowed, above not
    const Pc idx = emit(shfl(Sub::ShflIdx, 10, eight | 31));   // b modulo 8
    start(GetParam(), {64});
    values();
    const auto check = [&](Pc pc, auto&& source) {
        run(pc);
        for (unsigned t = 0; t < 64; ++t) {
            const auto [from, valid] = source(t % 32);
            EXPECT_EQ(get(r(1), t), 100 + (valid ? t / 32 * 32 + from : t)) << t;
            EXPECT_EQ(predicate(p(1), t), valid) << t;
        }
    };
    using From = std::pair<unsigned, bool>;
    check(up, [](unsigned lane) { return From{lane - 3, lane % 8 >= 3}; });
    check(down, [](unsigned lane) { return From{lane + 3, lane % 8 + 3 < 8}; });
    check(bfly, [](unsigned lane) { return From{lane ^ 12U, (lane ^ 12U) <= (lane | 7U)}; });
    check(idx, [](unsigned lane) { return From{lane / 8 * 8 + 2, true}; });
}

// Undefined in PTX; sums in cuda-samples and faiss count on 0.
TEST_P(WarpSync, SourcesThatDoNotTakePartGiveZero) {
    MicroOp op = shfl(Sub::ShflIdx, 1, 31);
    op.flags = 0; // the form without .sync takes the threads that are present
    const Pc idx = emit(op);
    start(GetParam(), {64});
    values();
    for (unsigned t = 0; t < 64; ++t)
        set(r(1), t, 7);
    Group g;
    g.pc = idx;
    for (unsigned t = 0; t < 64; t += 2)
        add(g, t, t + 1);
    run(g);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
    EXPECT_EQ(outcome.executed, 32);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(get(r(1), t), t % 2 == 0 ? 0U : 7U);
}

TEST_P(WarpSync, Votes) {
    const Place everyone = constant32(~0U);
    const Pc all = emit(vote(Sub::VoteAll, everyone));
    const Pc any = emit(vote(Sub::VoteAny, everyone));
    const Pc uni = emit(vote(Sub::VoteUni, everyone));
    const Pc ballot = emit(vote(Sub::VoteBallot, everyone));
    start(GetParam(), {64});
    const auto check = [&](std::uint32_t first, std::uint32_t second) {
        for (unsigned t = 0; t < 64; ++t)
            set_predicate(p(0), t, (((t < 32 ? first : second) >> (t % 32)) & 1) != 0);
        for (const auto& [pc, expected] : {std::pair{all, std::pair{first == ~0U, second == ~0U}},
                                           std::pair{any, std::pair{first != 0, second != 0}},
                                           std::pair{uni, std::pair{first + 1 <= 1, second + 1 <= 1}}}) {
            run(pc);
            for (unsigned t = 0; t < 64; ++t)
                EXPECT_EQ(predicate(p(1), t), t < 32 ? expected.first : expected.second);
        }
        run(ballot);
        for (unsigned t = 0; t < 64; ++t)
            EXPECT_EQ(get(r(1), t), t < 32 ? first : second);
    };
    check(0, ~0U);
    check(0x80000001, 0xfffffffe);
}

// Lanes 0 to 2 wait for all lanes with the mask of all, which the others have not yet.
TEST_P(WarpSync, ThreadsWaitForOthersOfTheirOwnMask) {
    const Pc ballot = emit(vote(Sub::VoteBallot, r(2)));
    start(GetParam(), {32});
    Group all;
    all.pc = ballot;
    for (unsigned t = 0; t < 32; ++t) {
        set(r(2), t, t < 3 ? ~0U : ~7U);
        set_predicate(p(0), t, true);
    }
    add(all, 0, 32);
    run(all);
    EXPECT_EQ(outcome.kind, Outcome::Kind::WarpSync);
    std::vector<Part> parked(all.part.begin(), all.part.begin() + all.parts);
    EXPECT_FALSE(executor->rendezvous_complete(ballot, parked));
    std::vector<warp::Waiting> waiting;
    for (const Part& part : parked)
        waiting.push_back({ballot, part});
    EXPECT_TRUE(executor->meet_by_mask(waiting));
    unsigned met = 0;
    for (const warp::Waiting& w : waiting)
        met += count_lanes(w.part.lanes);
    EXPECT_EQ(met, 29U);
    for (unsigned t = 0; t < 32; ++t)
        EXPECT_EQ(get(r(1), t), t < 3 ? 0U : ~7U);
}

// Undefined in PTX: no mask has all its members here with this mask, and no other thread can come.
TEST_P(WarpSync, MasksOfWhichNoneIsCompleteDoNotWait) {
    const Pc ballot = emit(vote(Sub::VoteBallot, r(2)));
    start(GetParam(), {32});
    Group all;
    all.pc = ballot;
    for (unsigned t = 0; t < 32; ++t) {
        set(r(2), t, ~0U << (t < 16 ? t : 0));
        set_predicate(p(0), t, true);
    }
    add(all, 0, 32);
    run(all);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
    EXPECT_EQ(outcome.executed, 32);
}

TEST_P(WarpSync, DivergedThreadsMeet) {
    const Pc bfly = emit(shfl(Sub::ShflBfly, 1, 31, 0x00ffffff));
    const Pc exit = emit(control(Opcode::Exit, Kind::Exit));
    start(GetParam(), {64});
    values();
    Group even, odd;
    even.pc = odd.pc = bfly;
    for (unsigned t = 0; t < 24; ++t)
        add(t % 2 == 0 ? even : odd, t, t + 1);
    run(even);
    EXPECT_EQ(outcome.kind, Outcome::Kind::WarpSync);
    EXPECT_EQ(outcome.executed, 12);
    EXPECT_EQ(outcome.taken[0], even.part[0].lanes);
    EXPECT_EQ(get(r(1), 0), 0U);
    std::vector<Part> parked(even.part.begin(), even.part.begin() + even.parts);
    EXPECT_FALSE(executor->rendezvous_complete(bfly, parked));
    run(odd);
    EXPECT_EQ(outcome.kind, Outcome::Kind::WarpSync);
    parked.insert(parked.end(), odd.part.begin(), odd.part.begin() + odd.parts);
    EXPECT_TRUE(executor->rendezvous_complete(bfly, parked)); // lanes 24 and up are no members
    executor->execute_rendezvous(bfly, parked);
    for (unsigned t = 0; t < 24; ++t)
        EXPECT_EQ(get(r(1), t), 100 + (t ^ 1U));
    EXPECT_EQ(get(r(1), 24), 0U);

    // Members that are gone are not waited for.
    parked.resize(even.parts);
    EXPECT_FALSE(executor->rendezvous_complete(bfly, parked));
    odd.pc = exit;
    run(odd);
    EXPECT_TRUE(executor->rendezvous_complete(bfly, parked));
    run(even);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
    EXPECT_EQ(get(r(1), 2), 0U); // its source is gone
}

TEST_P(WarpSync, MasksOfOneWarpMayDiffer) {
    const Pc ballot = emit(vote(Sub::VoteBallot, r(2)));
    start(GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set(r(2), t, t % 32 < 16 ? 0x0000ffff : 0xffff0000);
        set_predicate(p(0), t, t % 4 == 0);
    }
    run(group(ballot, 32, 48)); // half of the second warp, all that its masks name
    EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
    EXPECT_EQ(get(r(1), 40), 0x1111U);
    run(group(ballot, 0, 32));
    EXPECT_EQ(get(r(1), 3), 0x1111U);
    EXPECT_EQ(get(r(1), 30), 0x11110000U);
    run(group(ballot, 0, 47));
    EXPECT_EQ(outcome.kind, Outcome::Kind::WarpSync); // thread 47 is missing
}

TEST_P(WarpSync, WarpBarrierAndActivemask) {
    MicroOp bar = control(Opcode::WarpBarrier, Kind::WarpSync);
    bar.flags = ir::kHasMask;
    bar.src[3] = constant32(~0U);
    const Pc barrier = emit(bar);
    MicroOp mask = control(Opcode::Activemask, Kind::Special, p(0));
    mask.dst[0] = r(1);
    const Pc active = emit(mask);
    start(GetParam(), {64});
    run(barrier);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
    run(group(barrier, 1, 32));
    EXPECT_EQ(outcome.kind, Outcome::Kind::WarpSync);
    for (unsigned t = 0; t < 64; ++t)
        set_predicate(p(0), t, t != 50);
    run(group(active, 4, 52));
    EXPECT_EQ(get(r(1), 5), 0xfffffff0U);
    EXPECT_EQ(get(r(1), 33), 0x000bffffU);
    EXPECT_EQ(get(r(1), 50), 0U);
    EXPECT_EQ(outcome.executed, 47);
}

} // namespace
} // namespace heddle::exec::test
