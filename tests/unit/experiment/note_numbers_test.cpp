// Expected texts are worked out by hand.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/note_numbers.h"

namespace heddle::experiment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::optional<double> value_of(const std::string& figure, const std::string& series, const std::string& category) {
    static const std::map<std::string, double> cells{{"f/new/a", 11.25}, {"f/old/a", 10},      {"f/new/b", 9},
                                                     {"f/old/b", 10},    {"f/old/c", 1234567}, {"f/zero/a", 0}};
    const auto at = cells.find(figure + "/" + series + "/" + category);
    return at == cells.end() ? std::nullopt : std::optional(at->second);
}

TEST(NoteNumbers, KeepTheirForm) {
    const NoteNumbers n = fill_in_numbers("takes 9.9<!-- f | new | a --> of 1,000<!-- f | old | c -->.\n"
                                          "or 7<!-- f | old | c -->\n",
                                          value_of);
    EXPECT_EQ(n.text, "takes 11.2<!-- f | new | a --> of 1,234,567<!-- f | old | c -->.\n"
                      "or 1234567<!-- f | old | c -->\n");
    EXPECT_THAT(n.problems, ElementsAre());
    EXPECT_EQ(n.changed, 3U);
}

TEST(NoteNumbers, Gains) {
    const NoteNumbers n =
        fill_in_numbers("a +3.0 %<!-- f | new | a | over old -->, b -1 %<!-- f | new | b | over old -->,\n"
                        "-5 %<!-- f | new | b | over old | a -->\n",
                        value_of);
    EXPECT_EQ(n.text, "a +12.5 %<!-- f | new | a | over old -->, b -10 %<!-- f | new | b | over old -->,\n"
                      "-10 %<!-- f | new | b | over old | a -->\n");
    EXPECT_EQ(n.changed, 3U);
}

TEST(NoteNumbers, AClaimWhoseSignHasChangedIsLeftAndTold) {
    const std::string text = "first\nb +4.0 %<!-- f | new | b | over old -->\na 12 %<!-- f | new | a | over old -->\n";
    const NoteNumbers n = fill_in_numbers(text, value_of);
    EXPECT_EQ(n.text, text);
    EXPECT_EQ(n.changed, 0U);
    ASSERT_EQ(n.problems.size(), 2U);
    EXPECT_EQ(n.problems[0], "2: 'f | new | b | over old' says +4.0 %, and it is -10.0 %: the sentence does not hold");
    EXPECT_THAT(n.problems[1], HasSubstr("3: "));
}

TEST(NoteNumbers, WhatIsNotAtHandIsLeft) {
    const std::string text =
        "1<!-- g | new | a --> 2<!-- f | new | x --> +3 %<!-- f | new | a | over zero --> 4 <!-- a remark -->\n";
    const NoteNumbers n = fill_in_numbers(text, value_of);
    EXPECT_EQ(n.text, text);
    EXPECT_THAT(n.problems, ElementsAre());
    EXPECT_THAT(fill_in_numbers("4<!-- f | new -->\n", value_of).problems,
                ElementsAre(HasSubstr("1: 'f | new': a reference is")));
}

TEST(NoteNumbers, WhatIsNoNumberIsLeft) {
    const std::string text = "x<!-- f | new | a -->, ,<!-- f | new | a -->, 1 <!-- f | new | a -->, 2<!-- a > b -->\n";
    EXPECT_EQ(fill_in_numbers(text, value_of).text, text);
    EXPECT_EQ(fill_in_numbers("1.,5<!-- f | new | a -->\n", value_of).text, "1.,11<!-- f | new | a -->\n");
    EXPECT_EQ(fill_in_numbers(".5<!-- f | new | a -->\n", value_of).text, ".11<!-- f | new | a -->\n");
}

TEST(NoteNumbers, ALongNumber) {
    const std::string text = std::string(500'000, '1') + "<!-- f | new | a -->\n";
    EXPECT_EQ(fill_in_numbers(text, value_of).text, "11<!-- f | new | a -->\n");
}

TEST(NoteNumbers, ReferencesAreNotShown) {
    EXPECT_EQ(without_references("a 4<!-- f | new | a -->, b 5<!-- f | new | b -->."), "a 4, b 5.");
    EXPECT_EQ(without_references("a <!-- open"), "a <!-- open");
}

} // namespace
} // namespace heddle::experiment
