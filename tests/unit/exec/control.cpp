#include "rig.h"

namespace heddle::exec::test {
namespace {

class Control : public Rig, public ::testing::WithParamInterface<unsigned> {
protected:
    [[nodiscard]] unsigned parts() const {
        return 64 / GetParam();
    }
    LaneMask taken_by(unsigned thread) {
        return (outcome.taken[thread / GetParam()] >> (thread % GetParam())) & 1;
    }
};
INSTANTIATE_TEST_SUITE_P(Widths, Control, ::testing::Values(8U, 32U, 64U));

TEST_P(Control, BranchesTakeByGuard) {
    MicroOp op = control(Opcode::Bra, Kind::Branch, p(0));
    op.target = 40;
    const Pc guarded = emit(op);
    op.guard = kNowhere;
    const Pc always = emit(op);
    start(GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t)
        set_predicate(p(0), t, t % 5 == 0);
    run(guarded);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Branch);
    EXPECT_EQ(outcome.target, 40U);
    EXPECT_EQ(outcome.executed, 13);
    EXPECT_EQ(outcome.depth_change, 0);
    EXPECT_FALSE(outcome.diverges_at_return);
    EXPECT_EQ(access.count, 0);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(taken_by(t), t % 5 == 0 ? 1U : 0U);
    EXPECT_EQ(executor->guard(guarded, 0, 0xff), 0x21U);
    run(always);
    EXPECT_EQ(outcome.executed, 64);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(taken_by(t), 1U);
}

TEST_P(Control, ExitEndsThreadsAndReturnOfAnEntryDoesToo) {
    const Pc exit = emit(control(Opcode::Exit, Kind::Exit, p(0), true));
    const Pc ret = emit(control(Opcode::Ret, Kind::Return, p(1)));
    start(GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set_predicate(p(0), t, t != 3);
        set_predicate(p(1), t, t == 4);
    }
    EXPECT_EQ(executor->live(0) & 0xff, 0xffU);
    run(exit);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Exit);
    EXPECT_EQ(taken_by(3), 1U);
    EXPECT_EQ(taken_by(4), 0U);
    EXPECT_EQ(executor->live(0) & 0xff, 0xf7U);
    run(ret);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Exit);
    EXPECT_EQ(executor->live(0) & 0xff, 0xe7U);
}

TEST_P(Control, RowsFilledInPartHaveFewerLiveThreads) {
    emit(control(Opcode::Exit, Kind::Exit));
    start(GetParam(), {70}, 2);
    LaneMask live = 0;
    for (unsigned row = 0; row < 2 * rows_a_block; ++row) {
        live = executor->live(static_cast<RowId>(row));
        EXPECT_EQ(executor->block_slot(static_cast<RowId>(row)), row / rows_a_block);
    }
    EXPECT_EQ(live, first_lanes(70 % GetParam() == 0 ? GetParam() : 70 % GetParam()));
    EXPECT_EQ(executor->describe_thread(static_cast<RowId>(rows_a_block), 1), "block (1,0,0) thread (1,0,0)");
}

TEST_P(Control, CallsPassBytesAndReturnWhereTheyCameFrom) {
    kernel().local_bytes = 32;
    ir::Call site;
    site.arguments = {{0, 16, 8}};
    site.results = {{24, 8, 4}};
    program.calls = {site, site};
    MicroOp call = control(Opcode::Call, Kind::Call, p(0));
    call.target = 4;
    call.imm = 0;
    const Pc first = emit(call);
    call.guard_negated = true;
    call.imm = 1;
    const Pc second = emit(call);
    const Pc argument = emit(load(Type::U64, Space::Local, rd(0), kNowhere, 16));
    const Pc result = emit(store(Type::U32, Space::Local, kNowhere, r(0), 24));
    MicroOp op = control(Opcode::Bra, Kind::Branch);
    op.flags = ir::kDivergesAtReturn;
    const Pc branch = emit(op);
    const Pc ret = emit(control(Opcode::Ret, Kind::Return, p(1)));
    const Pc put = emit(store(Type::U64, Space::Local, kNowhere, rd(1), 0));
    const Pc get_result = emit(load(Type::U32, Space::Local, r(1), kNowhere, 8));
    start(GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set_predicate(p(0), t, t < 40);
        set_predicate(p(1), t, t != 7);
        set64(rd(1), t, 7000 + t);
        set(r(0), t, 300 + t);
    }
    run(put);
    run(first);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Branch);
    EXPECT_EQ(outcome.target, 4U);
    EXPECT_EQ(outcome.depth_change, 1);
    EXPECT_EQ(outcome.executed, 40);
    EXPECT_EQ(taken_by(39), 1U);
    EXPECT_EQ(taken_by(40), 0U);
    run(second);
    run(argument);
    run(result);
    run(group(branch, 45, 64));
    EXPECT_TRUE(outcome.diverges_at_return);
    EXPECT_EQ(outcome.return_pc, second + 1);
    EXPECT_EQ(get64(rd(0), 50), 7050U);

    Group g = group(ret, 0, 64);
    run(g);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Indirect);
    EXPECT_EQ(outcome.depth_change, -1);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(taken_by(t), t == 7 ? 0U : 1U);
        EXPECT_EQ(outcome.each[t], t == 7 ? ret + 1 : t < 40 ? first + 1 : second + 1) << t;
    }
    for (unsigned t = 0; t < 64; ++t)
        set_predicate(p(1), t, true);
    run(group(ret, 7, 8));
    EXPECT_EQ(outcome.kind, Outcome::Kind::Branch);
    EXPECT_EQ(outcome.target, first + 1);
    run(get_result);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(get(r(1), t), 300 + t);
    EXPECT_EQ(executor->live(0) & 0xff, 0xffU);
}

TEST_P(Control, RecursionPutsRegistersAside) {
    kernel().local_bytes = 16;
    ir::Call site;
    site.save_slot = 8; // the 64-bit registers lie in front of the others
    site.save_slots = kSlots - 8;
    site.save_wide = {0, 2, 4, 6};
    site.save_predicates = kPredicates;
    site.save_param_bytes = 8;
    site.results = {{0, 4, 4}}; // from and to lie in what is put aside
    program.calls = {site};
    MicroOp call = control(Opcode::Call, Kind::Call);
    call.target = 0;
    const Pc self = emit(call);
    const Pc ret = emit(control(Opcode::Ret, Kind::Return));
    const Pc put = emit(store(Type::U64, Space::Local, kNowhere, rd(1), 0));
    const Pc look = emit(load(Type::U64, Space::Local, rd(2), kNowhere, 0));
    start(GetParam(), {64});
    const auto fill = [&](std::uint32_t seed) {
        for (unsigned t = 0; t < 64; ++t) {
            set64(rd(1), t, (std::uint64_t{seed + 1} << 32) + seed + t);
            set(r(15), t, seed + 2 * t);
            set_predicate(p(3), t, (t + seed) % 3 == 0);
        }
    };
    fill(100);
    run(put);
    run(self);
    fill(200);
    run(put);
    run(group(self, 0, 20)); // some go one level deeper
    fill(300);
    run(put);
    run(group(ret, 0, 20));
    run(look);
    for (unsigned t = 0; t < 64; ++t) {
        const std::uint64_t seed = t < 20 ? 200 : 300;
        EXPECT_EQ(get64(rd(1), t), ((seed + 1) << 32) + seed + t);
        EXPECT_EQ(get(r(15), t), seed + 2 * t);
        EXPECT_EQ(predicate(p(3), t), (t + seed) % 3 == 0);
        // The result is the callee's low word at the caller's offset 4; offset 0 is the caller's own again.
        EXPECT_EQ(get64(rd(2), t),
                  t < 20 ? (std::uint64_t{300 + t} << 32) + 200 + t : (std::uint64_t{301} << 32) + 300 + t);
    }
    run(ret);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get64(rd(1), t), (std::uint64_t{101} << 32) + 100 + t);
        EXPECT_EQ(get(r(15), t), 100 + 2 * t);
        EXPECT_EQ(predicate(p(3), t), (t + 100) % 3 == 0);
    }
    for (unsigned i = 0; i < 1024; ++i)
        run(self);
    EXPECT_NE(fault_of(group(self, 5, 6)).find("calls nest deeper than 1024 levels"), std::string::npos);
}

TEST_P(Control, BarrierTellsWhoWaits) {
    MicroOp sync = control(Opcode::Bar, Kind::Barrier, p(0));
    sync.sub = Sub::BarSync;
    sync.src[0] = constant32(3);
    const Pc bar_sync = emit(sync);
    MicroOp arrive = control(Opcode::Bar, Kind::Barrier);
    arrive.sub = Sub::BarArrive;
    arrive.src[0] = r(0);
    arrive.src[1] = constant32(96);
    const Pc bar_arrive = emit(arrive);
    start(GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set_predicate(p(0), t, t >= 2);
        set(r(0), t, 9);
    }
    run(bar_sync);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Barrier);
    EXPECT_EQ(taken_by(1), 0U);
    EXPECT_EQ(taken_by(2), 1U);
    Executor::BarrierUse use = executor->barrier_use(group(bar_sync, 0, 64));
    EXPECT_FALSE(use.reduces);
    EXPECT_EQ(use.number, 3U);
    EXPECT_EQ(use.threads, 0U);
    run(bar_arrive);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Barrier);
    EXPECT_EQ(outcome.executed, 64);
    EXPECT_EQ(taken_by(2), 0U);
    use = executor->barrier_use(group(bar_arrive, 0, 64));
    EXPECT_EQ(use.number, 9U);
    EXPECT_EQ(use.threads, 96U);
}

TEST_P(Control, BarrierReductions) {
    std::vector<Pc> pcs;
    for (const Sub sub : {Sub::BarRedPopc, Sub::BarRedAnd, Sub::BarRedOr}) {
        MicroOp op = control(Opcode::Barrier, Kind::Barrier);
        op.sub = sub;
        op.dst[0] = sub == Sub::BarRedPopc ? r(0) : sub == Sub::BarRedAnd ? p(1) : p(2);
        op.src[2] = p(0);
        pcs.push_back(emit(op));
    }
    start(GetParam(), {64});
    const Group all = group(0, 0, 64);
    const auto waiting = [&](Pc pc) {
        std::vector<warp::Waiting> out;
        for (unsigned i = 0; i < all.parts; ++i)
            out.push_back({pc, all.part[i]});
        return out;
    };
    const auto reduce = [&](unsigned true_below) {
        for (unsigned t = 0; t < 64; ++t)
            set_predicate(p(0), t, t < true_below);
        for (const Pc pc : pcs)
            executor->execute_barrier_reduction(waiting(pc));
        for (unsigned t = 0; t < 64; ++t) {
            EXPECT_EQ(get(r(0), t), true_below);
            EXPECT_EQ(predicate(p(1), t), true_below == 64);
            EXPECT_EQ(predicate(p(2), t), true_below != 0);
        }
    };
    reduce(0);
    reduce(37);
    reduce(64);
}

TEST_P(Control, UnsupportedKernelsAreNamedWithTheirLines) {
    MicroOp op = control(Opcode::Tanh, Kind::Alu);
    op.type = Type::F32;
    emit(control(Opcode::Membar, Kind::Fence));
    emit(op, "tanh.approx.f32 %f1, %f2;");
    emit(control(Opcode::Call, Kind::Nop));
    kernel().undefined_calls = {{2, "vprintf"}};
    start(GetParam(), {64});
    EXPECT_EQ(executor->unsupported(kernel()),
              "t.ptx:3:5: error: 'tanh.approx.f32' cannot be executed yet (kernel 'k')\n    tanh.approx.f32 %f1, %f2;\n"
              "t.ptx:4:5: error: 'vprintf' is called but has no body (kernel 'k')\n");
    run(0);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Next);
    EXPECT_EQ(outcome.executed, 64);
}

} // namespace
} // namespace heddle::exec::test
