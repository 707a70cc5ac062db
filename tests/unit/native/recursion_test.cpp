// Calls in cycles.
#include <gtest/gtest.h>

#include "compiled.h"
#include "native/input/call_cycles.h"

namespace heddle::native::test {
namespace {

// f calls g, g calls f and itself, h calls none.
constexpr std::string_view kFunctions =
    ".func (.reg .u32 %out) h (.reg .u32 %in) { add.u32 %out, %in, 1; ret; }\n"
    ".func (.reg .u32 %out) g (.reg .u32 %in);\n"
    ".func (.reg .u32 %out) f (.reg .u32 %in) { .reg .u32 %v; .reg .pred %p; mov.u32 %v, %in; mov.u32 %out, 0;\n"
    " setp.eq.u32 %p, %in, 0; @%p ret; sub.u32 %v, %v, 1; call (%out), g, (%v); add.u32 %out, %out, %in; ret; }\n"
    ".func (.reg .u32 %out) g (.reg .u32 %in) { .reg .u32 %w; .reg .pred %p; mov.u32 %out, 0;\n"
    " setp.eq.u32 %p, %in, 0; @%p ret; sub.u32 %w, %in, 1; call (%out), f, (%w); call (%w), g, (%w);\n"
    " add.u32 %out, %out, %w; ret; }\n";
constexpr std::string_view kBody =
    "ld.param.u64 %d1, [out]; mov.u32 %r1, 5; call (%r2), f, (%r1); call (%r3), h, (%r2);\n"
    "st.global.u32 [%d1], %r3; ret;";

ir::test::Lowered lowered() {
    return ir::test::lower_text(ir::test::kernel_text(kBody, ".param .u64 out", kFunctions));
}

std::uint32_t number_of(const ir::Program& program, std::string_view name) {
    for (std::uint32_t f = 0; f < program.functions.size(); ++f)
        if (program.functions[f].name == name)
            return f;
    throw std::runtime_error("no such function");
}

TEST(NativeCallCycles, AreFound) {
    const auto code = lowered();
    const CallCycles cycles(code.program, code.kernel());
    const std::uint32_t f = number_of(code.program, "f");
    const std::uint32_t g = number_of(code.program, "g");
    EXPECT_TRUE(cycles.any());
    EXPECT_EQ(cycles.of(f), (std::vector<std::uint32_t>{std::min(f, g), std::max(f, g)}));
    EXPECT_EQ(cycles.of(g), cycles.of(f));
    EXPECT_TRUE(cycles.of(number_of(code.program, "h")).empty());
    EXPECT_TRUE(cycles.of(number_of(code.program, "k")).empty());
}

// f has one call, behind which it needs %in; g two, behind the first of which it needs %w.
TEST(NativeCallCycles, ACallKeepsWhatIsReadBehindIt) {
    const auto code = lowered();
    const auto calls_of = [&](std::string_view name) {
        return live_behind_calls(code.program, code.program.functions[number_of(code.program, name)]);
    };
    const auto of_f = calls_of("f");
    ASSERT_EQ(of_f.size(), 1U);
    EXPECT_EQ(of_f.begin()->second.size(), 1U);
    const auto of_g = calls_of("g");
    ASSERT_EQ(of_g.size(), 2U);
    EXPECT_GE(of_g.begin()->second.size(), 1U);
}

// Each function of the cycle is there once: no call is left, and the stack is local memory.
TEST(NativeRecursion, BecomesLoadsStoresAndBranches) {
    const auto code = lowered();
    const Function function = compile(code.program, code.kernel(), target());
    std::size_t loads = 0, stores = 0, traps = 0;
    for (const std::uint32_t b : function.order)
        for (const Instruction& i : function.blocks[b].code) {
            loads += i.op == Op::Ldl ? 1U : 0U;
            stores += i.op == Op::Stl ? 1U : 0U;
            traps += i.op == Op::Bpt ? 1U : 0U;
            EXPECT_NE(i.mods.kind, ir::Kind::Call);
        }
    EXPECT_GE(loads, 3U);
    EXPECT_GE(stores, 3U);
    EXPECT_EQ(traps, 3U) << "one for each call in the cycle, which tests the depth";
    EXPECT_GE(function.local_bytes, code.kernel().local_bytes + 16384 - 64) << "whole frames of at most 64 bytes";
    EXPECT_LE(function.local_bytes, code.kernel().local_bytes + 16384 + 16);
}

} // namespace
} // namespace heddle::native::test
