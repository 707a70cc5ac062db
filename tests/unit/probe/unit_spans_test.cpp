#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe/unit_spans.h"

namespace heddle::probe {
namespace {

using testing::ElementsAre;

constexpr Cycle kGap = 10;

// start, end, activity, instructions
using Row = std::tuple<Cycle, Cycle, Activity, std::uint32_t>;

std::vector<Row> rows(const UnitSpans& spans, UnitId unit = 0) {
    std::vector<Row> out;
    for (const UnitSpan& s : spans.spans())
        if (s.unit == unit)
            out.emplace_back(s.start, s.end, s.activity, s.instructions);
    return out;
}

TEST(UnitSpans, IssuesWithinTheGapAreOneSpan) {
    UnitSpans spans(100, kGap, 4);
    spans.issued(0, 7, 3, 32, 100);
    spans.issued(0, 7, 4, 16, 110);
    spans.issued(0, 7, 5, 32, 121); // one cycle too late
    spans.end(500);
    EXPECT_THAT(rows(spans), ElementsAre(Row{100, 111, Activity::Running, 2}, Row{121, 122, Activity::Running, 1}));
    EXPECT_EQ(spans.spans()[0].threads, 48U);
    EXPECT_EQ(spans.spans()[0].pc, 3U);
    EXPECT_EQ(spans.spans()[0].block, 7U);
}

TEST(UnitSpans, AnotherBlockIsAnotherSpan) {
    UnitSpans spans(100, kGap, 1);
    spans.issued(0, 7, 0, 32, 100);
    spans.issued(0, 8, 0, 32, 101);
    spans.end(500);
    EXPECT_THAT(rows(spans), ElementsAre(Row{100, 101, Activity::Running, 1}, Row{101, 102, Activity::Running, 1}));
}

TEST(UnitSpans, AWaitEndsRunningAndKnowsItsInstruction) {
    UnitSpans spans(100, kGap, 2);
    spans.issued(1, 0, 3, 32, 100);
    spans.issued(1, 0, 4, 32, 104);
    spans.waits(1, Activity::Memory, 108); // the instruction of 104 has come to memory
    EXPECT_TRUE(spans.waiting(Activity::Memory).contains(1));
    spans.goes_on(1, Activity::Memory, 408);
    EXPECT_TRUE(spans.waiting(Activity::Memory).empty());
    spans.end(500);
    EXPECT_THAT(rows(spans, 1), ElementsAre(Row{100, 108, Activity::Running, 2}, Row{108, 408, Activity::Memory, 0}));
    EXPECT_EQ(spans.spans()[1].pc, 4U);
}

TEST(UnitSpans, AWaitLongAfterTheLastIssueLeavesAHole) {
    UnitSpans spans(100, kGap, 1);
    spans.issued(0, 0, 3, 32, 100);
    spans.waits(0, Activity::Memory, 111);
    spans.goes_on(0, Activity::Memory, 112);
    EXPECT_THAT(rows(spans), ElementsAre(Row{100, 101, Activity::Running, 1}, Row{111, 112, Activity::Memory, 0}));
}

TEST(UnitSpans, MemoryLastsUpToTheLastOfSeveralFlights) {
    UnitSpans spans(100, kGap, 1);
    spans.waits(0, Activity::Memory, 10);
    spans.issued(0, 0, 3, 32, 12); // a further group of the unit (lwm): counts in the wait
    spans.waits(0, Activity::Memory, 15);
    spans.goes_on(0, Activity::Memory, 40);
    spans.goes_on(0, Activity::Memory, 60);
    spans.goes_on(0, Activity::Memory, 70); // of nothing
    EXPECT_THAT(rows(spans), ElementsAre(Row{10, 60, Activity::Memory, 1}));
}

TEST(UnitSpans, OfTwoReasonsTheFirstCountsAndThenMemory) {
    UnitSpans spans(100, kGap, 1);
    spans.waits(0, Activity::Barrier, 10);
    spans.waits(0, Activity::Memory, 20);
    spans.goes_on(0, Activity::Barrier, 30);
    spans.goes_on(0, Activity::Memory, 40);
    spans.waits(0, Activity::Memory, 50);
    spans.waits(0, Activity::Barrier, 60);
    spans.goes_on(0, Activity::Memory, 70); // the barrier came second: it is not seen
    spans.goes_on(0, Activity::Barrier, 80);
    EXPECT_THAT(rows(spans), ElementsAre(Row{10, 30, Activity::Barrier, 0}, Row{30, 40, Activity::Memory, 0},
                                         Row{50, 70, Activity::Memory, 0}));
}

TEST(UnitSpans, WhoIssuesWaitsForNothingButMemory) {
    UnitSpans spans(100, kGap, 1);
    spans.waits(0, Activity::Instructions, 10);
    spans.issued(0, 0, 0, 32, 20);
    EXPECT_TRUE(spans.waiting(Activity::Instructions).empty());
    EXPECT_THAT(rows(spans), ElementsAre(Row{10, 20, Activity::Instructions, 0}));
    EXPECT_EQ(spans.spans()[0].block, kNoBlock);
}

TEST(UnitSpans, TheEndClosesWhatIsOpenAndForgetsIt) {
    UnitSpans spans(100, kGap, 2);
    spans.issued(0, 0, 0, 32, 100);
    spans.waits(1, Activity::Memory, 100);
    spans.end(300);
    EXPECT_THAT(rows(spans, 0), ElementsAre(Row{100, 101, Activity::Running, 1}));
    EXPECT_THAT(rows(spans, 1), ElementsAre(Row{100, 300, Activity::Memory, 0}));
    spans.waits(1, Activity::Memory, 400); // one flight again
    spans.goes_on(1, Activity::Memory, 410);
    EXPECT_EQ(rows(spans, 1).size(), 2U);
}

TEST(UnitSpans, WhatComesTooLateIsCounted) {
    UnitSpans spans(2, kGap, 1);
    for (Cycle i = 0; i < 5; ++i)
        spans.issued(0, 0, 0, 32, 100 * i);
    spans.end(1000);
    EXPECT_THAT(rows(spans), ElementsAre(Row{0, 1, Activity::Running, 1}, Row{100, 101, Activity::Running, 1}));
    EXPECT_EQ(spans.dropped(), 3U);
}

TEST(UnitSpans, KeepsWhatIsInItsRange) {
    UnitSpans spans(100, kGap, 1, {100, 200});
    for (const Cycle at : {50U, 99U, 150U, 199U, 220U})
        spans.issued(0, 7, 0, 32, at);
    spans.end(500);
    EXPECT_THAT(rows(spans), ElementsAre(Row{150, 151, Activity::Running, 1}, Row{199, 200, Activity::Running, 1}));
    EXPECT_EQ(spans.dropped(), 0U);
}

} // namespace
} // namespace heddle::probe
