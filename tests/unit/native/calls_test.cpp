// Functions that stay functions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiled.h"
#include "native/execute/expand.h"
#include "native/flow/link.h"
#include "native/input/called_functions.h"
#include "native/registers/behind_calls.h"

namespace heddle::native::test {
namespace {

// k calls f, g and h; g calls f. f: 3 micro-ops or more.
constexpr std::string_view kFunctions =
    ".func (.reg .u32 %out) f (.reg .u32 %in) { mad.lo.u32 %out, %in, 5, 3; xor.b32 %out, %out, %in; ret; }\n"
    ".func (.reg .u32 %out) g (.reg .u32 %in) { .reg .u32 %v; call (%v), f, (%in); add.u32 %out, %v, 1; ret; }\n"
    ".func (.reg .u32 %out) h (.reg .u32 %in) { add.u32 %out, %in, 7; ret; }\n";
constexpr std::string_view kBody =
    "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r9, [%d1+4];\n"
    "setp.eq.u32 %p1, %r9, 0;\n"
    "call (%r2), f, (%r1); call (%r3), g, (%r2); call (%r4), g, (%r3); call (%r5), h, (%r4);\n"
    "add.u32 %r5, %r5, %r9; @%p1 add.u32 %r5, %r5, 1; st.global.u32 [%d1], %r5; ret;";

ir::test::Lowered lowered() {
    return ir::test::lower_text(ir::test::kernel_text(kBody, ".param .u64 out", kFunctions));
}

std::vector<std::string> called(std::size_t in_place) {
    const auto code = lowered();
    std::vector<std::string> out;
    for (const std::uint32_t f : called_functions(code.program, code.kernel(), in_place))
        out.push_back(code.program.functions[f].name);
    return out;
}

TEST(NativeCalls, FunctionsOfSeveralCallsStayInALargeKernel) {
    EXPECT_EQ(called(0), (std::vector<std::string>{"g", "f"})) << "callers first; h has one call";
    EXPECT_TRUE(called(1U << 14).empty());
}

// p and q call each other, p also h; the kernel calls p twice.
TEST(NativeCalls, OfACycleTheFunctionsThatAreCalledFromOutsideStay) {
    constexpr std::string_view functions =
        ".func (.reg .u32 %out) p (.reg .u32 %in); .func (.reg .u32 %out) q (.reg .u32 %in);\n"
        ".func (.reg .u32 %out) h (.reg .u32 %in) { add.u32 %out, %in, 7; ret; }\n"
        ".func (.reg .u32 %out) q (.reg .u32 %in) { .reg .u32 %v; call (%v), p, (%in); call (%out), p, (%v); ret; }\n"
        ".func (.reg .u32 %out) p (.reg .u32 %in) { .reg .pred %c; setp.eq.u32 %c, %in, 0; mov.u32 %out, 1; @%c ret;\n"
        " .reg .u32 %v; sub.u32 %v, %in, 1; call (%out), q, (%v); call (%out), h, (%out); call (%out), h, (%out); ret; "
        "}\n";
    const auto code = ir::test::lower_text(ir::test::kernel_text(
        "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; call (%r2), p, (%r1); call (%r3), p, (%r2);\n"
        "st.global.u32 [%d1], %r3; ret;",
        ".param .u64 out", functions));
    std::vector<std::string> names;
    for (const std::uint32_t f : called_functions(code.program, code.kernel(), 0))
        names.push_back(code.program.functions[f].name);
    EXPECT_EQ(names, (std::vector<std::string>{"p", "h"})) << "q is called by p only";
    EXPECT_TRUE(called_functions(code.program, code.kernel(), 1U << 14).empty());
    const Function function = compile(code.program, code.kernel(), target(), {.in_place = 0});
    EXPECT_EQ(function.called.size(), 2U);
    EXPECT_GE(function.local_bytes, 16384U + 16U) << "one stack, and the word that says where it begins";
    EXPECT_LT(function.local_bytes, 2 * 16384U);
}

Function compiled() {
    const auto code = lowered();
    return compile(code.program, code.kernel(), target(), {.in_place = 0});
}

TEST(NativeCalls, AFunctionIsThereOnceAndReturnsBehindItsCalls) {
    const Function function = compiled();
    ASSERT_EQ(function.called.size(), 2U);
    EXPECT_EQ(function.called[0].name, "g");
    EXPECT_EQ(function.called[1].name, "f");
    std::map<std::uint32_t, std::size_t> calls; // by block that is called
    std::size_t returns = 0;
    for (const std::uint32_t b : function.order) {
        const auto& code = function.blocks[b].code;
        for (const Instruction& i : code)
            EXPECT_TRUE(i.op != Op::Call || &i == &code.back());
        if (const Instruction* const call = function.call_at_end(b); call != nullptr) {
            ++calls[call->target];
            EXPECT_EQ(function.successors(b), std::vector<std::uint32_t>{call->target});
        }
        if (code.back().op == Op::Ret) {
            ++returns;
            EXPECT_EQ(function.successors(b).size(), 2U) << "f is called by k and g, g by k at two places";
        }
    }
    EXPECT_EQ(calls[function.called[0].begin], 2U);
    EXPECT_EQ(calls[function.called[1].begin], 2U);
    EXPECT_EQ(returns, 2U);
}

// The sum of %r9 and the address are needed behind all calls: no called function writes their registers.
TEST(NativeCalls, CalledFunctionsLeaveRegistersOfTheirCallersAlone) {
    const Function function = compiled();
    std::uint32_t lowest = 255;
    bool in_kernel = true;
    for (const std::uint32_t b : function.order) {
        in_kernel = in_kernel && b != function.called[0].begin;
        for (const Instruction& i : function.blocks[b].code)
            for (const Operand& o : i.dst)
                if (!in_kernel && o.is_register(File::Vector))
                    lowest = std::min(lowest, o.number);
    }
    EXPECT_GE(lowest, 4U) << "a pair and two words";
}

TEST(NativeCalls, NoPredicateIsNeededBehindACall) {
    const Function function = compiled();
    EXPECT_EQ(std::count_if(function.order.begin(), function.order.end(),
                            [&](std::uint32_t b) {
                                const auto& code = function.blocks[b].code;
                                return std::any_of(code.begin(), code.end(),
                                                   [](const Instruction& i) { return i.op == Op::R2p; });
                            }),
              1);
}

// Its first block has no code: the constant goes where it is read.
TEST(NativeCalls, AFunctionMayBeginWithALoop) {
    constexpr std::string_view functions =
        ".func (.reg .u32 %out) f { .reg .u32 %v, %w; .reg .pred %p; mov.u32 %v, 5;\n"
        " L: mov.u32 %w, %clock; setp.ne.u32 %p, %w, 3; @%p bra L; add.u32 %out, %w, %v; ret; }\n";
    auto code = ir::test::lower_text(
        ir::test::kernel_text("ld.param.u64 %d1, [out]; call (%r2), f; call (%r3), f; add.u32 %r3, %r3, %r2;\n"
                              "st.global.u32 [%d1], %r3; ret;",
                              ".param .u64 out", functions));
    const Function function = compile(code.program, code.kernel(), target(), {.in_place = 0});
    ASSERT_EQ(function.called.size(), 1U);
    EXPECT_EQ(std::count(function.order.begin(), function.order.end(), function.called[0].begin), 1);
    expand(function, target(), code.program, code.program.kernels[0]); // checks the targets of calls
    EXPECT_EQ(code.program.functions.back().name, "f");
}

// Ten values are needed behind the calls: with 24 registers they leave too few for the function.
TEST(NativeCalls, CalledFunctionsHaveHalfOfTheRegisters) {
    std::string body = "ld.param.u64 %d1, [out];\n", end;
    for (int r = 10; r < 20; ++r) {
        body += fmt::format("ld.global.u32 %r{}, [%d1+{}];\n", r, 4 * r);
        end += fmt::format("add.u32 %r1, %r1, %r{0}; mul.lo.u32 %r1, %r1, %r{0};\n", r);
    }
    body += "call (%r1), f, (%r10); call (%r2), f, (%r1); mov.u32 %r1, %r2;\n" + end + "st.global.u32 [%d1], %r1; ret;";
    const auto code = ir::test::lower_text(ir::test::kernel_text(body, ".param .u64 out", kFunctions));
    const Function function = compile(code.program, code.kernel(), target(), {.registers = 24, .in_place = 0});
    ASSERT_EQ(function.called.size(), 1U);
    EXPECT_LE(function.registers, 24U);
    EXPECT_GT(function.spilled, 0U);
}

// Threads that return early take part in convergence barriers of the function: all of them go to its end.
TEST(NativeCalls, AFunctionReturnsAtOnePlace) {
    constexpr std::string_view functions =
        ".func (.reg .u32 %out) f (.reg .u32 %in) { .reg .pred %p, %q; setp.lt.u32 %p, %in, 9; mov.u32 %out, 1;\n"
        " @%p ret; L: add.u32 %out, %out, %out; setp.gt.u32 %q, %out, %in; @%q ret; xor.b32 %out, %out, 77; bra L; }\n";
    const auto code = ir::test::lower_text(ir::test::kernel_text(
        "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; call (%r2), f, (%r1); call (%r3), f, (%r2);\n"
        "st.global.u32 [%d1], %r3; ret;",
        ".param .u64 out", functions));
    const Function function = compile(code.program, code.kernel(), target(), {.in_place = 0});
    ASSERT_EQ(function.called.size(), 1U);
    std::vector<Instruction> returns;
    for (const std::uint32_t b : function.order)
        for (const Instruction& i : function.blocks[b].code)
            if (i.op == Op::Ret)
                returns.push_back(i);
    ASSERT_EQ(returns.size(), 1U);
    EXPECT_FALSE(returns[0].is_guarded());
}

Instruction call(unsigned function, std::uint8_t barrier = 0) {
    Instruction i = make(Op::Call, {}, {});
    i.mods.imm = function;
    i.barrier = barrier;
    return i;
}

TEST(NativeCalls, ACallKeepsWhatIsReadBehindIt) {
    const Function function = block({make(Op::Mov, {reg(4)}, {imm(1)}), make(Op::Mov, {reg(9)}, {imm(2)}), call(1, 3),
                                     make(Op::Iadd3, {reg(9)}, {reg(4), rz(), rz()}), call(2)});
    std::vector<Kept> kept(3);
    kept[0].barriers = 1;
    keep_behind_calls(function, 0, kept);
    EXPECT_EQ(kept[1].vector, 8U) << "R4; R9 is written behind it";
    EXPECT_EQ(kept[1].barriers, 3U);
    EXPECT_EQ(kept[2].vector, 0U);
    EXPECT_EQ(kept[2].barriers, 1U) << "those of the caller's callers";
}

TEST(NativeCalls, AFunctionMovesBehindWhatIsKept) {
    Instruction meet = make(Op::Bsync, {}, {});
    meet.barrier = 2;
    Function function = block({make(Op::Iadd3, {reg(0)}, {reg(2), imm(1), rz()}), meet});
    function.registers = 5;
    function.barriers = 3;
    move_behind(function, {8, 4});
    const auto& code = function.blocks[0].code;
    EXPECT_EQ(code[0].dst[0].number, 8U);
    EXPECT_EQ(code[0].src[0].number, 10U);
    EXPECT_EQ(code[1].barrier, 6U);
    EXPECT_EQ(function.registers, 13U);
    EXPECT_EQ(function.barriers, 7U);
}

// Nothing but a jump to itself.
TEST(NativeLayout, AnEndlessLoopHasAnInstruction) {
    const Compiled code("L: bra L;");
    EXPECT_EQ(code.count(Op::Bra), 1U);
}

} // namespace
} // namespace heddle::native::test
