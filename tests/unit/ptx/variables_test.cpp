#include <bit>

#include "parsed.h"

namespace heddle::ptx {
namespace {

using Value = InitialValue::Kind;

Variable variable_of(const std::string& text) {
    static std::vector<std::shared_ptr<const SourceText>> kept; // the views point there
    Module module = module_of(text);
    kept.push_back(module.source);
    EXPECT_EQ(module.variables.size(), 1U) << text;
    return module.variables.empty() ? Variable{} : module.variables.front();
}

std::vector<std::uint64_t> bits_of(const std::string& text) {
    std::vector<std::uint64_t> bits;
    for (const InitialValue& value : variable_of(text).initial)
        bits.push_back(value.bits);
    return bits;
}

TEST(Variables, ReadShapeAndLinkage) {
    const Variable v = variable_of(".visible .global .align 16 .v4 .f32 table[2][3];");
    EXPECT_EQ(v.name, "table");
    EXPECT_EQ(v.space, Space::Global);
    EXPECT_EQ(v.type, Type::F32);
    EXPECT_EQ(v.vector, 4U);
    EXPECT_EQ(v.align, 16U);
    EXPECT_EQ(v.extents, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(v.bytes(), 96U);
    EXPECT_TRUE(v.is_visible);
    EXPECT_FALSE(v.is_extern);
    EXPECT_FALSE(v.is_weak);
    EXPECT_EQ(v.where.line, 4U);
    EXPECT_EQ(v.where.column, 37U);
}

TEST(Variables, ReadEachSpaceAndLinkage) {
    const Module module =
        module_of(".extern .shared .align 4 .b8 dynamic[];\n.weak .const .u32 a;\n.common .global .u8 b;\n"
                  ".shared .u64 c;\n.global .attribute(.managed) .align 4 .u32 m = 3;\n"
                  ".global .attribute(.unified(1, 2)) .u32 n;\n");
    ASSERT_EQ(module.variables.size(), 6U);
    EXPECT_TRUE(module.variables[0].is_extern);
    EXPECT_EQ(module.variables[0].space, Space::Shared);
    EXPECT_EQ(module.variables[0].extents, (std::vector<std::uint64_t>{0}));
    EXPECT_EQ(module.variables[0].elements(), 0U);
    EXPECT_TRUE(module.variables[1].is_weak);
    EXPECT_EQ(module.variables[1].space, Space::Const);
    EXPECT_TRUE(module.variables[2].is_weak);
    EXPECT_EQ(module.variables[3].type, Type::U64);
    EXPECT_EQ(module.variables[4].align, 4U);
    EXPECT_EQ(module.variables[4].initial.size(), 1U);
    EXPECT_TRUE(module.variables[4].is_managed);
    EXPECT_FALSE(module.variables[5].is_managed);
}

TEST(Variables, ShareADeclaration) {
    const Module module = module_of(".global .u32 f, g[2], h = 4;");
    ASSERT_EQ(module.variables.size(), 3U);
    EXPECT_EQ(module.variables[1].extents.size(), 1U);
    EXPECT_EQ(module.variables[2].extents.size(), 0U);
    EXPECT_EQ(module.variables[2].initial.at(0).bits, 4U);
}

TEST(Initialisers, OfNumbers) {
    EXPECT_EQ(bits_of(".global .u32 x = 0x10;"), (std::vector<std::uint64_t>{16}));
    EXPECT_EQ(bits_of(".const .align 1 .b8 x[4] = {1, -2, (3+4), 0b101U};"),
              (std::vector<std::uint64_t>{1, 0xfffffffffffffffeU, 7, 5}));
    EXPECT_EQ(bits_of(".global .b8 x[3] = {};"), (std::vector<std::uint64_t>{}));
    EXPECT_EQ(bits_of(".global .b8 x[9] = {1};"), (std::vector<std::uint64_t>{1}));
}

TEST(Initialisers, OfFloats) {
    const Variable v = variable_of(".global .f32 x[3] = {0f3F000000, -1.25, 0fC0400000};");
    ASSERT_EQ(v.initial.size(), 3U);
    EXPECT_EQ(v.initial[0].kind, Value::Float);
    EXPECT_EQ(v.initial[0].bits, std::bit_cast<std::uint64_t>(0.5));
    EXPECT_EQ(v.initial[1].bits, std::bit_cast<std::uint64_t>(-1.25));
    EXPECT_EQ(v.initial[2].bits, std::bit_cast<std::uint64_t>(-3.0));
    EXPECT_EQ(bits_of(".global .f64 x = 0d3FD554C985F06F69;"), (std::vector<std::uint64_t>{0x3fd554c985f06f69U}));
    // a signalling NaN stays one: 23 mantissa bits move up by 29
    EXPECT_EQ(bits_of(".global .f32 x = 0fFF800001;"), (std::vector<std::uint64_t>{0xfff0000020000000U}));
    // .b32 and .b64 take a number's bits
    const Variable b = variable_of(".global .b32 x[2] = {0f3F800000, 1.0};");
    EXPECT_EQ(b.initial[0].kind, Value::Integer);
    EXPECT_EQ(b.initial[0].bits, 0x3f800000U);
    EXPECT_EQ(b.initial[1].bits, 0x3f800000U);
    EXPECT_EQ(bits_of(".global .b64 x = 1.0;"), (std::vector<std::uint64_t>{0x3ff0000000000000U}));
}

TEST(Initialisers, FillNestedBraces) {
    EXPECT_EQ(bits_of(".global .b8 x[2][3] = {{1}, {2, 3}};"), (std::vector<std::uint64_t>{1, 0, 0, 2, 3, 0}));
    EXPECT_EQ(bits_of(".global .b8 x[2][2][2] = {{{1}}, {{2, 3}, {4}}};"),
              (std::vector<std::uint64_t>{1, 0, 0, 0, 2, 3, 4, 0}));
    EXPECT_EQ(bits_of(".global .v2 .u32 x = {1, 2};"), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(bits_of(".global .v2 .u32 x[2] = {{1}, {3, 4}};"), (std::vector<std::uint64_t>{1, 0, 3, 4}));
    EXPECT_EQ(variable_of(".global .f32 x[2][2] = {{1.0}, {2.0}};").initial[1].kind, Value::Float);
}

TEST(Initialisers, GiveOpenArraysTheirLength) {
    EXPECT_EQ(variable_of(".global .b8 x[] = {1, 2, 3};").extents, (std::vector<std::uint64_t>{3}));
    const Variable v = variable_of(".global .b8 x[][4] = {{1, 2}, {3}};");
    EXPECT_EQ(v.extents, (std::vector<std::uint64_t>{2, 4}));
    EXPECT_EQ(v.initial.size(), 8U);
}

TEST(Initialisers, OfAddresses) {
    const Variable v =
        variable_of(".global .u64 x[8] = {f, f+4, f-8, generic(f), generic(f)+20, generic(f+4), (f)+4, 0};");
    ASSERT_EQ(v.initial.size(), 8U);
    const std::vector<std::int64_t> offsets{0, 4, -8, 0, 20, 4, 4};
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        EXPECT_EQ(v.initial[i].kind, Value::Symbol) << i;
        EXPECT_EQ(v.initial[i].symbol, "f") << i;
        EXPECT_EQ(v.initial[i].offset, offsets[i]) << i;
        EXPECT_EQ(v.initial[i].generic, i >= 3 && i <= 5) << i;
        EXPECT_EQ(v.initial[i].byte, 0xff) << i;
    }
    EXPECT_EQ(v.initial[7].kind, Value::Integer);
    EXPECT_EQ(v.initial[1].where.line, 4U);
    EXPECT_EQ(v.initial[1].where.column, 25U);
}

TEST(Initialisers, OfAnAddressByteByByte) {
    const Variable v = variable_of(".global .b8 x[4] = {0xFF(f), 0xFF00(generic(f)+4), 0xFF00000000000000(f+1), 255};");
    ASSERT_EQ(v.initial.size(), 4U);
    EXPECT_EQ(v.initial[0].byte, 0);
    EXPECT_EQ(v.initial[1].byte, 1);
    EXPECT_TRUE(v.initial[1].generic);
    EXPECT_EQ(v.initial[1].offset, 4);
    EXPECT_EQ(v.initial[2].byte, 7);
    EXPECT_EQ(v.initial[2].offset, 1);
    EXPECT_EQ(v.initial[3].kind, Value::Integer);
}

TEST(Initialisers, OfSamplersAreFields) {
    const Module module = module_of(
        ".global .texref t;\n.global .samplerref s = { addr_mode_0 = clamp_to_edge, filter_mode = nearest };\n");
    ASSERT_EQ(module.variables.size(), 2U);
    EXPECT_EQ(module.variables[0].type, Type::Texref);
    EXPECT_TRUE(module.variables[0].fields.empty());
    const std::vector<OpaqueField>& fields = module.variables[1].fields;
    ASSERT_EQ(fields.size(), 2U);
    EXPECT_EQ(fields[0].name, "addr_mode_0");
    EXPECT_EQ(fields[0].word, "clamp_to_edge");
    EXPECT_EQ(fields[1].name, "filter_mode");
    EXPECT_EQ(fields[1].word, "nearest");
}

TEST(Variables, RefuseWhatPtxDoesNotAllow) {
    const auto expect_error = [](const std::string& text, const std::string& error) {
        EXPECT_EQ(errors_of(text + "\n"), error + "\n") << text;
    };
    expect_error(".reg .u32 x;", "4:1: a .reg variable stands inside a function");
    expect_error(".global x;", "4:9: expected a type, found 'x'");
    expect_error(".global .u33 x;", "4:9: unknown type '.u33'");
    expect_error(".global .pred x;", "4:9: a .pred variable is a register");
    expect_error(".global .u32;", "4:13: expected a variable's name, found ';'");
    expect_error(".global .align 3 .u32 x;", "4:16: an alignment is a power of two, found 3");
    expect_error(".global .u32 x<4>;", "4:15: only registers are declared as a list <N>");
    expect_error(".global .u32 x[2][];", "4:19: expected an array's extent, found ']'");
    expect_error(".global .u32 x[2][0];", "4:19: only the first extent may be open");
    expect_error(".global .u32 x[1000000000000];", "4:14: 'x' is too large: a variable has at most 2^40 bytes");
    expect_error(".global .u32 x[0x100000000][0x100000000];",
                 "4:14: 'x' is too large: a variable has at most 2^40 bytes");
    expect_error(".shared .u32 x = 3;", "4:16: a .shared variable has no initial value");
    expect_error(".extern .global .u32 x = 3;", "4:24: an .extern variable has no initial value");
    expect_error(".global .f32 x = 3;", "4:18: expected a floating-point value for a .f32 variable, found an integer");
    expect_error(".global .u32 x = 1.5;",
                 "4:18: expected an integer for a .u32 variable, found a floating-point value");
    expect_error(".global .f32 x = f;", "4:18: an address is no initial value for a .f32 variable");
    expect_error(".global .b8 x[2] = {1, 2, 3};", "4:27: too many values for 'x': its extent here is 2");
    expect_error(".global .b8 x[2][2] = {1, 2};", "4:24: expected '{', found '1'");
    expect_error(".global .b32 x = {1};", "4:18: expected an initial value, found '{'");
    expect_error(".global .b8 x[3] = {1, 2,};", "4:26: expected an initial value, found '}'");
    expect_error(".global .b8 x[3] = {0xF0(f)};", "4:21: expected a mask of one byte such as 0xFF00, found '0xF0'");
    expect_error(".global .b8 x[2][0x80000000] = {{1}, {2}};",
                 "4:33: the initialiser of 'x' leaves too many values out");
    expect_error(".global .u32 x = 0xfg;", "4:18: '0xfg' is not a number");
}

TEST(Variables, AreDeclaredOnce) {
    EXPECT_EQ(errors_of(".global .u32 x;\n.const .u8 x;\n"), "5:12: 'x' is declared twice, first on line 4\n");
    EXPECT_EQ(errors_of(".func x() { ret; }\n.global .u8 x;\n"), "5:13: 'x' is declared twice, first on line 4\n");
    module_of(".extern .global .u32 x;\n.visible .global .u32 x;\n.extern .global .u32 x;\n");
    EXPECT_EQ(errors_of(".extern .global .u32 x;\n.global .u32 x;\n.global .u32 x;\n"),
              "6:14: 'x' is declared twice, first on line 5\n");
}

} // namespace
} // namespace heddle::ptx
