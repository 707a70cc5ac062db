// A straight line is executed with its first operation where the launch permits it, and where it begins and ends.
#include "exec/straight_lines.h"

#include "state_rig.h"

namespace heddle::exec::test {
namespace {

class Lines : public StateRig {
protected:
    // r(to) = r(to) + value
    Pc emit_add(unsigned to, std::uint32_t value, Place guard = kNowhere) {
        MicroOp op;
        op.opcode = Opcode::Add;
        op.type = Type::U32;
        op.dst[0] = r(to);
        op.src[0] = r(to);
        op.src[1] = constant32(value);
        op.guard = guard;
        return emit(op);
    }
    Pc emit_branch(Pc target, Pc reconvergence) {
        MicroOp op = control(Opcode::Bra, Kind::Branch, p(0));
        op.target = target;
        op.reconvergence = reconvergence;
        return emit(op);
    }
    void begin(unsigned width, unsigned threads) {
        start_state({width, false}, {threads, 1, 1});
        lines.begin();
    }
    [[nodiscard]] unsigned length(Pc pc) const {
        return state.code().bound(pc).line;
    }

    StepExecution steps{state};
    StraightLines lines{state, steps};
};

TEST_F(Lines, ExecutesTheLineWithItsFirstOperation) {
    const Pc first = emit_add(0, 1);
    emit_add(0, 10);
    emit_add(0, 100);
    keeps_lines_whole = true;
    begin(32, 64);
    lines.execute(group(first, 0, 32));
    EXPECT_EQ(take32(r(0), 0), 111U);
    EXPECT_EQ(take32(r(0), 32), 0U); // another row is not there yet
    lines.execute(group(first + 1, 0, 32));
    lines.execute(group(first, 32, 64));
    lines.execute(group(first + 2, 0, 32));
    EXPECT_EQ(take32(r(0), 31), 111U);
    EXPECT_EQ(take32(r(0), 63), 111U);
    lines.execute(group(first, 0, 32)); // the line once more
    EXPECT_EQ(take32(r(0), 0), 222U);
}

TEST_F(Lines, LanesThatAreOffKeepTheirValues) {
    const Pc first = emit_add(0, 1);
    emit_add(0, 10);
    keeps_lines_whole = true;
    begin(32, 32);
    lines.execute(group(first, 4, 8));
    lines.execute(group(first + 1, 4, 8));
    EXPECT_EQ(take32(r(0), 3), 0U);
    EXPECT_EQ(take32(r(0), 4), 11U);
    EXPECT_EQ(take32(r(0), 8), 0U);
}

TEST_F(Lines, OneByOneWhereGroupsMayDiffer) {
    const Pc first = emit_add(0, 1);
    emit_add(0, 10);
    begin(32, 32);
    lines.execute(group(first, 0, 32));
    EXPECT_EQ(take32(r(0), 0), 1U);
    lines.execute(group(first + 1, 0, 16)); // the others have parted
    EXPECT_EQ(take32(r(0), 0), 11U);
    EXPECT_EQ(take32(r(0), 16), 1U);
}

TEST_F(Lines, OneByOneInRowsOfTwoFrames) {
    const Pc first = emit_add(0, 1);
    emit_add(0, 10);
    keeps_lines_whole = true;
    begin(64, 64);
    lines.execute(group(first, 0, 32));
    EXPECT_EQ(take32(r(0), 0), 1U);
}

TEST_F(Lines, BeginWhereThreadsCome) {
    const Pc a = emit_add(0, 1);    // 0
    const Pc b = emit_add(0, 2);    // 1, the target of the branch
    emit_branch(b, 4);              // 2
    const Pc c = emit_add(0, 3);    // 3
    const Pc join = emit_add(0, 4); // 4, where its sides meet
    const Pc d = emit_add(0, 5);    // 5
    begin(32, 32);
    EXPECT_EQ(length(a), 1U);
    EXPECT_EQ(length(b), 1U);
    EXPECT_EQ(length(c), 1U);
    EXPECT_EQ(length(join), 2U);
    EXPECT_EQ(length(d), 1U);
}

TEST_F(Lines, EndAtGuardsAndOtherKinds) {
    const Pc a = emit_add(0, 1);
    const Pc b = emit_add(0, 1);
    const Pc guarded = emit_add(0, 1, p(1));
    const Pc c = emit_add(0, 1);
    emit(special(ir::SpecialRegister::TidX, r(1)));
    const Pc d = emit_add(0, 1);
    begin(32, 32);
    EXPECT_EQ(length(a), 2U);
    EXPECT_EQ(length(b), 1U);
    EXPECT_EQ(length(guarded), 1U);
    EXPECT_EQ(length(c), 1U);
    EXPECT_EQ(length(d), 1U);
}

TEST_F(Lines, ModulesThatComeLaterHaveLinesOfTheirOwn) {
    const Pc a = emit_add(0, 1);
    emit_add(0, 1);
    begin(32, 32);
    emit_add(0, 1); // of the next module: no thread runs into it
    const Pc b = emit_add(0, 1);
    emit_add(0, 1);
    begin(32, 32);
    EXPECT_EQ(length(a), 2U);
    EXPECT_EQ(length(b), 2U);
}

TEST_F(Lines, ALongLineIsDivided) {
    const Pc first = emit_add(0, 1);
    for (unsigned i = 1; i < 600; ++i)
        emit_add(0, 1);
    keeps_lines_whole = true;
    begin(32, 32);
    for (Pc pc = first; pc < first + 600; ++pc)
        lines.execute(group(pc, 0, 32));
    EXPECT_EQ(take32(r(0), 7), 600U);
    EXPECT_LE(length(first), 255U);
}

} // namespace
} // namespace heddle::exec::test
