#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowered.h"

namespace heddle::ir {
namespace {

using test::lower_text;
using test::Lowered;

// Each function calls the next one, which stands behind it, twice: 60,000 functions. Steps that look at all functions
// for each of them, or follow each path to a function, do not come to an end.
TEST(Calls, AChainOfManyFunctions) {
    constexpr unsigned kFunctions = 60'000;
    std::string text(test::kHeader);
    for (unsigned i = 0; i <= kFunctions; ++i)
        text += fmt::format(".func f{}();\n", i);
    for (unsigned i = 0; i < kFunctions; ++i)
        text += fmt::format(".func f{}() {{ call f{}; call f{}; ret; }}\n", i, i + 1, i + 1);
    text += fmt::format(".func f{}() {{ ret; }}\n.entry k() {{ call f0; ret; }}", kFunctions);
    const Lowered l = lower_text(text);
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.program.functions.size(), kFunctions + 2);
    EXPECT_EQ(l.program.calls.size(), 2 * kFunctions + 1);
}

// What never returns ends the paths of its callers, also where it stands behind them and in a cycle.
TEST(Calls, FunctionsThatNeverReturnThroughOthers) {
    const Lowered l = lower_text(fmt::format(R"({}
.func d();
.func a() {{ call d; ret; }}
.func b() {{ .reg .pred %p; @%p ret; call d; ret; }}
.func e() {{ call d; ret; }}
.func d() {{ call e; ret; }}
.entry k() {{ .reg .pred %q; @%q call a; call b; ret; }})",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    // The guarded return of b is the only path: no point behind it is common to all its threads.
    const Kernel& k = l.kernel();
    bool found = false;
    for (Pc pc = k.begin; pc < k.end; ++pc)
        if (l.op(pc).kind == Kind::Return && l.op(pc).guard != kNowhere) {
            found = true;
            EXPECT_EQ(l.op(pc).reconvergence, kNoPc);
        }
    EXPECT_TRUE(found);
}

// A name that is declared in many scopes side by side, and around them.
TEST(Calls, NamesOfManyScopes) {
    constexpr unsigned kScopes = 50'000;
    std::string text = fmt::format(
        "{}.func f(.param .b32 a) {{ ret; }}\n.entry k() {{ .reg .b32 %r<2>, x; mov.u32 x, 1;\n", test::kHeader);
    for (unsigned i = 0; i < kScopes; ++i)
        text += "{ .param .b32 x; st.param.b32 [x], %r1; call f, (x); }\n";
    const Lowered l = lower_text(text + "st.global.u32 [0], x; ret; }");
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.program.calls.size(), kScopes);
}

TEST(Calls, EachKernelHasItsOwnCopies) {
    const Lowered l = lower_text(fmt::format("{}.func f() {{ ret; }}\n.entry k() {{ call f; ret; }}\n"
                                             ".entry other() {{ call f; call f; ret; }}",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    const Kernel& k = l.kernel();
    const Kernel& other = l.kernel("other");
    EXPECT_EQ(k.end - k.begin, 5U); // call, exit, the exit at its end, ret, the ret at its end
    EXPECT_EQ(other.begin, k.end);
    EXPECT_EQ(l.op(k.begin).target, k.begin + 3);
    EXPECT_EQ(l.op(other.begin).target, l.op(other.begin + 1).target);
    EXPECT_GT(l.op(other.begin).target, k.end);
    EXPECT_EQ(l.program.functions[l.program.origins[k.begin + 3].function].name, "f");
}

TEST(Calls, CalleesRegistersLieAboveAllTheirCallers) {
    const Lowered l = lower_text(fmt::format(R"({}
.func g() {{ .reg .b32 %r<2>; mov.u32 %r1, 5; ret; }}
.func f() {{ .reg .b64 %d<4>; mov.u64 %d1, 1; mov.u64 %d2, 2; add.u64 %d1, %d1, %d2; call g; st.global.u64 [0], %d1; ret; }}
.entry k() {{ .reg .b32 %r<2>; mov.u32 %r1, 5; call f; call g; st.global.u32 [0], %r1; }})",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    const Kernel& k = l.kernel();
    const Pc f = l.op(k.begin + 1).target;
    const Pc g = l.op(k.begin + 2).target;
    // First the wide registers of all functions (f's two), then the narrow ones: k's, and g's above it.
    EXPECT_EQ(l.op(f).dst[0], 0U);
    EXPECT_EQ(l.op(f + 1).dst[0], 2U * 128);
    EXPECT_EQ(l.op(k.begin).dst[0], 4U * 128);
    EXPECT_EQ(l.op(g).dst[0], 5U * 128);
    EXPECT_EQ(k.slots, 6U);
    EXPECT_EQ(l.op(f + 3).target, g);
}

TEST(Calls, RecursionSavesTheCallersFrame) {
    const Lowered l = lower_text(fmt::format(R"({}
.func (.param .b32 r) fib(.param .b32 n) {{ .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p<2>; .local .b8 x[4];
    ld.param.u32 %r1, [n];
    ld.global.u64 %d1, [0];
    setp.lt.u32 %p1, %r1, 2;
    @%p1 bra DONE;
    {{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), fib, (a); ld.param.b32 %r2, [b]; }}
    add.u32 %r1, %r1, %r2;
    st.global.u64 [0], %d1;
DONE:
    st.param.b32 [r], %r1;
    ret; }}
.entry k() {{ .param .b32 a; .param .b32 b; .reg .b32 %r<3>; mov.u32 %r1, 3; st.param.b32 [a], %r1; call (b), fib, (a);
    st.global.u32 [0], %r1; }})",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    ASSERT_EQ(l.program.calls.size(), 2U);
    const Call& outer = l.program.calls[0];
    EXPECT_EQ(outer.save_slots + outer.save_predicates + outer.save_param_bytes, 0U);
    const Call& inner = l.program.calls[1];
    EXPECT_EQ(inner.save_slot, 3U);  // behind the pair of %d1 and the one narrow register of k
    EXPECT_EQ(inner.save_slots, 3U); // %r1, %r2 and the bytes of the stack that were in use
    EXPECT_EQ(inner.save_wide, std::vector<std::uint32_t>{0});
    EXPECT_EQ(inner.save_predicate, 0U);
    EXPECT_EQ(inner.save_predicates, 1U);
    // local memory: the stack, where x lies, a word rounded up to 16 and 16 KiB; k's a, b rounded up to 16; fib's r n a
    // b.
    constexpr std::uint32_t kBegin = 16 + 16 * 1024 + 16;
    EXPECT_EQ(inner.save_param, kBegin);
    EXPECT_EQ(inner.save_param_bytes, 16U);
    EXPECT_EQ(inner.arguments[0].from, kBegin + 8);
    EXPECT_EQ(inner.arguments[0].to, kBegin + 4);
    EXPECT_EQ(inner.results[0].from, kBegin);
    EXPECT_EQ(inner.results[0].to, kBegin + 12);
}

TEST(Calls, MutualRecursionIsACycleWithItsMembersSideBySide) {
    const Lowered l = lower_text(fmt::format(R"({}
.func odd();
.func even() {{ .reg .b32 %r<3>; mov.u32 %r1, 1; call odd; st.global.u32 [0], %r1; ret; }}
.func odd() {{ .reg .b32 %r<3>; mov.u32 %r1, 1; call even; st.global.u32 [0], %r1; ret; }}
.entry k() {{ call even; }})",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    ASSERT_EQ(l.program.calls.size(), 3U);
    EXPECT_EQ(l.program.calls[0].save_slots, 0U);
    EXPECT_EQ(l.program.calls[1].save_slots, 1U);
    EXPECT_EQ(l.program.calls[2].save_slots, 1U);
    EXPECT_NE(l.program.calls[1].save_slot, l.program.calls[2].save_slot);
}

TEST(Calls, RegisterParametersGoThroughMemory) {
    const Lowered l = lower_text(fmt::format(R"({}
.func (.reg .b32 %out) twice(.reg .b32 %in) {{ add.u32 %out, %in, %in; ret; }}
.entry k() {{ .reg .b32 %r<3>; .reg .pred %p<2>; setp.eq.u32 %p1, 1, 1; mov.u32 %r1, 4; @%p1 call (%r2), twice, (%r1);
    st.global.u32 [0], %r2; }})",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    std::vector<Kind> kinds;
    for (Pc pc = b + 2; pc < b + 5; ++pc) {
        kinds.push_back(l.op(pc).kind);
        EXPECT_NE(l.op(pc).guard, kNowhere);
    }
    EXPECT_EQ(kinds, (std::vector<Kind>{Kind::Store, Kind::Call, Kind::Load}));
    const Pc f = l.op(b + 3).target;
    EXPECT_EQ(l.op(f).kind, Kind::Load);
    EXPECT_EQ(l.op(f + 1).opcode, Opcode::Add);
    EXPECT_EQ(l.op(f + 2).kind, Kind::Store);
    EXPECT_EQ(l.op(f + 3).kind, Kind::Return);
}

// Only functions that a pointer may point to, and whose parameters the call's operands fit, are compared with it.
TEST(Calls, ThroughARegisterAreThoseOfWhatFits) {
    const Lowered l = lower_text(fmt::format("{}.func f() {{ ret; }}\n.func g(.param .b32 x) {{ ret; }}\n"
                                             ".func unnamed() {{ ret; }}\n.func h() {{ ret; }}\n"
                                             ".global .u64 table[2] = {{g, h}};\n"
                                             ".entry k() {{ .reg .b64 %d<2>; mov.u64 %d1, f; "
                                             "P: .callprototype _ (); call %d1, P; }}",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    EXPECT_TRUE(l.kernel().not_executable.empty());
    std::vector<std::string> called;
    unsigned traps = 0;
    for (Pc pc = l.kernel().begin; pc < l.kernel().end; ++pc) {
        if (l.op(pc).kind == Kind::Call)
            called.push_back(l.program.functions.at(l.program.origins[l.op(pc).target].function).name);
        traps += l.op(pc).kind == Kind::Trap ? 1 : 0;
    }
    EXPECT_THAT(called, ::testing::ElementsAre("f", "h"));
    EXPECT_EQ(traps, 1U);
}

TEST(Programs, SeveralModulesStandBehindEachOther) {
    const auto module = [](std::string_view name) {
        return std::make_shared<const SourceText>(
            std::string(name), fmt::format("{}.entry k() {{ .reg .b32 %r<2>; mov.u32 %r1, 5; ret; }}", test::kHeader));
    };
    Program program;
    for (const std::string_view name : {"a.ptx", "b.ptx"}) {
        const auto source = module(name);
        Diagnostics diagnostics(source);
        const ptx::Module parsed = ptx::parse(source, diagnostics);
        lower(ModuleNames({&parsed, 1}), [](const ptx::Variable&) { return Address{0}; }, program, {&diagnostics, 1});
        ASSERT_EQ(diagnostics.render(), "");
    }
    const Kernel* a = program.find_kernel(0, "k");
    const Kernel* b = program.find_kernel(1, "k");
    ASSERT_NE(a, nullptr);
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->begin, a->end);
    EXPECT_EQ(b->pool_begin, 128U);
    EXPECT_EQ(program.describe(b->begin), "b.ptx:4:31");
    EXPECT_EQ(program.find_kernel(2, "k"), nullptr);
    EXPECT_EQ(program.find_kernel(0, "j"), nullptr);
}

TEST(Programs, DescribeNamesTheUsersLine) {
    const Lowered l = lower_text(fmt::format("{}.file 3 \"kernel.cu\"\n.entry k() {{ .reg .b32 %r<2>;\n.loc 3 7 5\n"
                                             "  mov.u32 %r1, 5; ret; }}",
                                             test::kHeader));
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.program.describe(l.kernel().begin), "t.ptx:7:3 (kernel.cu:7)");
    EXPECT_EQ(l.program.instruction(l.kernel().begin), "mov.u32");
    EXPECT_EQ(to_string(l.program, l.kernel().begin), "mov.u32 r0, 0x5");
}

} // namespace
} // namespace heddle::ir
