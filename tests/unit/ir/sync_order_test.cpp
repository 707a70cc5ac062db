#include <gtest/gtest.h>

#include "ir/analysis/sync_order.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

// Threads of a kernel are at micro-op `from`, others at the synchronisation `sync`: may they come there first?
bool can(const test::Lowered& program, Pc from, Pc sync, bool in_function = false) {
    EXPECT_EQ(program.errors, "");
    return can_sync_first_at(program.program.ops, program.kernel().entry + from, in_function,
                             program.kernel().entry + sync);
}

TEST(SyncOrder, ThreadsThatEndComeToNone) {
    const auto program = test::lower_body("bar.sync 0;\nmov.u32 %r1, 1;\nret;");
    EXPECT_TRUE(can(program, 1, 0));
    EXPECT_TRUE(can(program, 2, 0));
}

TEST(SyncOrder, AnotherBarrierStandsBefore) {
    const auto program = test::lower_body("mov.u32 %r1, 1;\nbar.sync 0;\nbar.sync 0;\nret;");
    EXPECT_TRUE(can(program, 0, 1));
    EXPECT_FALSE(can(program, 0, 2));
    EXPECT_TRUE(can(program, 2, 2));
}

TEST(SyncOrder, SoDoesAWarpSynchronisation) {
    const auto program = test::lower_body("bar.warp.sync 3;\nbar.sync 0;\nret;");
    EXPECT_FALSE(can(program, 0, 1));
    EXPECT_TRUE(can(program, 0, 0));
    const Pc entry = program.kernel().entry;
    EXPECT_TRUE(can_sync_first_at(program.program.ops, entry, false, entry + 1, true)); // past it
}

TEST(SyncOrder, OneWayIsEnough) {
    // 0 bra 3, 1 barrier, 2 ret, 3 barrier, 4 ret
    const auto program = test::lower_body("@%p1 bra other;\nbar.sync 0;\nret;\nother: bar.sync 0;\nret;");
    EXPECT_TRUE(can(program, 0, 1));
    EXPECT_TRUE(can(program, 0, 3));
    EXPECT_FALSE(can(program, 1, 3));
    EXPECT_FALSE(can(program, 3, 1));
}

TEST(SyncOrder, AroundALoop) {
    // 0 mov, 1 barrier, 2 bra 0, 3 barrier, 4 ret
    const auto program = test::lower_body("again: mov.u32 %r1, 1;\nbar.sync 0;\n@%p1 bra again;\nbar.sync 0;\nret;");
    EXPECT_TRUE(can(program, 2, 1)); // in the next iteration
    EXPECT_TRUE(can(program, 2, 3));
    EXPECT_FALSE(can(program, 0, 3));
}

TEST(SyncOrder, IntoFunctionsAndBehindThem) {
    const std::string functions =
        ".func meets() { bar.sync 1; ret; }\n.func adds() { .reg .b32 %a; mov.u32 %a, 1; ret; }\n";
    const auto meets = test::lower_body("call meets;\nbar.sync 0;\nret;", "", functions);
    EXPECT_FALSE(can(meets, 0, 1));
    const auto adds = test::lower_body("call adds;\nbar.sync 0;\nret;", "", functions);
    EXPECT_TRUE(can(adds, 0, 1));
    const auto twice = test::lower_body("call adds;\ncall adds;\nbar.sync 0;\nret;", "", functions);
    EXPECT_TRUE(can(twice, 0, 2));
}

TEST(SyncOrder, FromAFunctionThreadsReturnBehindEveryCallOfIt) {
    // 0 call, 1 barrier, 2 call, 3 barrier, 4 call, 5 barrier, 6 ret
    const auto program = test::lower_body(
        "call adds;\nbar.sync 0;\ncall adds;\nbar.sync 0;\ncall other;\nbar.sync 0;\nret;", "",
        ".func adds() { .reg .b32 %a; mov.u32 %a, 1; ret; }\n.func other() { .reg .b32 %a; mov.u32 %a, 2; ret; }\n");
    ASSERT_EQ(program.errors, "");
    const Pc entry = program.kernel().entry;
    const auto can_from = [&](Pc call, Pc sync) {
        return can_sync_first_at(program.program.ops, program.op(entry + call).target, true, entry + sync);
    };
    EXPECT_TRUE(can_from(0, 1));
    EXPECT_TRUE(can_from(0, 3));
    EXPECT_FALSE(can_from(0, 5));
    EXPECT_TRUE(can_from(4, 5));
    EXPECT_FALSE(can_from(4, 1));
}

TEST(SyncOrder, ThroughTheReturnsOfNestedFunctions) {
    const auto program =
        test::lower_body("call outer;\nbar.sync 0;\nret;", "",
                         ".func inner() { .reg .b32 %a; mov.u32 %a, 1; ret; }\n.func outer() { call inner; ret; }\n");
    ASSERT_EQ(program.errors, "");
    const Pc entry = program.kernel().entry, outer = program.op(entry).target, inner = program.op(outer).target;
    EXPECT_TRUE(can_sync_first_at(program.program.ops, inner, true, entry + 1));
    EXPECT_TRUE(can_sync_first_at(program.program.ops, outer + 1, true, entry + 1));
}

} // namespace
} // namespace heddle::ir
