#include "parsed.h"

namespace heddle::ptx {
namespace {

using Kind = Operand::Kind;

TEST(Instructions, ReadOpcodeAndModifiers) {
    const Instruction i = instruction_of("\tadd.rn.ftz.f32 \t%f1, %f2, %f3;");
    EXPECT_EQ(i.opcode, "add");
    EXPECT_EQ(i.modifiers, (std::vector<std::string_view>{"rn", "ftz", "f32"}));
    EXPECT_EQ(i.operands.size(), 3U);
    EXPECT_EQ(i.where.line, 6U);
    EXPECT_EQ(i.where.column, 2U);
    EXPECT_EQ(i.operands[1].where.column, 23U);
    EXPECT_TRUE(i.guard.empty());
    EXPECT_FALSE(i.paired);
    EXPECT_EQ(instruction_of("ret;").operands.size(), 0U);
    EXPECT_EQ(instruction_of("any_opcode.at_all a;").opcode, "any_opcode");
    EXPECT_EQ(instruction_of("ld.global.L2::cache_hint.b32 a, [b], c;").modifiers[1], "L2::cache_hint");
    EXPECT_EQ(instruction_of("mma.sync.m16n8k16.f16 a;").modifiers[1], "m16n8k16");
    EXPECT_EQ(instruction_of("mov .u32 a, b;").modifiers.size(), 1U);
}

TEST(Instructions, ReadGuards) {
    Instruction i = instruction_of("@%p1 bra L; L:");
    EXPECT_EQ(i.guard, "%p1");
    EXPECT_FALSE(i.guard_negated);
    EXPECT_EQ(i.where.column, 6U);
    i = instruction_of("@!p bra L;");
    EXPECT_EQ(i.guard, "p");
    EXPECT_TRUE(i.guard_negated);
}

TEST(Operands, OfNames) {
    Operand o = operand_of("%r12");
    EXPECT_EQ(o.kind, Kind::Name);
    EXPECT_EQ(o.name, "%r12");
    EXPECT_FALSE(o.negated);
    o = operand_of("!%p1");
    EXPECT_TRUE(o.negated);
    EXPECT_EQ(o.name, "%p1");
    EXPECT_EQ(o.where.column, 4U);
    o = operand_of("-%r1");
    EXPECT_TRUE(o.minus);
    EXPECT_EQ(o.name, "%r1");
    o = operand_of("v.x");
    EXPECT_EQ(o.name, "v");
    EXPECT_EQ(o.component, "x");
    o = operand_of("symbol+8");
    EXPECT_EQ(o.name, "symbol");
    EXPECT_EQ(o.offset, 8);
    EXPECT_EQ(operand_of("symbol + -4").offset, -4);
    EXPECT_EQ(operand_of("_").kind, Kind::Sink);
}

TEST(Operands, OfSpecialRegisters) {
    for (const std::string name :
         {"%tid.x",           "%ntid.y",   "%ctaid.z", "%nctaid.x",    "%laneid",          "%warpid",
          "%nwarpid",         "%smid",     "%nsmid",   "%gridid",      "%lanemask_eq",     "%lanemask_ge",
          "%clock",           "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo",  "%dynamic_smem_size",
          "%total_smem_size", "%envreg31", "%pm0",     "%pm7_64",      "%cluster_ctaid.x", "%tid"}) {
        const Operand o = operand_of(name);
        EXPECT_EQ(o.kind, Kind::Special) << name;
        EXPECT_EQ(o.name, name);
    }
    for (const std::string name :
         {"%tidy", "%p", "%pm8", "tid", "%r1", "%clock32", "%envreg", "%envreg32", "%envreg01"})
        EXPECT_EQ(operand_of(name).kind, Kind::Name) << name;
}

TEST(Operands, OfNumbers) {
    Operand o = operand_of("-1");
    EXPECT_EQ(o.kind, Kind::Integer);
    EXPECT_EQ(o.bits, ~std::uint64_t{0});
    EXPECT_EQ(operand_of("0xffffffffU").bits, 0xffffffffU);
    EXPECT_EQ(operand_of("WARP_SZ").bits, 32U);
    EXPECT_EQ(operand_of("(1 << 4)").bits, 16U);
    o = operand_of("0f3F800000");
    EXPECT_EQ(o.kind, Kind::Float);
    EXPECT_TRUE(o.is_f32);
}

TEST(Operands, OfAddresses) {
    const auto expect = [](const std::string& text, std::string_view name, std::int64_t offset) {
        const Operand o = operand_of(text);
        EXPECT_EQ(o.kind, Kind::Address) << text;
        EXPECT_EQ(o.name, name) << text;
        EXPECT_EQ(o.offset, offset) << text;
        EXPECT_TRUE(o.elements.empty());
    };
    expect("[%rd1]", "%rd1", 0);
    expect("[%rd1+4]", "%rd1", 4);
    expect("[%rd1+-4]", "%rd1", -4);
    expect("[ %rd1 + -0x10 ]", "%rd1", -16);
    expect("[%rd1+1<<2]", "%rd1", 4); // one expression behind the sign
    expect("[param0+0]", "param0", 0);
    expect("[a+4*2]", "a", 8);
    expect("[a+(1<<3)-1]", "a", 7);
    expect("[128]", "", 128);
    expect("[-8]", "", -8);
    expect("[(4+4)]", "", 8);
}

TEST(Operands, OfTexturesAndTensors) {
    const Operand o = operand_of("[tex, sampler, {%f1, %f2}]");
    EXPECT_EQ(o.kind, Kind::Address);
    EXPECT_EQ(o.name, "tex");
    ASSERT_EQ(o.elements.size(), 2U);
    EXPECT_EQ(o.elements[0].name, "sampler");
    EXPECT_EQ(o.elements[1].kind, Kind::Vector);
    EXPECT_EQ(o.elements[1].elements.size(), 2U);
}

TEST(Operands, OfVectors) {
    const Instruction i = instruction_of("ld.global.v4.u32 {%r1, _, %r3, 7}, [%rd1+16];");
    ASSERT_EQ(i.operands.size(), 2U);
    const Operand& v = i.operands[0];
    EXPECT_EQ(v.kind, Kind::Vector);
    ASSERT_EQ(v.elements.size(), 4U);
    EXPECT_EQ(v.elements[0].name, "%r1");
    EXPECT_EQ(v.elements[1].kind, Kind::Sink);
    EXPECT_EQ(v.elements[3].bits, 7U);
    EXPECT_EQ(v.elements[2].where.column, 27U);
}

TEST(Operands, OfPairs) {
    Instruction i = instruction_of("setp.lt.and.s32 p|q, %r1, 2, !r;");
    EXPECT_TRUE(i.paired);
    ASSERT_EQ(i.operands.size(), 5U);
    EXPECT_EQ(i.operands[0].name, "p");
    EXPECT_EQ(i.operands[1].name, "q");
    EXPECT_TRUE(i.operands[4].negated);
    i = instruction_of("shfl.sync.idx.b32 %r1|_, %r2, 0, 31, -1;");
    EXPECT_TRUE(i.paired);
    EXPECT_EQ(i.operands[1].kind, Kind::Sink);
    EXPECT_EQ(i.operands[5].bits, ~std::uint64_t{0});
}

TEST(Calls, HaveLists) {
    Instruction i = instruction_of("call.uni (retval0), \n\t_Z3fibi, \n\t(\n\tparam0, \n\tparam1\n\t);");
    ASSERT_EQ(i.operands.size(), 3U);
    EXPECT_EQ(i.operands[0].kind, Kind::List);
    EXPECT_EQ(i.operands[0].elements.at(0).name, "retval0");
    EXPECT_EQ(i.operands[1].name, "_Z3fibi");
    EXPECT_EQ(i.operands[2].elements.size(), 2U);
    EXPECT_EQ(i.operands[2].elements.at(1).where.line, 10U);
    i = instruction_of("call (retval0), %rd31, (param0), prototype_4;");
    ASSERT_EQ(i.operands.size(), 4U);
    EXPECT_EQ(i.operands[3].name, "prototype_4");
    i = instruction_of("call f;");
    EXPECT_EQ(i.operands.size(), 1U);
    i = instruction_of("call.uni f, (%r1, 3, 0f3F800000, _);");
    ASSERT_EQ(i.operands.size(), 2U);
    EXPECT_EQ(i.operands[1].elements.at(1).bits, 3U);
    EXPECT_EQ(i.operands[1].elements.at(3).kind, Kind::Sink);
    i = instruction_of("call (_), f, ();");
    EXPECT_EQ(i.operands.at(0).elements.at(0).kind, Kind::Sink);
    EXPECT_TRUE(i.operands.at(2).elements.empty());
    i = instruction_of("call.uni\nf;");
    EXPECT_EQ(i.operands.size(), 1U);
}

TEST(Instructions, ReadInlineAssembly) {
    const Function f =
        body_of("// begin inline asm\n{ .reg .pred p; setp.eq.s32 p, %r1, 1; @!p bra DONE; st.global.u32 "
                "[%rd1+4], 9; DONE: }\n// end inline asm\nmma.sync.aligned.m16n8k8.f32\n  {a, b},\n  {c, d};");
    EXPECT_EQ(f.body.size(), 4U);
    EXPECT_EQ(f.labels.at(0).index, 3U);
    EXPECT_EQ(f.labels.at(0).end, 3U);
    EXPECT_EQ(f.body[3].operands.size(), 2U);
}

TEST(Instructions, RefuseWhatPtxDoesNotAllow) {
    const auto expect_error = [](const std::string& text, const std::string& error) {
        EXPECT_EQ(body_errors(text), error + "\n") << text;
    };
    expect_error("add.s32 %r1, , %r2;", "6:14: expected an operand, found ','");
    expect_error("add.s32 %r1, %r2,;", "6:18: expected an operand, found ';'");
    expect_error("add.s32 %r1 %r2;", "6:13: expected ',' or ';' after an instruction, found '%r2'");
    expect_error("mov.u32 {a, b, c;", "6:17: expected ',' or '}' after an element, found ';'");
    expect_error("ld.u32 a, [b;", "6:13: expected ']', found ';'");
    expect_error("ld.u32 a, [];", "6:12: expected an address, found ']'");
    expect_error("ld.u32 a, [b+c];", "6:14: expected a number, found 'c'");
    expect_error("ld.u32 a, [b-4];", "6:13: a name can not stand before '-' here: write +-4 for a negative constant");
    expect_error("ld.u32 a, [b+1.5];", "6:14: expected a constant behind '+', an integer");
    expect_error("ld.u32 a, [1.5];", "6:12: expected an address, an integer");
    expect_error("mov.u32 a, b[1];", "6:13: an array element is written as an address here: [b+bytes]");
    expect_error("mov.u32 a, %tid .x;", "6:17: expected '.x' directly behind '%tid'");
    expect_error("add.s32 a, b|c, d;", "6:13: only the first operand may be a pair a|b");
    expect_error("call (a, f;", "6:11: expected ',' or ')' after an argument, found ';'");
    expect_error("@!3 bra L;", "6:3: expected a predicate register after '@', found '3'");
    expect_error("@p L: ret;", "6:4: expected an instruction after its guard, found a label");
    expect_error("mov.u32 a, {{{{{{b}}}}}};", "6:17: the brackets of this operand nest too deeply");
    expect_error("mov.u32 a, 0xZZ;", "6:12: '0xZZ' is not a number");
    expect_error("mov.f32 a, 0f3F80;", "6:12: expected 8 hexadecimal digits after 0f, found '0f3F80'");
    expect_error("mov.u32 a, #;", "6:12: unexpected character '#'");
    expect_error("mov.u32 a, \"b\";", "6:12: expected an operand, found '\"b\"'");
    expect_error("3;", "6:1: expected an instruction, a declaration or '}', found '3'");
}

TEST(Instructions, WantTheirSemicolon) {
    EXPECT_EQ(body_errors("add.s32 a, b, c\nret;"), "6:16: expected ';' after an instruction\n");
    EXPECT_EQ(body_errors("ret"), "6:4: expected ';' after an instruction\n");
    EXPECT_EQ(body_errors("ret // done\nmov.u32 a, b;\n"), "6:4: expected ';' after an instruction\n");
    EXPECT_EQ(body_errors("bar.sync\n@p bra L;"), "6:9: expected ';' after an instruction\n");
    EXPECT_EQ(body_errors("ret\nL: ret;"), "6:4: expected ';' after an instruction\n");
    EXPECT_EQ(body_errors(".reg .b32 a\nret;"), "6:12: expected ';' after a variable\n");
    EXPECT_EQ(errors_of(".global .u32 a\n.global .u32 b;\n"), "4:15: expected ';' after a variable\n");
}

} // namespace
} // namespace heddle::ptx
