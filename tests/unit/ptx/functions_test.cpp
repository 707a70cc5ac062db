#include "parsed.h"

namespace heddle::ptx {
namespace {

const Local* local_named(const Function& function, std::string_view name, std::size_t nth = 0) {
    for (const Local& local : function.locals)
        if (local.variable.name == name && nth-- == 0)
            return &local;
    return nullptr;
}

TEST(Functions, ReadAnEntry) {
    const Module module =
        module_of(".visible .entry mix(\n\t.param .u64 mix_param_0,\n"
                  "\t.param .align 8 .b8 mix_param_1[16],\n"
                  "\t.param .u64 .ptr .global .align 4 mix_param_2,\n"
                  "\t.param .u64 .ptr .align 1 mix_param_3,\n"
                  "\t.param .u64 .ptr mix_param_4\n)\n.maxntid 128, 2, 1\n.minnctapersm 2\n{\n\tret;\n}\n");
    ASSERT_EQ(module.functions.size(), 1U);
    const Function& f = module.functions[0];
    EXPECT_EQ(f.name, "mix");
    EXPECT_TRUE(f.is_entry);
    EXPECT_TRUE(f.is_visible);
    EXPECT_TRUE(f.has_body);
    EXPECT_EQ(f.max_threads, 256U);
    EXPECT_EQ(f.required_threads, 0U);
    EXPECT_EQ(f.where.line, 4U);
    EXPECT_EQ(f.where.column, 17U);
    EXPECT_EQ(f.end.line, 15U);
    ASSERT_EQ(f.parameters.size(), 5U);
    EXPECT_EQ(f.parameters[0].space, Space::Param);
    EXPECT_EQ(f.parameters[0].type, Type::U64);
    EXPECT_EQ(f.parameters[1].bytes(), 16U);
    EXPECT_EQ(f.parameters[1].alignment(), 8U);
    EXPECT_EQ(f.parameters[2].name, "mix_param_2");
    EXPECT_EQ(f.parameters[2].align, 0U); // the 4 is of what it points to
    EXPECT_EQ(f.parameters[3].name, "mix_param_3");
    EXPECT_EQ(f.parameters[4].name, "mix_param_4");
    EXPECT_EQ(f.body.size(), 1U);
}

TEST(Functions, ReadEveryBound) {
    const Module module = module_of(
        ".entry a() .reqntid 8, 4 { ret; }\n"
        ".entry b .maxnreg 32 .maxnctapersm 3 .maxclusterrank 8 .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n"
        ".entry c() .pragma \"nounroll\"; .blocksareclusters .noreturn { ret; }\n"
        ".entry d() .maxntid 64 { ret; }\n");
    ASSERT_EQ(module.functions.size(), 4U);
    EXPECT_EQ(module.functions[0].required_threads, 32U);
    EXPECT_EQ(module.functions[0].required_block, (Dim3{8, 4, 1}));
    EXPECT_EQ(module.functions[1].required_threads, 0U);
    EXPECT_TRUE(module.functions[2].is_noreturn);
    EXPECT_EQ(module.functions[3].max_threads, 64U);
}

TEST(Functions, ReadDeviceFunctions) {
    const Module module =
        module_of(".extern .func (.param .b32 func_retval0) vprintf\n(\n\t.param .b64 vprintf_param_0,\n"
                  "\t.param .b64 vprintf_param_1\n)\n;\n"
                  ".func  (.param .align 4 .b8 r[16]) turn(.param .align 4 .b8 p[16])\n{\n\tret;\n}\n"
                  ".weak .func (.reg .u32 %out) inc (.reg .u32 %in) .noreturn;\n"
                  ".func .attribute(.unified(0xAB, 0xCD)) bar() { ret; }\n.func f { ret; }\n"
                  ".func g(.param .b8 v[]);\n");
    ASSERT_EQ(module.functions.size(), 6U);
    EXPECT_TRUE(module.functions[0].is_extern);
    EXPECT_FALSE(module.functions[0].has_body);
    EXPECT_FALSE(module.functions[0].is_entry);
    EXPECT_EQ(module.functions[0].parameters.size(), 2U);
    EXPECT_EQ(module.functions[0].results.at(0).type, Type::B32);
    EXPECT_EQ(module.functions[1].results.at(0).bytes(), 16U);
    EXPECT_TRUE(module.functions[2].is_weak);
    EXPECT_TRUE(module.functions[2].is_noreturn);
    EXPECT_EQ(module.functions[2].results.at(0).space, Space::Reg);
    EXPECT_EQ(module.functions[2].parameters.at(0).name, "%in");
    EXPECT_EQ(module.functions[4].name, "f");
}

TEST(Functions, MayBeDeclaredBeforeTheyAreDefined) {
    const Module module = module_of(".func f();\n.func f();\n.func f() { ret; }\n");
    EXPECT_EQ(module.functions.size(), 3U);
    EXPECT_EQ(errors_of(".func f() { ret; }\n.func f() { ret; }\n"), "5:7: 'f' has two bodies, the first on line 4\n");
    EXPECT_EQ(errors_of(".global .u32 f;\n.func f() { ret; }\n"), "5:7: 'f' is declared twice, first on line 4\n");
}

TEST(Bodies, HoldVariables) {
    const Function f =
        body_of(".reg .pred %p<3>;\n.reg .b32 %r<10>, x;\n.reg .v4 .f32 v;\n.local .align 8 .b8 depot[16];\n"
                ".shared .align 4 .b8 tile[256];\n.global .u32 g = 3;\nret;");
    ASSERT_EQ(f.locals.size(), 7U);
    EXPECT_EQ(f.locals[0].variable.name, "%p");
    EXPECT_EQ(f.locals[0].variable.count, 3U);
    EXPECT_EQ(f.locals[0].variable.type, Type::Pred);
    EXPECT_EQ(f.locals[1].variable.count, 10U);
    EXPECT_EQ(f.locals[2].variable.name, "x");
    EXPECT_EQ(f.locals[2].variable.count, 0U);
    EXPECT_EQ(f.locals[3].variable.vector, 4U);
    EXPECT_EQ(f.locals[4].variable.space, Space::Local);
    EXPECT_EQ(f.locals[5].variable.bytes(), 256U);
    EXPECT_EQ(f.locals[6].variable.initial.size(), 1U);
    EXPECT_EQ(f.locals[0].begin, 0U);
    EXPECT_EQ(f.locals[0].end, 1U);
}

TEST(Bodies, NestScopes) {
    const Function f = body_of("a;\n{\n.reg .b32 x;\nb;\n{ .reg .b32 x; c; }\nd;\n}\n{ .reg .b32 x; }\ne;");
    ASSERT_EQ(f.body.size(), 5U);
    ASSERT_NE(local_named(f, "x", 2), nullptr);
    EXPECT_EQ(local_named(f, "x")->begin, 1U);
    EXPECT_EQ(local_named(f, "x")->end, 4U);
    EXPECT_EQ(local_named(f, "x", 1)->begin, 2U);
    EXPECT_EQ(local_named(f, "x", 1)->end, 3U);
    EXPECT_EQ(local_named(f, "x", 2)->begin, 4U);
    EXPECT_EQ(local_named(f, "x", 2)->end, 4U);
}

TEST(Bodies, HoldLabels) {
    const Function f = body_of("L0: a;\n{ b;\nL1: c; @p bra L1; }\n{ L1: }\nL2:\nL3 : d;\n$L__end:");
    ASSERT_EQ(f.labels.size(), 6U);
    const auto expect = [&](std::size_t i, std::string_view name, std::uint32_t index, std::uint32_t begin,
                            std::uint32_t end) {
        EXPECT_EQ(f.labels[i].name, name);
        EXPECT_EQ(f.labels[i].index, index) << name;
        EXPECT_EQ(f.labels[i].begin, begin) << name;
        EXPECT_EQ(f.labels[i].end, end) << name;
    };
    expect(0, "L0", 0, 0, 5);
    expect(1, "L1", 2, 1, 4);
    expect(2, "L1", 4, 4, 4);
    expect(3, "L2", 4, 0, 5);
    expect(4, "L3", 4, 0, 5);
    expect(5, "$L__end", 5, 0, 5);
    EXPECT_EQ(f.labels[1].where.line, 8U);
}

TEST(Bodies, HoldTargets) {
    const Function f =
        body_of("brx.idx %r1, ts;\nts: .branchtargets A, B, A;\nfs: .calltargets f, g;\n"
                "prototype_4 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]);\n"
                "p2: .callprototype _ .noreturn;\np3: .callprototype ()_();\nA: B: ret;");
    ASSERT_EQ(f.targets.size(), 5U);
    EXPECT_EQ(f.targets[0].name, "ts");
    EXPECT_EQ(f.targets[0].targets, (std::vector<std::string_view>{"A", "B", "A"}));
    EXPECT_EQ(f.targets[1].targets, (std::vector<std::string_view>{"f", "g"}));
    EXPECT_EQ(f.targets[2].name, "prototype_4");
    EXPECT_TRUE(f.targets[2].targets.empty());
    EXPECT_EQ(f.labels.size(), 2U);
    EXPECT_EQ(f.body.size(), 2U);
}

TEST(Bodies, KnowTheirSourceLines) {
    const Function f = body_of(
        "a;\n.loc 1 20 5\nb;\nc;\n.loc\t2 7 0, function_name $L__info_string0, inlined_at 1 25 5\nd;\n"
        ".loc 1 0 45\ne;\n.loc 1 3 1, function_name info+8, inlined_at 1 2 3\nf; .pragma \"x\"; .file 3 \"y\"\n");
    ASSERT_EQ(f.body.size(), 6U);
    EXPECT_EQ(f.body[0].source.line, 0U);
    EXPECT_EQ(f.body[1].source.file, 1U);
    EXPECT_EQ(f.body[1].source.line, 20U);
    EXPECT_EQ(f.body[1].source.column, 5U);
    EXPECT_EQ(f.body[2].source.line, 20U);
    EXPECT_EQ(f.body[3].source.file, 2U);
    EXPECT_EQ(f.body[3].source.line, 7U);
    EXPECT_EQ(f.body[4].source.file, 0U); // line 0: the compiler has no line
    EXPECT_EQ(f.body[4].source.line, 0U);
    EXPECT_EQ(f.body[5].source.line, 3U);
}

// As nvcc writes it: inner() is inlined in outer(), which is inlined in the kernel.
TEST(Bodies, KnowTheCallsOfInlinedFunctions) {
    const Module module =
        module_of(".func f() {\n.loc 1 10 5\na;\n.loc 1 6 5, function_name $S0, inlined_at 1 10 5\n"
                  ".loc 1 3 5, function_name $S0+6, inlined_at 1 6 5\nb;\n"
                  ".loc 1 7 5, function_name $S0, inlined_at 1 10 5\nc;\n"
                  ".loc 1 3 5, function_name $S0+6, inlined_at 1 7 5\nd;\n.loc 1 11 1\nret;\n}\n"
                  ".func g() {\n.loc 1 3 5, function_name $S0+6, inlined_at 1 6 5\nret;\n}\n"
                  ".section .debug_str\n{\n$S0:\n.b8 111,117,116,101,114,0\n.b8 105,110,110,101,114,0\n}\n");
    const auto path = [&](const Instruction& i) { // "3<inner<6<outer<10": lines and functions
        std::string out = std::to_string(i.source.line);
        for (std::uint32_t call = i.source.call; call != 0; call = module.calls.at(call - 1).place.call)
            out +=
                "<" + module.calls.at(call - 1).function + "<" + std::to_string(module.calls.at(call - 1).place.line);
        return out;
    };
    const std::vector<Instruction>& body = module.functions[0].body;
    ASSERT_EQ(body.size(), 5U);
    EXPECT_EQ(path(body[0]), "10");
    EXPECT_EQ(path(body[1]), "3<inner<6<outer<10");
    EXPECT_EQ(path(body[2]), "7<outer<10");
    EXPECT_EQ(path(body[3]), "3<inner<7<outer<10");
    EXPECT_EQ(path(body[4]), "11");
    EXPECT_EQ(path(module.functions[1].body[0]), "3<inner<6"); // in another function: line 6 is not inlined
    EXPECT_EQ(module.calls.size(), 4U);
}

TEST(Bodies, PassOverFunctionNamesThatAreNotThere) {
    const Module module = module_of(
        ".func f() {\n.loc 1 3 5, function_name $none, inlined_at 1 6 5\na;\n"
        ".loc 1 3 5, function_name $S-4, inlined_at 1 6 5\na;\n"
        ".loc 1 3 5, function_name $S+9, inlined_at 1 6 5\na;\n}\n.section .debug_str { $S: .b8 65, x, 66 }\n");
    ASSERT_EQ(module.calls.size(), 3U);
    for (const InlinedCall& call : module.calls)
        EXPECT_EQ(call.function, "");
}

TEST(Bodies, StartWithoutASourceLine) {
    const Module module = module_of(".func f() {\n.loc 1 2 3\nret; }\n.func g() { ret; }\n");
    EXPECT_EQ(module.functions[0].body[0].source.line, 2U);
    EXPECT_EQ(module.functions[1].body[0].source.line, 0U);
}

TEST(Bodies, DeclareANameOnceInAScope) {
    EXPECT_EQ(body_errors(".reg .b32 x;\n.reg .f32 x;"),
              "7:11: variable 'x' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(body_errors(".reg .b32 %r<4>;\n.reg .b32 %r<3>;"),
              "7:11: variable '%r' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(body_errors(".reg .b32 %r<4>;\n.reg .b32 %r3;"),
              "7:11: variable '%r3' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(body_errors(".reg .b32 %r3;\n.reg .b32 %r10;\n.reg .b32 %r<4>;"),
              "8:11: variable '%r' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(body_errors("L: ret;\nL: ret;"), "7:1: label 'L' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(body_errors(".reg .b32 x;\nx: ret;"),
              "7:1: label 'x' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(body_errors("{ L: ret;\nL: ret; }"), "7:1: label 'L' is declared twice in this scope, first on line 6\n");
    EXPECT_EQ(errors_of(".entry k(.param .u64 a,\n.param .u64 a) { ret; }\n"),
              "5:13: parameter 'a' is declared twice in this scope, first on line 4\n");
    EXPECT_EQ(errors_of(".entry k(.param .u64 a) {\n.reg .b64 a; ret; }\n"),
              "5:11: variable 'a' is declared twice in this scope, first on line 4\n");
    // numbers outside the list, with leading zeros, and lists of other bases are other names
    body_of(".reg .b32 %r<4>;\n.reg .b32 %r4, %r03, %rd<4>, %r;\n{ .reg .b32 %r1; }\n{ .reg .b32 %r<9>; }");
    // an inner declaration does not make the outer one forgotten
    EXPECT_EQ(body_errors(".reg .b32 x;\n{ .reg .b32 x; { .reg .b32 x; } }\n.reg .b32 x;"),
              "8:11: variable 'x' is declared twice in this scope, first on line 6\n");
    body_of("{ .reg .b32 x; }\n{ .reg .b32 x; }\n.reg .b32 x;");
}

TEST(Functions, RefuseWhatPtxDoesNotAllow) {
    EXPECT_EQ(errors_of(".entry (.param .u32 x) { ret; }\n"), "4:8: expected a kernel's name, found '('\n");
    EXPECT_EQ(errors_of(".entry k(.reg .u32 x) { ret; }\n"), "4:10: expected '.param', found '.reg'\n");
    EXPECT_EQ(errors_of(".entry k(.param .u32) { ret; }\n"), "4:21: expected a parameter's name, found ')'\n");
    EXPECT_EQ(errors_of(".entry k(.param .u32 x .param .u32 y) { ret; }\n"),
              "4:24: expected ',' or ')' after a parameter, found '.param'\n");
    EXPECT_EQ(errors_of(".entry k() .bogus 3 { ret; }\n"), "4:12: unknown directive '.bogus' in a function's head\n");
    EXPECT_EQ(errors_of(".entry k() .maxntid 0 { ret; }\n"),
              "4:21: the sizes after .maxntid are 1 to 4294967295 together\n");
    EXPECT_EQ(errors_of(".entry k() .reqntid 65536, 65536 { ret; }\n"),
              "4:21: the sizes after .reqntid are 1 to 4294967295 together\n");
    EXPECT_EQ(errors_of(".entry k() .maxntid 4294967296 { ret; }\n"),
              "4:21: '4294967296' is too large for a size after .maxntid\n");
    EXPECT_EQ(errors_of(".entry k() 3\n"), "4:12: expected '{' or ';' after a function's head, found '3'\n");
    EXPECT_EQ(body_errors(".bogus 3;"), "6:1: unknown directive '.bogus'\n");
    EXPECT_EQ(body_errors(".branchtargets A;"), "6:1: expected a label before '.branchtargets'\n");
    EXPECT_EQ(body_errors(".reg .b32 %r<0>;"), "6:14: a list has 1 to 1048576 registers, found 0\n");
    EXPECT_EQ(body_errors(".reg .b32 %r<2000000>;"), "6:14: a list has 1 to 1048576 registers, found 2000000\n");
    EXPECT_EQ(body_errors(".reg .b32 r[4];"), "6:12: a register is no array\n");
    EXPECT_EQ(body_errors(".loc 1 2 3, bogus x"), "6:13: expected 'function_name' or 'inlined_at', found 'bogus'\n");
    EXPECT_EQ(body_errors(";"), "6:1: expected an instruction, a declaration or '}', found ';'\n");
}

} // namespace
} // namespace heddle::ptx
