// The action of the directory for each request in each state of a block, and for messages of SMs.

#include <ostream>

#include <gtest/gtest.h>

#include "mem/system/directory.h"

namespace heddle::mem {
namespace {

constexpr unsigned kSms = 200;

SmSet sms(std::initializer_list<unsigned> list) {
    return SmSet(kSms, list);
}

// One line of two blocks, of which the first is used unless a test says so.
class DirectoryTest : public testing::Test {
protected:
    std::optional<Directory::Turn> ask(unsigned sm, Message message, BlockId block = 0) {
        directory.request(block, {next_id_++, static_cast<std::uint16_t>(sm), message}, 0);
        return directory.next(block, 0);
    }
    // Asks and is granted at once.
    Message granted(unsigned sm, Message message, BlockId block = 0) {
        const auto turn = ask(sm, message, block);
        EXPECT_TRUE(turn && turn->probed.empty());
        EXPECT_FALSE(directory.next(block, 0));
        return turn ? turn->grant : Message::None;
    }
    // An SM has the block alone.
    void own(unsigned sm) {
        EXPECT_EQ(granted(sm, Message::GetM), Message::DataM);
    }
    // Two SMs share the block.
    void share(unsigned first, unsigned second) {
        own(first);
        EXPECT_TRUE(ask(second, Message::GetS));
        EXPECT_EQ(directory.answer(0, first, Message::KeptDirty), Directory::Answered::Request);
        EXPECT_EQ(directory.next(0, 0)->grant, Message::DataS);
        EXPECT_FALSE(directory.next(0, 0));
    }

    Directory directory{1, 2, kSms};

private:
    TransactionId next_id_ = 1;
};

TEST_F(DirectoryTest, WithoutCopiesEachRequestIsGranted) {
    EXPECT_EQ(granted(0, Message::GetS), Message::DataE);
    EXPECT_EQ(directory.holders(0), sms({0}));
    EXPECT_TRUE(directory.is_owned(0));
    directory.put(0, 0, Message::PutE);
    EXPECT_EQ(directory.holders(0), sms({}));

    EXPECT_EQ(granted(1, Message::GetM), Message::DataM);
    EXPECT_TRUE(directory.is_owned(0));
    directory.put(0, 1, Message::PutM);

    EXPECT_EQ(granted(0, Message::Upgrade), Message::DataM); // its copy went before
    EXPECT_EQ(directory.stats().lost_upgrades, 1U);
    directory.put(0, 0, Message::PutM);

    EXPECT_EQ(granted(0, Message::None), Message::None); // an atomic is done
    EXPECT_EQ(directory.holders(0), sms({}));
    EXPECT_EQ(directory.busy_blocks(), 0U);
}

// What is probed in which state, and what is granted after which answers.
struct Transition {
    enum State : std::uint8_t { SharedWithSender, SharedByOthers, OwnedByAnother } state;
    Message request;
    SmSet probed;
    Message probe;
    Message answer; // of each
    Message grant;
    SmSet holders; // in the end
};

void PrintTo(const Transition& t, std::ostream* out) { // for GoogleTest
    *out << "state " << t.state << ", request " << static_cast<int>(t.request) << ", answer "
         << static_cast<int>(t.answer);
}

const Transition kTransitions[] = {
    // Copies of 0 and 1; 0 sends a request. Its own bit may be of a copy that it has dropped silently.
    {Transition::SharedWithSender, Message::GetS, sms({}), Message::None, Message::None, Message::DataS, sms({0, 1})},
    {Transition::SharedWithSender, Message::GetM, sms({1}), Message::Invalidate, Message::Gone, Message::DataM,
     sms({0})},
    {Transition::SharedWithSender, Message::Upgrade, sms({1}), Message::Invalidate, Message::Gone, Message::MayWrite,
     sms({0})},
    {Transition::SharedWithSender, Message::None, sms({0, 1}), Message::Invalidate, Message::Gone, Message::None,
     sms({})},
    // Copies of 1 and 2.
    {Transition::SharedByOthers, Message::GetS, sms({}), Message::None, Message::None, Message::DataS, sms({0, 1, 2})},
    {Transition::SharedByOthers, Message::GetM, sms({1, 2}), Message::Invalidate, Message::Gone, Message::DataM,
     sms({0})},
    {Transition::SharedByOthers, Message::Upgrade, sms({1, 2}), Message::Invalidate, Message::Gone, Message::DataM,
     sms({0})},
    {Transition::SharedByOthers, Message::None, sms({1, 2}), Message::Invalidate, Message::Gone, Message::None,
     sms({})},
    // 1 owns the block; what it answers depends on whether it wrote it, and whether it still has it.
    {Transition::OwnedByAnother, Message::GetS, sms({1}), Message::Downgrade, Message::Kept, Message::DataS,
     sms({0, 1})},
    {Transition::OwnedByAnother, Message::GetS, sms({1}), Message::Downgrade, Message::KeptDirty, Message::DataS,
     sms({0, 1})},
    {Transition::OwnedByAnother, Message::GetM, sms({1}), Message::Invalidate, Message::Gone, Message::DataM, sms({0})},
    {Transition::OwnedByAnother, Message::GetM, sms({1}), Message::Invalidate, Message::GoneDirty, Message::DataM,
     sms({0})},
    {Transition::OwnedByAnother, Message::Upgrade, sms({1}), Message::Invalidate, Message::GoneDirty, Message::DataM,
     sms({0})},
    {Transition::OwnedByAnother, Message::None, sms({1}), Message::Invalidate, Message::GoneDirty, Message::None,
     sms({})},
};

class DirectoryTransition : public DirectoryTest, public testing::WithParamInterface<Transition> {};

TEST_P(DirectoryTransition, ProbesAndThenGrants) {
    const Transition& t = GetParam();
    if (t.state == Transition::OwnedByAnother)
        own(1);
    else
        share(1, t.state == Transition::SharedWithSender ? 0 : 2);
    auto turn = ask(0, t.request);
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->probed, t.probed);
    for (unsigned sm = 0, left = t.probed.count(); sm < 3; ++sm) {
        if (!t.probed.contains(sm))
            continue;
        EXPECT_EQ(turn->probe, t.probe);
        EXPECT_FALSE(directory.next(0, 0)) << "goes on before all have answered";
        EXPECT_TRUE(directory.is_busy(0));
        --left;
        EXPECT_EQ(directory.answer(0, sm, t.answer),
                  left == 0 ? Directory::Answered::Request : Directory::Answered::Partly);
    }
    if (!t.probed.empty())
        turn = directory.next(0, 0);
    ASSERT_TRUE(turn);
    EXPECT_TRUE(turn->probed.empty());
    EXPECT_EQ(turn->grant, t.grant);
    EXPECT_EQ(turn->request.sm, 0U);
    EXPECT_FALSE(directory.next(0, 0));
    EXPECT_EQ(directory.holders(0), t.holders);
    EXPECT_EQ(directory.is_owned(0), t.grant == Message::DataM || t.grant == Message::MayWrite);
    EXPECT_FALSE(directory.is_busy(0));
}

INSTANTIATE_TEST_SUITE_P(, DirectoryTransition, testing::ValuesIn(kTransitions));

// The owner had dropped the block before the probe came: no copy is left, so the reader is alone.
TEST_F(DirectoryTest, AReaderIsAloneWhereTheOwnerHasLeft) {
    own(1);
    ASSERT_TRUE(ask(0, Message::GetS));
    directory.put(0, 1, Message::PutM);
    EXPECT_EQ(directory.stats().write_back_races, 1U);
    EXPECT_EQ(directory.answer(0, 1, Message::Gone), Directory::Answered::Request);
    EXPECT_EQ(directory.next(0, 0)->grant, Message::DataE);
}

TEST_F(DirectoryTest, APutThatMeetsNothingIsNoRace) {
    own(1);
    directory.put(0, 1, Message::PutM);
    EXPECT_EQ(directory.stats().write_back_races, 0U);
    EXPECT_EQ(directory.stats().write_backs, 1U);
}

TEST_F(DirectoryTest, LaterRequestsHaveTheirTurnsInOrder) {
    own(1);
    directory.request(0, {10, 2, Message::GetS}, 100);
    EXPECT_EQ(directory.next(0, 100)->probe, Message::Downgrade);
    directory.request(0, {11, 3, Message::GetS}, 110);
    directory.request(0, {12, 4, Message::GetM}, 120);
    directory.request(0, {13, 5, Message::GetS}, 130);
    EXPECT_FALSE(directory.next(0, 130));
    EXPECT_EQ(directory.stats().waits, 3U);

    EXPECT_EQ(directory.answer(0, 1, Message::KeptDirty), Directory::Answered::Request);
    auto turn = directory.next(0, 200);
    EXPECT_EQ(turn->request.id, 10U);
    EXPECT_EQ(turn->grant, Message::DataS);
    turn = directory.next(0, 200);
    EXPECT_EQ(turn->request.id, 11U);
    EXPECT_EQ(turn->grant, Message::DataS);
    turn = directory.next(0, 200);
    EXPECT_EQ(turn->request.id, 12U);
    EXPECT_EQ(turn->probed, sms({1, 2, 3}));
    EXPECT_FALSE(directory.next(0, 200));
    EXPECT_EQ(directory.stats().wait_cycles, 90U + 80U);
    for (const unsigned sm : {3U, 1U, 2U})
        static_cast<void>(directory.answer(0, sm, Message::Gone));
    EXPECT_EQ(directory.next(0, 300)->grant, Message::DataM);
    turn = directory.next(0, 300);
    EXPECT_EQ(turn->request.id, 13U);
    EXPECT_EQ(turn->probed, sms({4}));
    EXPECT_EQ(directory.stats().wait_cycles, 90U + 80U + 170U);
}

TEST_F(DirectoryTest, BlocksOfALineAreApart) {
    own(1);
    EXPECT_EQ(granted(2, Message::GetM, 1), Message::DataM);
    ASSERT_TRUE(ask(3, Message::GetS)); // block 0 is busy
    const auto turn = ask(1, Message::GetS, 1);
    ASSERT_TRUE(turn) << "waits for another block";
    EXPECT_EQ(turn->probed, sms({2}));
    EXPECT_EQ(directory.stats().waits, 0U);
}

TEST_F(DirectoryTest, ARecallTakesTheCopiesOfAllBlocks) {
    share(1, 2);
    EXPECT_EQ(granted(3, Message::GetM, 1), Message::DataM);
    std::vector<std::pair<BlockId, SmSet>> probed;
    EXPECT_TRUE(directory.recall(0, [&](BlockId block, const SmSet& mask) { probed.emplace_back(block, mask); }));
    EXPECT_EQ(probed, (std::vector<std::pair<BlockId, SmSet>>{{0, sms({1, 2})}, {1, sms({3})}}));
    EXPECT_EQ(directory.answer(1, 3, Message::GoneDirty), Directory::Answered::Partly);
    EXPECT_TRUE(directory.is_busy(0));
    EXPECT_EQ(directory.answer(0, 1, Message::Gone), Directory::Answered::Partly);
    EXPECT_EQ(directory.answer(0, 2, Message::Gone), Directory::Answered::Recall);
    EXPECT_FALSE(directory.is_busy(0));
    EXPECT_EQ(directory.holders(0), sms({}));
    EXPECT_EQ(directory.holders(1), sms({}));
    EXPECT_FALSE(directory.recall(0, [](BlockId, const SmSet&) { FAIL() << "there are no copies"; }));
}

// 150 SMs share a block: each of them is probed for a write.
TEST_F(DirectoryTest, AsManySharersAsThereAreSms) {
    constexpr unsigned kSharers = 150;
    share(0, 1);
    for (unsigned sm = 2; sm < kSharers; ++sm)
        EXPECT_EQ(granted(sm, Message::GetS), Message::DataS);
    SmSet all(kSms);
    all.fill(kSharers);
    EXPECT_EQ(directory.holders(0), all);
    EXPECT_EQ(directory.holders(1), sms({})); // the block beside it

    const auto turn = ask(kSharers - 1, Message::Upgrade);
    ASSERT_TRUE(turn);
    all.erase(kSharers - 1);
    EXPECT_EQ(turn->probed, all);
    for (unsigned sm = 0; sm < kSharers - 2; ++sm)
        EXPECT_EQ(directory.answer(0, sm, Message::Gone), Directory::Answered::Partly);
    EXPECT_EQ(directory.answer(0, kSharers - 2, Message::Gone), Directory::Answered::Request);
    EXPECT_EQ(directory.next(0, 0)->grant, Message::MayWrite);
    EXPECT_EQ(directory.holders(0), sms({kSharers - 1}));
}

} // namespace
} // namespace heddle::mem
