// Input that no compiler prints: it may be refused, but never crash, hang or cascade.
#include <random>

#include <fmt/format.h>

#include "parsed.h"

namespace heddle::ptx {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

void truncate(const std::string& name, std::size_t step) {
    const std::string text = read_file(sample_path(name));
    for (std::size_t length = 0; length < text.size(); length += step) {
        const Parsed parsed = parse_text(text.substr(0, length));
        ASSERT_LE(parsed.diagnostics.count(), 1U) << name << " " << length << "\n" << parsed.diagnostics.render();
    }
}

#ifdef HEDDLE_SANITIZED // every seventh byte: these builds are slow, and another tries the rest
constexpr std::size_t kStep = 7;
#else
constexpr std::size_t kStep = 1;
#endif

TEST(Hostile, TruncatedAtEveryByte) {
    truncate("nvcc13.ptx", kStep);
    truncate("clang14.ptx", 11);
    truncate("nvcc13-debug.ptx", 61);
}

TEST(Hostile, TruncatedInsideAFunctionIsAnError) {
    const std::string text = read_file(sample_path("clang19.ptx"));
    const std::size_t open = text.find("\n{\n");
    const std::size_t close = text.find("\n}\n", open);
    for (std::size_t length = open + 2; length <= close; length += 3) {
        const Parsed parsed = parse_text(text.substr(0, length));
        ASSERT_EQ(parsed.diagnostics.count(), 1U) << length;
    }
}

// A position that lies outside the text would show in an empty source line.
void expect_sound(const Parsed& parsed) {
    EXPECT_LE(parsed.diagnostics.count(), Diagnostics::kMaxErrors);
    const std::string rendered = parsed.diagnostics.render();
    EXPECT_EQ(parsed.diagnostics.failed(), !rendered.empty());
    for (const Function& f : parsed.module.functions) {
        for (const Label& l : f.labels)
            EXPECT_LE(l.index, f.body.size());
        for (const Local& l : f.locals)
            EXPECT_LE(l.begin, f.body.size());
    }
}

TEST(Hostile, MutatedFiles) {
    static constexpr std::string_view kAlphabet = "{}()[];,.:@!%|+-*/<>=?~^&\"_$0123456789afx \n\t\\#\x80";
    std::mt19937 random(20240611);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (const std::string name : {"clang19.ptx", "nvcc13.ptx", "clang14-O0.ptx"}) {
        const std::string original = read_file(sample_path(name));
        for (int round = 0; round < 400; ++round) {
            std::string text = original;
            for (std::size_t edits = 1 + below(8); edits > 0; --edits) {
                const std::size_t at = below(text.size());
                const std::size_t length = below(40);
                switch (below(4)) {
                case 0:
                    text[at] = kAlphabet[below(kAlphabet.size())];
                    break;
                case 1:
                    text.erase(at, length);
                    break;
                case 2:
                    text.insert(at, text.substr(below(text.size()), length));
                    break;
                default:
                    text.insert(at, 1, kAlphabet[below(kAlphabet.size())]);
                }
            }
            expect_sound(parse_text(text));
        }
    }
}

TEST(Hostile, RandomTokens) {
    static constexpr std::string_view kWords[] = {".entry ",
                                                  ".func ",
                                                  "k",
                                                  "(",
                                                  ")",
                                                  "{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  ";",
                                                  ",",
                                                  ".param ",
                                                  ".reg ",
                                                  ".b32 ",
                                                  ".u64 ",
                                                  "%r1",
                                                  "%r<3>",
                                                  "@",
                                                  "!",
                                                  "mov",
                                                  "call ",
                                                  "\n",
                                                  ".global ",
                                                  "= ",
                                                  "0x1",
                                                  "1.5",
                                                  "-",
                                                  "+",
                                                  ":",
                                                  "?",
                                                  ".loc 1 2 3",
                                                  ".align 8 ",
                                                  "_",
                                                  "generic(",
                                                  "0xFF(",
                                                  ".v2 ",
                                                  "|",
                                                  "\"s\"",
                                                  ".callprototype ",
                                                  ".branchtargets ",
                                                  "/*",
                                                  "*/",
                                                  ".5"};
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string text = kHead + (round % 2 == 0 ? "" : ".entry k() {\n");
        for (int i = 0; i < 60; ++i)
            text += kWords[random() % std::size(kWords)];
        expect_sound(parse_text(text));
    }
}

TEST(Hostile, DeepNesting) {
    constexpr std::size_t kDeep = 100000;
    module_of(".entry k() {\n" + repeated("{ .reg .b32 a;\n", kDeep) + repeated("}\n", kDeep) + "}\n");
    EXPECT_EQ(errors_of(".global .u32 x = " + repeated("(", kDeep) + "1;\n"),
              "4:219: this expression nests too deeply\n");
    EXPECT_EQ(errors_of(".global .u32 x = " + repeated("-", kDeep) + "1;\n"),
              "4:219: this expression nests too deeply\n");
    EXPECT_EQ(parse_text(kHead + ".global .u32 x = " + repeated("1?1:", kDeep) + "1;\n").diagnostics.count(), 1U);
    EXPECT_EQ(parse_text(kHead + ".global .u32 x = " + repeated("{", kDeep)).diagnostics.count(), 1U);
    EXPECT_EQ(parse_text(kHead + ".global .u32 x" + repeated("[1]", kDeep) + ";\n").diagnostics.count(), 1U);
    EXPECT_EQ(parse_text(kHead + kernel("mov a, " + repeated("{", kDeep))).diagnostics.count(), 1U);
    EXPECT_EQ(parse_text(kHead + kernel("call (" + repeated("[", kDeep) + ";")).diagnostics.count(), 1U);
    EXPECT_EQ(errors_of(".global .u32 x = 1" + repeated("+1", kDeep) + ";\n"), "");
}

// Each would take minutes if anything were quadratic.
TEST(Hostile, LargeFiles) {
    constexpr std::size_t kLines = 100000;
    std::string text = ".reg .b32 %r<9>;\n";
    for (std::size_t i = 0; i < kLines; ++i)
        text += fmt::format("L{}: @%p1 bra L{};\n", i, i / 2);
    EXPECT_EQ(body_of(text).labels.size(), kLines);
    text.clear();
    for (std::size_t i = 0; i < kLines; ++i)
        text += fmt::format(".global .u32 x{} = {};\n", i, i);
    EXPECT_EQ(module_of(text).variables.size(), kLines);
    EXPECT_EQ(body_of(repeated("{ .reg .b32 a; L: bra L; }\n", kLines)).labels.size(), kLines);
    EXPECT_EQ(parse_text(kHead + ".bogus\n" + repeated("{\n", kLines)).diagnostics.count(), 1U);
    EXPECT_EQ(parse_text(kHead + repeated("/* \n */", kLines) + "}").diagnostics.count(), 1U);
    std::string values = "0";
    for (std::size_t i = 1; i < 10 * kLines; ++i)
        values += ",1";
    EXPECT_EQ(module_of(".global .b8 x[1000000] = {" + values + "};\n").variables[0].initial.size(), 10 * kLines);
}

} // namespace
} // namespace heddle::ptx
