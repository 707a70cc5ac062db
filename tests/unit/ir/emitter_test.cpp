// Labels, guards and targets of branches; places and parameter memory.
#include <gmock/gmock.h>

#include "ir/selection/make_op.h"
#include "parts.h"

namespace heddle::ir {
namespace {

using test::Parts;
using ::testing::HasSubstr;

TEST(Labels, AreThoseOfTheInnermostBraces) {
    Parts parts("L: nop; { bra L; L: nop; } bra L; nop;");
    const auto label = [&](std::uint32_t at) {
        parts.f.cursor.move_to(at);
        return parts.f.cursor.label("L", {8, 1});
    };
    EXPECT_EQ(label(1), 2U);
    EXPECT_EQ(label(3), 0U);
    EXPECT_EQ(parts.errors(), "");
}

TEST(Labels, UnknownOnesAreReportedWithTheNearest) {
    Parts parts("$L_loop: bra $L_lop;");
    EXPECT_FALSE(parts.f.cursor.label("$L_lop", {6, 14}));
    EXPECT_THAT(parts.errors(),
                HasSubstr("t.ptx:6:14: error: there is no label '$L_lop' here; did you mean '$L_loop'?"));
}

TEST(Labels, BecomeTheFirstMicroOpOfTheInstruction) {
    Parts parts("bra END; nop; nop; END:");
    parts.f.emitter.branch_to(make_op(Opcode::Bra), 3);
    parts.f.emitter.branch_to(make_op(Opcode::Bra), 1);
    for (std::uint32_t i = 1; i < 3; ++i) {
        parts.f.cursor.move_to(i);
        parts.f.emitter.begin_instruction();
        parts.f.emitter.emit(make_op(Opcode::Mov));
        parts.f.emitter.emit(make_op(Opcode::Mov));
    }
    parts.f.cursor.move_behind_the_last();
    parts.f.emitter.begin_instruction();
    parts.f.emitter.emit(make_op(Opcode::Exit));
    parts.f.emitter.resolve_targets();
    EXPECT_EQ(parts.draft.ops[0].target, 6U); // behind the last instruction
    EXPECT_EQ(parts.draft.ops[1].target, 2U);
}

TEST(Guards, AreThoseOfTheInstruction) {
    Parts parts("foo; foo;");
    Emitter& emitter = parts.f.emitter;
    emitter.set_guard(7, true);
    emitter.emit(make_op(Opcode::Mov));
    emitter.emit_if(8, false, make_op(Opcode::Mov));
    emitter.placeholder(Opcode::Mov);
    emitter.begin_instruction();
    emitter.emit(make_op(Opcode::Mov));
    const std::vector<MicroOp>& ops = parts.draft.ops;
    const auto guard = [&](std::size_t i) { return std::pair(ops[i].guard, ops[i].guard_negated); };
    EXPECT_EQ(guard(0), std::pair(Place{7}, true));
    EXPECT_EQ(guard(1), std::pair(Place{8}, false));
    EXPECT_EQ(guard(2), std::pair(Place{7}, true));
    EXPECT_EQ(guard(3), std::pair(kNowhere, false));
    EXPECT_EQ(ops[2].kind, Kind::Nop);
    EXPECT_EQ(parts.draft.not_executable, std::vector<std::uint32_t>{2});
}

TEST(Guards, BecomeABranchAroundSeveralMicroOps) {
    Parts parts("foo;");
    Emitter& emitter = parts.f.emitter;
    EXPECT_FALSE(emitter.jump_over_instruction());
    emitter.set_guard(7, false);
    const std::optional<std::uint32_t> skip = emitter.jump_over_instruction();
    ASSERT_EQ(skip, 0U);
    emitter.emit(make_op(Opcode::Mov));
    const std::uint32_t jump = emitter.jump_if(9, true);
    emitter.land(*skip);
    emitter.emit(make_op(Opcode::Mov));
    emitter.land(jump);
    const std::vector<MicroOp>& ops = parts.draft.ops;
    EXPECT_EQ(ops[0].kind, Kind::Branch);
    EXPECT_EQ(ops[0].guard, 7U);
    EXPECT_TRUE(ops[0].guard_negated); // the lanes that do not execute the instruction
    EXPECT_EQ(ops[0].target, 3U);
    EXPECT_EQ(ops[1].guard, kNowhere);
    EXPECT_EQ(ops[2].guard, 9U);
    EXPECT_EQ(ops[2].target, 4U);
}

TEST(Positions, AreOfTheInstructionOrOfTheFunction) {
    Parts parts("\n  foo;\n");
    parts.f.emitter.emit(make_op(Opcode::Mov));
    parts.f.cursor.move_behind_the_last();
    parts.f.emitter.emit(make_op(Opcode::Exit));
    EXPECT_EQ(parts.draft.lines[0].where.line, 7U);
    EXPECT_EQ(parts.draft.lines[0].where.column, 3U);
    EXPECT_EQ(parts.draft.lines[1].where.line, 9U); // of the closing brace
}

TEST(OperandCounts, AreReportedWithTheText) {
    Parts parts("foo.u32 %r1, %r2;");
    EXPECT_TRUE(parts.f.cursor.count(2, 2));
    EXPECT_TRUE(parts.f.cursor.count(1, 3));
    EXPECT_EQ(parts.errors(), "");
    EXPECT_FALSE(parts.f.cursor.count(1, 1));
    EXPECT_FALSE(parts.f.cursor.count(3, 4));
    EXPECT_THAT(parts.errors(), HasSubstr("'foo.u32' takes 1 operand, not 2"));
    EXPECT_THAT(parts.errors(), HasSubstr("'foo.u32' takes 3 to 4 operands, not 2"));
}

TEST(PlacesOfADraft, ConstantsAreKeptOnce) {
    Draft draft;
    Places places(draft);
    const Place narrow = places.constant(5);
    EXPECT_EQ(places.constant(0x1'0000'0005), narrow); // the low four bytes
    const Place wide = places.constant(5, true);
    EXPECT_NE(wide, narrow);
    EXPECT_EQ(places.storage(narrow), 4);
    EXPECT_EQ(places.storage(wide), 8);
    EXPECT_NE(places.constant(Variables::parameter_address(5)), wide);
    EXPECT_EQ(draft.constants.size(), 3U);
}

TEST(PlacesOfADraft, TemporariesAreNew) {
    Draft draft;
    Places places(draft);
    EXPECT_NE(places.temporary(Type::B32), places.temporary(Type::B32));
    EXPECT_EQ(places.storage(places.temporary(Type::F64)), 8);
    const Place carry = places.carry_flag();
    EXPECT_EQ(places.carry_flag(), carry);
    EXPECT_EQ(draft.registers[carry].type, Type::Pred);
}

TEST(ParameterMemory, GrowsBehindTheVariablesOfTheBody) {
    Parts parts(".param .b8 q[3]; foo;");
    EXPECT_EQ(parts.f.variables.reserve_parameter(4, 4), 4U);
    EXPECT_EQ(parts.f.variables.reserve_parameter(1, 1), 8U);
    EXPECT_EQ(parts.f.variables.reserve_parameter(8, 8), 16U);
    parts.f.variables.finish();
    EXPECT_EQ(parts.draft.param_bytes, 24U);
}

} // namespace
} // namespace heddle::ir
