#include "parsed.h"

namespace heddle::ptx {
namespace {

TEST(Module, ReadsItsHead) {
    const Parsed parsed = parse_text(".version 9.0\n.target sm_90a, texmode_independent, debug\n.address_size 64\n");
    EXPECT_EQ(parsed.errors(), "");
    EXPECT_EQ(parsed.module.version_major, 9U);
    EXPECT_EQ(parsed.module.version_minor, 0U);
    EXPECT_EQ(parsed.module.target, "sm_90a");
    EXPECT_EQ(parsed.module.address_size, 64U);
    EXPECT_NE(parsed.module.source, nullptr);
}

TEST(Module, NeedsAVersionFirst) {
    EXPECT_EQ(parse_text("").errors(), "1:1: the file is empty: PTX starts with .version\n");
    EXPECT_EQ(parse_text("// nothing\n").errors(), "2:1: the file is empty: PTX starts with .version\n");
    EXPECT_EQ(parse_text("\n.target sm_75\n").errors(), "2:1: PTX starts with .version, found '.target'\n");
    EXPECT_EQ(parse_text("int main() { return 0; }\n").errors(), "1:1: PTX starts with .version, found 'int'\n");
}

TEST(Module, RefusesVersionsThatAreNone) {
    EXPECT_EQ(parse_text(".version 10.0\n").errors(), "1:10: PTX version 10.0 is not known: 1.0 to 9.x are\n");
    EXPECT_EQ(parse_text(".version 7\n").errors(), "1:10: expected a version such as 7.5 after .version, found '7'\n");
    EXPECT_EQ(parse_text(".version 7.\n.target sm_75\n").errors(),
              "1:10: expected a version such as 7.5 after .version, found '7.'\n");
    EXPECT_EQ(errors_of(".version 7.5\n"), "4:1: a second .version\n");
}

TEST(Module, RefusesShortAddresses) {
    EXPECT_EQ(parse_text(".version 7.5\n.target sm_75\n.address_size 32\n").errors(),
              "3:15: 32-bit addresses are not supported: compile for 64 bits (.address_size 64)\n");
    EXPECT_EQ(parse_text(".version 7.5\n.target sm_75\n.address_size 48\n").errors(),
              "3:15: expected .address_size 64, found 48\n");
}

TEST(Module, RefusesToChangeDoublesToFloats) {
    EXPECT_EQ(parse_text(".version 1.4\n.target sm_10, map_f64_to_f32\n").errors(),
              "2:16: the target option map_f64_to_f32 is not supported\n");
}

TEST(Module, ReadsFiles) {
    const Module module = module_of(".file 1 \"a b.cu\"\n.file\t2 \"c\\\\d\\\"\\101.h\", 1700000000, 4096\n");
    ASSERT_EQ(module.files.size(), 2U);
    EXPECT_EQ(module.files[0].index, 1U);
    EXPECT_EQ(module.files[0].name, "a b.cu");
    EXPECT_EQ(module.files[1].index, 2U);
    EXPECT_EQ(module.files[1].name, "c\\d\"A.h");
}

TEST(Module, SkipsDebugSections) {
    const Module module =
        module_of(".section .debug_abbrev\n{\n.b8 1,2\nL1:\n.b32 L1+4\n.b64 .debug_loc\n.b32 L2-L1\n}\n"
                  ".section .debug_macinfo { }\n.global .u32 x;\n");
    EXPECT_EQ(module.variables.size(), 1U);
}

TEST(Module, ReadsPragmasAndComments) {
    module_of(".pragma \"nounroll\";\n.pragma \"a\", \"b\"; // c\n/* .bad \n */");
}

TEST(Module, ReadsAliases) {
    const Module module = module_of(".func f() { ret; }\n.func g();\n.alias g, f;\n");
    ASSERT_EQ(module.aliases.size(), 1U);
    EXPECT_EQ(module.aliases[0].name, "g");
    EXPECT_EQ(module.aliases[0].function, "f");
    EXPECT_EQ(module.aliases[0].where.line, 6U);
}

TEST(Module, RefusesUnknownDirectives) {
    EXPECT_EQ(errors_of(".bogus 3;\n"), "4:1: unknown directive '.bogus'\n");
    EXPECT_EQ(errors_of("bogus;\n"), "4:1: expected a directive, found 'bogus'\n");
    EXPECT_EQ(errors_of(".visible .bogus x;\n"), "4:10: expected '.entry', '.func' or a variable, found '.bogus'\n");
    EXPECT_EQ(errors_of("}\n"), "4:1: expected a directive, found '}'\n");
}

} // namespace
} // namespace heddle::ptx
