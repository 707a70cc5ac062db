#include <gtest/gtest.h>

#include "probe/request_log.h"

namespace heddle::probe {
namespace {

TEST(RequestLog, AnAnswerFindsItsRequestByKindAndId) {
    RequestLog log(10);
    log.sent(Asked::Data, 1, 0x1000, 128, 10);
    log.sent(Asked::Instruction, 1, 0x2000, 64, 11);
    log.sent(Asked::Data, 0, 0x3000, 128, 12);
    EXPECT_EQ(log.open(), 3U);
    log.answered(Asked::Instruction, 1, Served::Memory, 50);
    log.answered(Asked::Data, 0, Served::LastLevel, 60);
    EXPECT_EQ(log.open(), 1U);
    ASSERT_EQ(log.requests().size(), 2U);
    EXPECT_EQ(log.requests()[0].address, 0x2000U);
    EXPECT_EQ(log.requests()[0].sent, 11U);
    EXPECT_EQ(log.requests()[0].answered, 50U);
    EXPECT_EQ(log.requests()[0].served, Served::Memory);
    EXPECT_EQ(log.requests()[1].address, 0x3000U);
    EXPECT_EQ(log.requests()[1].bytes, 128U);
    EXPECT_EQ(log.requests()[1].served, Served::LastLevel);
}

TEST(RequestLog, SeveralOfOneIdAreAnsweredInOrder) {
    RequestLog log(10);
    for (const Address line : {0x100U, 0x200U, 0x300U}) // lines of one atomic instruction
        log.sent(Asked::Atomic, 5, line, 128, 10);
    log.answered(Asked::Atomic, 5, Served::Memory, 20);
    log.answered(Asked::Atomic, 5, Served::Memory, 21);
    log.sent(Asked::Atomic, 5, 0x400, 128, 22);
    log.answered(Asked::Atomic, 5, Served::Memory, 30);
    log.answered(Asked::Atomic, 5, Served::Memory, 31);
    log.answered(Asked::Atomic, 5, Served::Memory, 32); // of nothing
    ASSERT_EQ(log.requests().size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(log.requests()[i].address, 0x100 * (i + 1));
    EXPECT_EQ(log.open(), 0U);
}

TEST(RequestLog, WhatNobodyWaitsForIsOverAtOnce) {
    RequestLog log(10);
    log.sent_without_answer(Asked::Write, 0x100, 64, 10);
    ASSERT_EQ(log.requests().size(), 1U);
    EXPECT_EQ(log.requests()[0].answered, 10U);
    EXPECT_EQ(log.requests()[0].served, Served::Unanswered);
    EXPECT_EQ(log.open(), 0U);
}

TEST(RequestLog, TheEndOfAStoppedRun) {
    RequestLog log(10);
    log.sent(Asked::Store, 3, 0x300, 4, 30);
    log.sent(Asked::Data, 7, 0x100, 128, 10);
    log.end(100);
    ASSERT_EQ(log.requests().size(), 2U);
    EXPECT_EQ(log.requests()[0].address, 0x100U); // in the order in which they were sent
    EXPECT_EQ(log.requests()[1].answered, 100U);
    EXPECT_EQ(log.requests()[1].served, Served::Unanswered);
    log.answered(Asked::Data, 7, Served::Memory, 110);
    EXPECT_EQ(log.requests().size(), 2U);
    EXPECT_EQ(log.open(), 0U);
}

TEST(RequestLog, WhatComesTooLateIsCounted) {
    RequestLog log(2);
    for (std::uint32_t i = 0; i < 5; ++i)
        log.sent(Asked::Data, i, 0x100 * i, 128, i);
    for (std::uint32_t i = 0; i < 5; ++i)
        log.answered(Asked::Data, i, Served::Memory, 100 + i);
    EXPECT_EQ(log.requests().size(), 2U);
    EXPECT_EQ(log.dropped(), 3U);
    EXPECT_EQ(log.open(), 0U);
}

// Of cycles 100 to 199: a request that was answered in cycle 100 was not open in it.
TEST(RequestLog, KeepsWhatIsInItsRange) {
    RequestLog log(2, {100, 200});
    const auto request = [&](Address address, Cycle sent, Cycle answered) {
        log.sent(Asked::Data, 0, address, 128, sent);
        log.answered(Asked::Data, 0, Served::Memory, answered);
    };
    request(1, 50, 100);
    request(2, 50, 101);
    log.sent_without_answer(Asked::Write, 3, 128, 199);
    log.sent_without_answer(Asked::Write, 4, 128, 200);
    ASSERT_EQ(log.requests().size(), 2U); // the others take no room
    EXPECT_EQ(log.requests()[0].address, 2U);
    EXPECT_EQ(log.requests()[1].address, 3U);
    EXPECT_EQ(log.dropped(), 0U);
}

} // namespace
} // namespace heddle::probe
