#include <map>
#include <random>

#include <gtest/gtest.h>

#include "ir/analysis/calls.h"
#include "ir/analysis/colour.h"
#include "ir/analysis/liveness.h"
#include "ir/selection/select.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

using test::lower_body;
using test::Lowered;

TEST(Registers, AChainNeedsTwo) {
    // %r1 and %r2 live together, then each sum replaces both.
    const Lowered l = lower_body("mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; add.u32 %r3, %r1, %r2; "
                                 "add.u32 %r4, %r3, %r3; st.global.u32 [0], %r4;");
    EXPECT_EQ(l.kernel().registers, 2U);
    EXPECT_EQ(l.kernel().slots, 2U);
    EXPECT_EQ(l.kernel().predicates, 0U);
}

TEST(Registers, WideOnesCountTwoAndPredicatesNone) {
    // %d1 (2) + %r1 (1) alive together; then %d2 (2) with %d1 (2).
    const Lowered l = lower_body("ld.global.u64 %d1, [0]; mov.u32 %r1, %tid.x; cvt.u64.u32 %d2, %r1; "
                                 "setp.eq.u64 %p1, %d1, %d2; @%p1 st.global.u64 [0], %d1;");
    EXPECT_EQ(l.kernel().registers, 4U);
    EXPECT_EQ(l.kernel().predicates, 1U);
}

TEST(Registers, LoopCarriedValuesStayAlive) {
    // In the loop: counter, sum, bound.
    const Lowered l = lower_body("mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, %ntid.x;\n"
                                 "L: add.u32 %r2, %r2, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r3; @%p1 bra L;"
                                 "st.global.u32 [0], %r2;");
    EXPECT_EQ(l.kernel().registers, 3U);
    EXPECT_EQ(l.kernel().slots, 3U);
}

TEST(Registers, AGuardedDefinitionKeepsTheOldValueAlive) {
    // %r2 must not take %r1's slot: lanes without %p1 still need %r1.
    const Lowered l = lower_body("mov.u32 %r1, 1; setp.eq.u32 %p1, 1, 2; mov.u32 %r2, %tid.x; "
                                 "@%p1 mov.u32 %r1, %r2; st.global.u32 [0], %r1;");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b).dst[0], l.op(b + 3).dst[0]);
    EXPECT_NE(l.op(b).dst[0], l.op(b + 2).dst[0]);
    EXPECT_EQ(l.kernel().registers, 2U);
}

TEST(Registers, AResultNobodyReadsStillNeedsAPlace) {
    const Lowered l = lower_body("mov.u32 %r1, 1; mov.u32 %r2, 2; st.global.u32 [0], %r1;");
    EXPECT_EQ(l.kernel().registers, 2U);
}

TEST(Registers, AcrossCallsAddTheCallees) {
    // k keeps %r1 across the call; f needs 3 at once.
    const Lowered l = test::lower_text(fmt::format(R"({}
.func f() {{ .reg .b32 %r<9>; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
    add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.global.u32 [0], %r1; ret; }}
.entry k() {{ .reg .b32 %r<9>; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; st.global.u32 [0], %r2; call f;
    st.global.u32 [0], %r1; }})",
                                                   test::kHeader));
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.kernel().registers, 4U);
    EXPECT_EQ(l.kernel().slots, 2U + 3U);
}

// A random function of straight runs, guarded definitions and branches anywhere.
std::string random_function(std::mt19937& random) {
    std::string body;
    const auto r = [&] { return fmt::format("%r{}", random() % 12); };
    const auto d = [&] { return fmt::format("%d{}", random() % 6); };
    const auto p = [&] { return fmt::format("%p{}", random() % 5); };
    const auto n = static_cast<unsigned>(20 + random() % 60);
    for (unsigned i = 0; i < n; ++i) {
        body += fmt::format("L{}: ", i);
        if (random() % 4 == 0)
            body += fmt::format("@{}{} ", random() % 2 == 0 ? "!" : "", p());
        switch (random() % 10) {
        case 0:
        case 1:
            body += fmt::format("add.u32 {}, {}, {};", r(), r(), r());
            break;
        case 2:
            body += fmt::format("mul.wide.u32 {}, {}, {};", d(), r(), r());
            break;
        case 3:
            body += fmt::format("mad.wide.u32 {}, {}, {}, {};", d(), r(), r(), d());
            break;
        case 4:
            body += fmt::format("cvt.u32.u64 {}, {};", r(), d());
            break;
        case 5:
            body += fmt::format("setp.lt.and.u32 {}|{}, {}, {}, {};", p(), p(), r(), r(), p());
            break;
        case 6:
            body += fmt::format("ld.global.v2.u32 {{%r{}, %r{}}}, [{}];", random() % 6, 6 + random() % 6, d());
            break;
        case 7:
            body += fmt::format("shfl.bfly.b32 {}, {}, {}, {};", r(), r(), r(), r());
            break;
        default:
            body += fmt::format("bra L{};", random() % n);
            break;
        }
        body += '\n';
    }
    return body;
}

struct Coloured {
    std::shared_ptr<const SourceText> source;
    ptx::Module module;
    std::unique_ptr<ModuleNames> names;
    std::vector<Draft> drafts{1};
};

Coloured colour_text(const std::string& body) {
    Coloured out;
    out.source = std::make_shared<const SourceText>("t.ptx", test::kernel_text(body));
    Diagnostics diagnostics(out.source);
    out.module = ptx::parse(out.source, diagnostics);
    out.names = std::make_unique<ModuleNames>(std::span(&out.module, 1));
    const VariableAddress nowhere = [](const ptx::Variable&) { return Address{0}; };
    const Context context{*out.names, out.names->units()[0], nowhere, diagnostics};
    select(context, *out.names->functions()[0], out.drafts[0]);
    EXPECT_EQ(diagnostics.render(), "");
    colour(out.drafts[0], make_cfg(out.drafts[0], find_never_returning(out.drafts)));
    return out;
}

// What a register takes: predicates are numbered from a million on, 64-bit registers, which have slots of their own,
// from two million.
std::vector<std::uint32_t> slots_of(const Draft& draft, std::uint32_t r) {
    const std::uint32_t first = draft.colour[r];
    switch (draft.registers[r].slots()) {
    case 0:
        return {1'000'000 + first};
    case 1:
        return {first};
    default:
        return {2'000'000 + first, 2'000'000 + first + 1};
    }
}

// Walks random paths with random guards: whatever register is read must still be where it was written.
void walk(const Draft& draft, std::mt19937& random) {
    std::map<std::uint32_t, std::uint32_t> owner; // by slot, the register written last
    std::map<std::uint32_t, bool> defined;
    std::uint32_t pc = 0;
    for (int step = 0; step < 400 && pc < draft.ops.size(); ++step) {
        const MicroOp& op = draft.ops[pc];
        each_use(draft, op, [&](Place r) {
            if (!defined[r])
                return;
            for (const std::uint32_t slot : slots_of(draft, r))
                ASSERT_EQ(owner[slot], r) << "op " << pc;
        });
        const bool executes = op.guard == kNowhere || random() % 2 == 0;
        if (executes)
            each_definition(op, [&](Place r) {
                defined[r] = true;
                for (const std::uint32_t slot : slots_of(draft, r))
                    owner[slot] = r;
            });
        if (executes && (op.kind == Kind::Exit || op.kind == Kind::Trap))
            return;
        pc = executes && op.kind == Kind::Branch ? op.target : pc + 1;
    }
}

// No destination lies on a source, but for the exceptions micro_op.h allows.
void check_overlaps(const Draft& draft) {
    for (std::size_t i = 0; i < draft.ops.size(); ++i) {
        const MicroOp& op = draft.ops[i];
        each_definition(op, [&](Place d) {
            each_use(draft, op, [&](Place s) {
                const bool in_place = op.kind == Kind::Alu && op.vector == 1 && op.dst[1] == kNowhere &&
                                      draft.registers[d].slots() == draft.registers[s].slots() &&
                                      draft.colour[d] == draft.colour[s];
                if (d == s || in_place)
                    return;
                for (const std::uint32_t a : slots_of(draft, d)) {
                    for (const std::uint32_t b : slots_of(draft, s))
                        EXPECT_NE(a, b) << "op " << i;
                }
            });
        });
    }
}

TEST(Colouring, RandomProgramsFindTheirValuesAgain) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        const std::string body = random_function(random);
        const Coloured c = colour_text(body);
        for (int path = 0; path < 20; ++path)
            walk(c.drafts[0], random);
        check_overlaps(c.drafts[0]);
        if (::testing::Test::HasFailure())
            FAIL() << body;
    }
}

// Liveness by its definition, op by op, in sets: alive before = read, or alive behind and not surely overwritten.
std::vector<std::vector<bool>> alive_behind(const Draft& draft) {
    const std::size_t n = draft.ops.size();
    std::vector<std::vector<bool>> before(n + 1, std::vector<bool>(draft.registers.size(), false));
    std::vector<std::vector<bool>> behind = before;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = n; i-- > 0;) {
            const MicroOp& op = draft.ops[i];
            for (std::size_t r = 0; r < draft.registers.size(); ++r) {
                const bool ends = op.kind == Kind::Exit;
                bool alive = (op.kind == Kind::Branch && before[op.target][r]) ||
                             (falls_through(op) && !(ends && op.guard == kNowhere) && before[i + 1][r]);
                changed = changed || alive != behind[i][r];
                behind[i][r] = alive;
                if (op.guard == kNowhere)
                    each_definition(op, [&](Place d) { alive = alive && d != r; });
                each_use(draft, op, [&](Place u) { alive = alive || u == r; });
                before[i][r] = alive;
            }
        }
    }
    return behind;
}

TEST(Colouring, RegistersAliveTogetherNeverShareASlot) {
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
        const Coloured c = colour_text(random_function(random));
        const Draft& draft = c.drafts[0];
        const std::vector<std::vector<bool>> behind = alive_behind(draft);
        for (std::size_t i = 0; i < draft.ops.size(); ++i) {
            std::vector<bool> together = behind[i];
            each_definition(draft.ops[i], [&](Place d) { together[d] = true; });
            std::map<std::uint32_t, std::uint32_t> holder;
            for (std::uint32_t r = 0; r < draft.registers.size(); ++r) {
                if (!together[r])
                    continue;
                for (const std::uint32_t slot : slots_of(draft, r))
                    EXPECT_TRUE(holder.emplace(slot, r).second) << "op " << i << " slot " << slot;
            }
        }
    }
}

} // namespace
} // namespace heddle::ir
