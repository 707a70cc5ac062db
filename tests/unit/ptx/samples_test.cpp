// Files that compilers have printed: see tests/ptx/samples/README.md.
#include <algorithm>

#include "parsed.h"

namespace heddle::ptx {
namespace {

class Sample : public testing::TestWithParam<std::string> {};

const Function* definition(const Module& module, std::string_view name) {
    for (const Function& function : module.functions)
        if (function.name == name && function.has_body)
            return &function;
    return nullptr;
}

const Variable* variable(const Module& module, std::string_view name) {
    for (const Variable& v : module.variables)
        if (v.name == name)
            return &v;
    return nullptr;
}

// Counts the statements of a file without a grammar: lines that end in ';' and start with neither a directive nor a
// prototype. (In the samples each instruction has a line of its own, except calls, which have one ';' on their last
// line, and one line of inline assembly.)
std::size_t instruction_lines(const std::string& text) {
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || line[first] == '.' || line[first] == '/' ||
            line.find(';') == std::string::npos)
            continue;
        if (line.find(".callprototype") != std::string::npos || line[first] == '{' || line == ";")
            continue;
        ++count;
    }
    return count;
}

TEST_P(Sample, ParsesWithoutAnError) {
    const std::string text = read_file(sample_path(GetParam()));
    const Parsed parsed = parse_text(text);
    EXPECT_EQ(parsed.diagnostics.render(), "");
    std::size_t instructions = 0;
    for (const Function& function : parsed.module.functions)
        instructions += function.body.size();
    // the two one-line blocks of inline assembly: setp, bra, st and shfl, add
    EXPECT_EQ(instructions, instruction_lines(text) + 5);
}

TEST_P(Sample, HoldsWhatTheSourceDeclares) {
    const Parsed parsed = parse_text(read_file(sample_path(GetParam())));
    const Module& m = parsed.module;
    EXPECT_EQ(m.address_size, 64U);
    for (const std::string_view name : {"mix", "pick", "wide", "jump"}) {
        const Function* f = definition(m, name);
        ASSERT_NE(f, nullptr) << name;
        EXPECT_TRUE(f->is_entry && f->is_visible) << name;
    }
    const Function* mix = definition(m, "mix");
    ASSERT_EQ(mix->parameters.size(), 5U);
    EXPECT_EQ(mix->parameters[3].bytes(), 16U);
    EXPECT_EQ(mix->parameters[3].alignment(), 4U);
    EXPECT_EQ(size_of(mix->parameters[4].type), 1U);
    EXPECT_EQ(definition(m, "pick")->max_threads, 128U);
    const Variable* weights = variable(m, "weights");
    ASSERT_NE(weights, nullptr);
    EXPECT_EQ(weights->space, Space::Const);
    ASSERT_EQ(weights->initial.size(), 16U);
    EXPECT_EQ(weights->initial[3].bits, 63U); // 0.5f is 0x3f000000
    const Variable* links = variable(m, "links");
    ASSERT_NE(links, nullptr);
    EXPECT_EQ(links->initial.at(0).symbol, "table"); // &table[1][2]
    EXPECT_EQ(links->initial.at(0).offset, 20);
    EXPECT_TRUE(links->initial.at(0).generic);
    EXPECT_EQ(links->initial.at(1).bits, 0x3fc00000U); // 1.5f and padding
    const Variable* ops = variable(m, "ops");
    ASSERT_NE(ops, nullptr);
    EXPECT_EQ(ops->initial.at(1).symbol, "_Z6squarei");
    EXPECT_FALSE(ops->initial.at(1).generic);
    const Variable* dynamic = variable(m, "dynamic");
    ASSERT_NE(dynamic, nullptr);
    EXPECT_TRUE(dynamic->is_extern);
    const Function* turn = definition(m, "_Z4turn4Body");
    ASSERT_NE(turn, nullptr);
    EXPECT_EQ(turn->results.at(0).bytes(), 16U);
}

TEST_P(Sample, ResolvesItsBranches) {
    const Parsed parsed = parse_text(read_file(sample_path(GetParam())));
    for (const Function& f : parsed.module.functions) {
        for (std::uint32_t i = 0; i < f.body.size(); ++i) {
            if (f.body[i].opcode != "bra")
                continue;
            const auto reaches = [&](const Label& l) {
                return l.name == f.body[i].operands.at(0).name && l.begin <= i && i < l.end;
            };
            EXPECT_EQ(std::count_if(f.labels.begin(), f.labels.end(), reaches), 1) << f.name << " " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Compilers, Sample,
                         testing::Values("clang14.ptx", "clang14-O0.ptx", "clang19.ptx", "nvcc13.ptx",
                                         "nvcc13-debug.ptx"));

TEST(Samples, GiveSourceLines) {
    for (const std::string name : {"clang14.ptx", "clang19.ptx", "nvcc13.ptx", "nvcc13-debug.ptx"}) {
        const Parsed parsed = parse_text(read_file(sample_path(name)));
        ASSERT_FALSE(parsed.module.files.empty()) << name;
        EXPECT_EQ(parsed.module.files[0].name, "samples.cu") << name;
        const std::string source = read_file(sample_path("samples.cu"));
        std::uint32_t barrier_line = 1;
        for (std::size_t i = 0; i < source.find("__syncthreads"); ++i)
            barrier_line += source[i] == '\n' ? 1 : 0;
        const Function* mix = definition(parsed.module, "mix");
        ASSERT_NE(mix, nullptr);
        bool found = false;
        for (const Instruction& i : mix->body) {
            if (i.opcode != "bar")
                continue;
            found = true;
            EXPECT_EQ(i.source.file, 1U) << name;
            EXPECT_EQ(i.source.line, barrier_line) << name;
        }
        EXPECT_TRUE(found) << name;
    }
}

} // namespace
} // namespace heddle::ptx
