#include <gtest/gtest.h>

#include "mem/system/answer_queue.h"

namespace heddle::mem {
namespace {

TEST(AnswerQueue, AnAnswerLeavesFromItsCycleOn) {
    AnswerQueue answers(2);
    EXPECT_EQ(answers.next(), kNever);
    EXPECT_FALSE(answers.is_due(1000));
    answers.push(7, 10);
    EXPECT_EQ(answers.next(), 10U);
    EXPECT_FALSE(answers.is_due(9));
    EXPECT_TRUE(answers.is_due(10));
    EXPECT_EQ(answers.front(), 7U);
    answers.pop();
    EXPECT_FALSE(answers.is_due(10));
}

TEST(AnswerQueue, AnswersLeaveInOrderOfTime) {
    AnswerQueue answers(2);
    answers.push(1, 20); // an atomic that takes long
    answers.push(2, 10);
    answers.push(3, 20);
    answers.push(4, 10);
    for (const TransactionId id : {2U, 4U, 1U, 3U}) {
        EXPECT_EQ(answers.front(), id);
        answers.pop();
    }
}

TEST(AnswerQueue, TakesAnswersBeyondItsCapacity) {
    AnswerQueue answers(2);
    answers.push(1, 10);
    EXPECT_FALSE(answers.full());
    answers.push(2, 10);
    EXPECT_TRUE(answers.full());
    answers.push(3, 10);
    answers.pop();
    EXPECT_TRUE(answers.full());
    answers.pop();
    EXPECT_FALSE(answers.full());
}

} // namespace
} // namespace heddle::mem
