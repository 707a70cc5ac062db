#include "parsed.h"

namespace heddle::ptx {
namespace {

TEST(Recovery, ReportsSeveralErrorsInOneRun) {
    EXPECT_EQ(body_errors("add.s32 a b;\nmov.u32 c, d;\n.reg .b33 x;\nld.u32 e, [f;\nret;"),
              "6:11: expected ',' or ';' after an instruction, found 'b'\n8:6: unknown type '.b33'\n"
              "9:13: expected ']', found ';'\n");
}

TEST(Recovery, KeepsWhatStandsBetweenErrors) {
    const Parsed parsed =
        parse_text(kHead + ".global .u32 x = {;\n.global .u32 y = 2;\n" +
                   kernel("add.s32 a b;\nmov.u32 c, d;\n{ sub.s32 , ; }\nL: ret;") + ".global .u32 z;\n");
    EXPECT_EQ(parsed.errors(), "4:18: expected an initial value, found '{'\n"
                               "8:11: expected ',' or ';' after an instruction, found 'b'\n"
                               "10:11: expected an operand, found ','\n");
    ASSERT_EQ(parsed.module.variables.size(), 2U);
    EXPECT_EQ(parsed.module.variables[0].name, "y");
    EXPECT_EQ(parsed.module.variables[1].name, "z");
    ASSERT_EQ(parsed.module.functions.size(), 1U);
    EXPECT_EQ(parsed.module.functions[0].body.size(), 2U);
    EXPECT_EQ(parsed.module.functions[0].labels.size(), 1U);
}

TEST(Recovery, SkipsTheBodyBehindABrokenHead) {
    EXPECT_EQ(errors_of(".visible .entry k(.param .u33 a)\n{\n.reg .b32 x;\n{ add.s32 x, x, x; }\nret;\n}\n"
                        ".visible .entry m(.param u32 a)\n{\nret;\n}\n.global .bogus z;\n"),
              "4:26: unknown type '.u33'\n10:26: expected a type, found 'u32'\n14:9: unknown type '.bogus'\n");
}

TEST(Recovery, KnowsAVectorsBraceFromAScopes) {
    EXPECT_EQ(body_errors("{\nmov.b64 {a, b c}, d;\nadd.s32 , ;\n}\nsub.s32 , ;"),
              "7:15: expected ',' or '}' after an element, found 'c'\n8:9: expected an operand, found ','\n"
              "10:9: expected an operand, found ','\n");
    EXPECT_EQ(body_errors("{ mov.b64 {a, b }"), "6:18: expected ';' after an instruction\n"
                                                "7:2: unexpected end of file: the body of 'k' that starts on line 5 is "
                                                "not closed\n");
    EXPECT_EQ(body_errors("tex.2d {a}, [t, {b c}];\nadd , ;"),
              "6:20: expected ',' or '}' after an element, found 'c'\n7:5: expected an operand, found ','\n");
    EXPECT_EQ(body_errors("add.s32 a, ) }\nret;\n{"), "6:12: expected an operand, found ')'\n"
                                                      "7:1: expected a directive, found 'ret'\n"
                                                      "8:1: expected a directive, found '{'\n");
}

TEST(Recovery, EndsABodyAtTheNextFunction) {
    const Parsed parsed =
        parse_text(kHead + ".entry k()\n{\n{ ret;\n.visible .entry m()\n{\nret;\n}\n.global .u33 x;\n");
    EXPECT_EQ(parsed.errors(),
              "7:1: expected '}' before '.visible': the body of 'k' that starts on line 5 is not closed\n"
              "11:9: unknown type '.u33'\n");
    EXPECT_EQ(parsed.module.functions.size(), 2U);
}

TEST(Recovery, FindsTheNextLineAfterADirectiveWithoutAnEnd) {
    EXPECT_EQ(
        body_errors(".loc 1 x 3\n.reg .b32 %r<2>;\n.bogus\n@%p1 bra L;\n.loc 1 2\nadd , ;"),
        "6:8: expected a line, found 'x'\n8:1: unknown directive '.bogus'\n11:1: expected a column, found 'add'\n");
}

TEST(Recovery, StopsAfterTwentyErrors) {
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += "add , ;\n";
    const Parsed parsed = parse_text(kHead + kernel(text));
    EXPECT_EQ(parsed.diagnostics.count(), Diagnostics::kMaxErrors);
    EXPECT_TRUE(parsed.diagnostics.full());
}

TEST(Recovery, GivesUpAtOnceOnOtherTexts) {
    EXPECT_EQ(parse_text("\x7f"
                         "ELF\x02\x01\x01")
                  .errors(),
              "1:1: PTX starts with .version, found '\x7f'\n");
    EXPECT_EQ(parse_text(std::string(1, '\0')).diagnostics.count(), 1U);
}

TEST(Truncation, SaysWhatIsMissing) {
    const auto error = [](const std::string& text) { return errors_of(text); };
    EXPECT_EQ(error(".entry k()\n{\nret;\n"),
              "6:5: unexpected end of file: the body of 'k' that starts on line 5 is not closed\n");
    EXPECT_EQ(error(".entry k()\n{\nadd.s32 a, b"),
              "6:13: unexpected end of file: expected ',' or ';' after an instruction\n");
    EXPECT_EQ(error(".entry k()\n{\nadd.s32 a,"), "6:11: unexpected end of file: expected an operand\n");
    EXPECT_EQ(error(".entry k()\n{\nadd.s3"), "6:7: unexpected end of file: expected an operand\n");
    EXPECT_EQ(error(".entry k()\n{\nmov.f32 a, 0f3F8"),
              "6:12: expected 8 hexadecimal digits after 0f, found '0f3F8' (the file ends here)\n");
    EXPECT_EQ(error(".entry k(.param .u6"), "4:17: unknown type '.u6' (the file ends here)\n");
    EXPECT_EQ(error(".entry k("), "4:10: unexpected end of file: expected '.param'\n");
    EXPECT_EQ(error(".entry k()"), "4:11: unexpected end of file: expected '{' or ';' after a function's head\n");
    EXPECT_EQ(error(".vis"), "4:1: unknown directive '.vis' (the file ends here)\n");
    EXPECT_EQ(error(".global .b8 x[4] = {1, 2"),
              "4:25: unexpected end of file: expected ',' or '}' after an initial value\n");
    EXPECT_EQ(error("/* no end"), "4:1: this comment is not closed: expected '*/' (the file ends here)\n");
    EXPECT_EQ(error(".file 1 \"no end"),
              "4:9: this string is not closed: expected '\"' on the same line (the file ends here)\n");
    EXPECT_EQ(error(".section .debug_info\n{\n.b8 1\n"),
              "6:6: unexpected end of file: the '{' of line 5 is not closed\n");
}

TEST(Messages, ShowLineAndCaret) {
    const Parsed parsed = parse_text(kHead + kernel("\tadd.s32 \ta b;"));
    EXPECT_EQ(parsed.diagnostics.render(), "test.ptx:6:13: error: expected ',' or ';' after an instruction, found 'b'\n"
                                           "    \tadd.s32 \ta b;\n"
                                           "    \t        \t  ^\n");
}

} // namespace
} // namespace heddle::ptx
