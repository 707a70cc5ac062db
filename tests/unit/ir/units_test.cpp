// Modules of several texts: whose definition a name means.
#include <deque>

#include <gtest/gtest.h>

#include "ir/analysis/calls.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

struct Linked {
    std::deque<std::shared_ptr<const SourceText>> sources;
    std::vector<ptx::Module> units;
    std::vector<Diagnostics> diagnostics;
    std::unique_ptr<ModuleNames> names;
    Program program;

    [[nodiscard]] std::string errors() const {
        std::string text;
        for (const Diagnostics& each : diagnostics)
            text += each.render();
        return text;
    }
    [[nodiscard]] const ptx::Function& function(unsigned unit, std::string_view name) const {
        return *names->functions()[*names->units()[unit].function(name)];
    }
    // Texts in which the functions of a kernel lie, in the order of its micro-ops.
    [[nodiscard]] std::vector<std::string> places(std::string_view kernel) const {
        std::vector<std::string> out;
        const Kernel* const found = program.find_kernel(0, kernel);
        for (Pc pc = found->begin; pc < found->end; ++pc) {
            const Origin& origin = program.origins[pc];
            const std::string place =
                program.units[origin.unit].source->name() + " " + program.functions[origin.function].name;
            if (out.empty() || out.back() != place)
                out.push_back(place);
        }
        return out;
    }
};

// Texts without their headers; they are called a.ptx, b.ptx and so on.
Linked link_texts(std::initializer_list<std::string_view> texts) {
    Linked out;
    for (const std::string_view text : texts) {
        const std::string name = std::string(1, static_cast<char>('a' + out.units.size())) + ".ptx";
        out.sources.push_back(std::make_shared<const SourceText>(name, std::string(test::kHeader) + std::string(text)));
        out.units.push_back(ptx::parse(out.sources.back(), out.diagnostics.emplace_back(out.sources.back())));
    }
    EXPECT_EQ(out.errors(), "");
    out.names = std::make_unique<ModuleNames>(out.units);
    lower(
        *out.names, [](const ptx::Variable& v) { return v.is_extern ? Address{0} : test::kVariable + v.where.line; },
        out.program, out.diagnostics);
    return out;
}

constexpr std::string_view kCallsF = ".extern .func f;\n.visible .entry k() { call f; ret; }\n";

TEST(Units, ADeclarationMeansTheVisibleDefinitionOfAnotherText) {
    const Linked l = link_texts({kCallsF, ".visible .func f { ret; }\n"});
    EXPECT_EQ(l.errors(), "");
    EXPECT_EQ(l.places("k"), (std::vector<std::string>{"a.ptx k", "b.ptx f"}));
    EXPECT_TRUE(l.program.find_kernel(0, "k")->undefined_calls.empty());
    EXPECT_EQ(l.program.modules, std::vector<std::string>{"a.ptx"});
}

TEST(Units, WhatIsNotVisibleIsItsOwnTexts) {
    const Linked l = link_texts({".func f { ret; }\n.visible .entry i() { call f; ret; }\n",
                                 ".func f { ret; }\n.visible .entry j() { call f; ret; }\n", kCallsF});
    EXPECT_EQ(l.places("j"), (std::vector<std::string>{"b.ptx j", "b.ptx f"}));
    EXPECT_NE(l.function(0, "f").where.line, 0U);
    EXPECT_NE(&l.function(0, "f"), &l.function(1, "f"));
    EXPECT_FALSE(l.function(2, "f").has_body); // not visible in this unit
}

TEST(Units, OfWeakDefinitionsTheFirstUnlessOneIsStrong) {
    constexpr std::string_view weak = ".weak .func f { ret; }\n.visible .func of_b { call f; ret; }\n";
    const Linked two = link_texts({".weak .func f { ret; }\n", ".weak .func f { ret; }\n"});
    EXPECT_EQ(&two.function(1, "f"), &two.function(0, "f"));
    EXPECT_EQ(two.names->functions().size(), 1U);
    const Linked strong = link_texts({weak, ".visible .func f { ret; }\n"});
    EXPECT_EQ(strong.errors(), "");
    EXPECT_FALSE(strong.function(0, "f").is_weak);
    EXPECT_EQ(strong.names->unit_of(*strong.names->units()[0].function("f")), 1U);
}

TEST(Units, AWeakKernelOfSeveralTextsIsOne) {
    constexpr std::string_view text = ".weak .entry k() { ret; }\n";
    const Linked l = link_texts({text, text});
    EXPECT_EQ(l.program.kernels.size(), 1U);
}

TEST(Units, TwoVisibleDefinitionsAreAnError) {
    const Linked l = link_texts({".visible .func f { ret; }\n", "\n.visible .func f { ret; }\n"});
    EXPECT_NE(l.errors().find("b.ptx:5:16: error: function 'f' is defined twice; first in a.ptx, line 4"),
              std::string::npos)
        << l.errors();
    const Linked v = link_texts({".visible .global .u32 x;\n", ".visible .global .u32 x;\n"});
    EXPECT_NE(v.errors().find("b.ptx:4:23: error: variable 'x' is defined in another text, too"), std::string::npos)
        << v.errors();
}

TEST(Units, ExternalVariablesLieWhereTheyAreDefined) {
    const Linked l =
        link_texts({".extern .global .u32 x;\n.global .u32 y;\n", ".global .u32 y;\n.visible .global .u32 x;\n"});
    const ptx::Variable* const x = l.names->units()[0].variable("x");
    ASSERT_NE(x, nullptr);
    EXPECT_EQ(x, &l.units[1].variables[1]);
    EXPECT_EQ(l.names->units()[0].variable("y"), &l.units[0].variables[1]);
    EXPECT_EQ(l.names->units()[1].variable("y"), &l.units[1].variables[0]);
}

TEST(Units, AnAliasIsSeenByOtherTexts) {
    const Linked l = link_texts({kCallsF, ".visible .func g { ret; }\n.visible .func f;\n.alias f, g;\n"});
    EXPECT_EQ(l.errors(), "");
    EXPECT_EQ(l.places("k"), (std::vector<std::string>{"a.ptx k", "b.ptx g"}));
}

TEST(Units, PointersMayPointIntoOtherTexts) {
    const Linked l = link_texts({".extern .func f;\n.visible .entry k() { .reg .b64 %d; mov.u64 %d, f; P: "
                                 ".callprototype _ (); call %d, (), P; ret; }\n",
                                 ".visible .func f { ret; }\n"});
    EXPECT_EQ(l.errors(), "");
    EXPECT_EQ(l.places("k"), (std::vector<std::string>{"a.ptx k", "b.ptx f"}));
}

} // namespace
} // namespace heddle::ir
