// Fetch and decode of the scoreboarded core: lines of eight instructions, a buffer of two, two cycles of decode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig.h"
#include "sm/sub_core/front_end.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Front {
    explicit Front(unsigned index = 0, unsigned count = 1, const std::vector<std::string>& settings = {})
        : machine(machine_of(settings)), port(machine),
          front(machine.get<ICacheConfig>(), machine.get<SubCoreConfig>(), units, port, 0, index, count,
                machine.get<SubCoreStagesConfig>().fetch == "ahead") {
        for (UnitId u = 0; u < 4; ++u) {
            units.alive.insert(u);
            units.pc[u] = 0;
        }
    }
    // The line of an instruction is in the cache: unit 3 has fetched it.
    void bring(Pc pc) {
        jump(3, pc);
        front.fetch(0);
        front.fill(asked(port).at(0).id);
        front.fetch(0);
        delivered(2);
        units.alive.erase(3);
    }
    // The unit's next instruction is this one.
    bool jump(UnitId unit, Pc pc) {
        units.pc[unit] = pc;
        return front.holds_next(unit);
    }
    // It has issued its next instruction.
    bool issue(UnitId unit) {
        front.take(unit);
        return jump(unit, units.pc[unit] + 1);
    }
    std::vector<UnitId> delivered(Cycle now) {
        std::vector<UnitId> out;
        front.deliver(now, [&](UnitId unit) { out.push_back(unit); });
        return out;
    }

    config::Machine machine;
    MemoryPort port;
    warp::UnitTable units{4};
    FrontEnd front;
};

TEST(FrontEnd, TwoInstructionsTwoCyclesAfterTheirFetch) {
    Front sm;
    sm.bring(0);
    EXPECT_FALSE(sm.jump(0, 0));
    EXPECT_EQ(sm.front.next(10), 10U);
    EXPECT_EQ(sm.front.fetch(10), kNoUnit);
    EXPECT_EQ(sm.front.next(11), 12U);
    EXPECT_THAT(sm.delivered(11), IsEmpty());
    EXPECT_THAT(sm.delivered(12), ElementsAre(0));
    EXPECT_TRUE(sm.front.holds_next(0));
    EXPECT_TRUE(sm.issue(0));
    EXPECT_FALSE(sm.issue(0)); // empty: fetched again
    EXPECT_EQ(sm.front.next(14), 14U);
}

// Instruction 7 is the last of its line.
TEST(FrontEnd, AFetchEndsWithItsLine) {
    Front sm;
    sm.bring(7);
    sm.jump(0, 7);
    sm.front.fetch(10);
    sm.delivered(12);
    EXPECT_TRUE(sm.front.holds_next(0));
    EXPECT_FALSE(sm.issue(0));
}

TEST(FrontEnd, OneUnitACycleInTurn) {
    Front sm;
    sm.bring(0);
    for (UnitId u = 0; u < 3; ++u)
        sm.jump(u, 0);
    sm.front.fetch(10);
    sm.front.fetch(11);
    EXPECT_THAT(sm.delivered(12), ElementsAre(0));
    sm.jump(0, 4); // it needs a fetch again: 2 goes before it
    sm.front.fetch(12);
    sm.front.fetch(13);
    EXPECT_THAT(sm.delivered(13), ElementsAre(1));
    EXPECT_THAT(sm.delivered(14), ElementsAre(2));
    EXPECT_THAT(sm.delivered(15), ElementsAre(0));
}

// A control transfer empties the buffer; the next instruction comes two cycles after its fetch.
TEST(FrontEnd, ABufferWithOtherInstructionsIsFetchedAgain) {
    Front sm;
    sm.bring(0);
    sm.jump(0, 0);
    sm.front.fetch(10);
    sm.delivered(12);
    sm.front.take(0);
    EXPECT_FALSE(sm.jump(0, 5));
    sm.front.fetch(13);
    EXPECT_THAT(sm.delivered(14), IsEmpty());
    EXPECT_THAT(sm.delivered(15), ElementsAre(0));
    EXPECT_TRUE(sm.front.holds_next(0));
}

// What is on its way for the old PC is of no use.
TEST(FrontEnd, AFetchThatIsOvertakenByATransferIsDropped) {
    Front sm;
    sm.bring(0);
    sm.jump(0, 0);
    sm.front.fetch(10);
    EXPECT_FALSE(sm.jump(0, 4));
    sm.front.fetch(11);
    EXPECT_THAT(sm.delivered(12), IsEmpty());
    EXPECT_THAT(sm.delivered(13), ElementsAre(0));
}

// The unit's number belongs to other threads now, at the same PC.
TEST(FrontEnd, ABufferOfAnEarlierLife) {
    Front sm;
    sm.bring(0);
    sm.jump(0, 0);
    sm.front.fetch(10);
    sm.delivered(12);
    ++sm.units.generation[0];
    EXPECT_FALSE(sm.front.holds_next(0));
    EXPECT_EQ(sm.front.next(13), 13U);
}

// A buffer of two: one instruction a fetch, of the unit that fetched last while it has room.
TEST(FrontEnd, AheadAnInstructionACycleWhileThereIsRoom) {
    Front sm(0, 1, {"sub_core.fetch=ahead"});
    sm.bring(0);
    sm.jump(0, 0);
    sm.jump(1, 0);
    for (Cycle now = 10; now < 14; ++now)
        sm.front.fetch(now);
    EXPECT_THAT(sm.delivered(12), ElementsAre(0)); // of 10
    EXPECT_THAT(sm.delivered(13), IsEmpty());      // of 11: the second of unit 0
    EXPECT_THAT(sm.delivered(14), ElementsAre(1)); // of 12
    EXPECT_TRUE(sm.issue(0));                      // there is room again
    EXPECT_EQ(sm.front.next(15), 15U);
    sm.front.fetch(15);
    EXPECT_TRUE(sm.front.holds_next(0));
    EXPECT_FALSE(sm.issue(0)); // the third is on its way
    EXPECT_THAT(sm.delivered(17), ElementsAre(0));
    EXPECT_TRUE(sm.front.holds_next(0));
}

// What was fetched behind a control transfer is there when the transfer falls through, and goes when it does not.
TEST(FrontEnd, AheadOfATransfer) {
    for (const bool falls_through : {true, false}) {
        Front sm(0, 1, {"sub_core.fetch=ahead"});
        sm.bring(0);
        sm.jump(0, 0);
        sm.front.fetch(10);
        sm.front.fetch(11);
        sm.delivered(12);
        sm.front.take(0); // the transfer; its unit's PC does not count yet
        EXPECT_THAT(sm.delivered(13), IsEmpty());
        EXPECT_EQ(sm.jump(0, falls_through ? 1 : 4), falls_through);
    }
}

TEST(FrontEnd, AMissingLineStopsItsUnitAndNoOther) {
    Front sm;
    sm.bring(0);
    sm.jump(0, 8); // another line
    sm.jump(1, 0);
    EXPECT_EQ(sm.front.fetch(10), 0);
    EXPECT_TRUE(sm.front.waits(0));
    EXPECT_EQ(sm.front.fetch(11), kNoUnit);
    EXPECT_THAT(sm.delivered(13), ElementsAre(1));
    EXPECT_EQ(sm.front.next(13), kNever); // until memory answers
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].requester, mem::Requester::Instruction);
    sm.front.fill(requests[0].id);
    EXPECT_FALSE(sm.front.waits(0));
    EXPECT_EQ(sm.front.next(110), 110U);
    EXPECT_EQ(sm.front.fetch(110), kNoUnit);
    EXPECT_THAT(sm.delivered(112), ElementsAre(0));
}

TEST(FrontEnd, DeadUnitsFetchNothing) {
    Front sm;
    sm.bring(0);
    sm.jump(0, 0);
    sm.units.alive.erase(0);
    EXPECT_EQ(sm.front.next(10), kNever);
    EXPECT_EQ(sm.front.fetch(10), kNoUnit);
    EXPECT_THAT(sm.delivered(12), IsEmpty());
}

// Each front end has an instruction cache; the number of a request identifies it.
TEST(FrontEnd, WhichOneARequestIsFor) {
    Front sm(1, 4);
    for (UnitId u = 0; u < 3; ++u)
        sm.jump(u, 8U * u); // a line each
    for (UnitId u = 0; u < 3; ++u)
        EXPECT_EQ(sm.front.fetch(u), u);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 3U);
    for (UnitId u = 0; u < 3; ++u) {
        EXPECT_EQ(FrontEnd::front_end_of(requests[u].id, 4), 1U);
        sm.front.fill(requests[u].id);
        EXPECT_FALSE(sm.front.waits(u));
    }
}

// No entry for a second line: its unit tries again when the first has come.
TEST(FrontEnd, ALineThatCannotBeSentFor) {
    Front sm(0, 1, {"icache.mshrs=1"});
    sm.jump(0, 0);
    sm.jump(1, 8);
    EXPECT_EQ(sm.front.fetch(10), 0);
    EXPECT_EQ(sm.front.fetch(11), 1);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    sm.front.fill(requests[0].id);
    EXPECT_FALSE(sm.front.waits(1));
    EXPECT_EQ(sm.front.fetch(110), kNoUnit); // unit 0, whose line is there
    EXPECT_EQ(sm.front.fetch(111), 1);
    EXPECT_EQ(asked(sm.port).at(0).sent, 111U);
}

// Unit 0 waits for the line of instruction 0 and ends; the next unit with its number begins in another line. It sends
// its own request, and the line of the unit before does not wake it.
TEST(FrontEnd, ANewUnitDoesNotWaitForTheLineOfTheOneBefore) {
    Front sm;
    sm.jump(0, 0);
    EXPECT_EQ(sm.front.fetch(10), 0);
    ++sm.units.generation[0];
    EXPECT_FALSE(sm.jump(0, 8));
    EXPECT_FALSE(sm.front.waits(0));
    EXPECT_EQ(sm.front.fetch(11), 0);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    sm.front.fill(requests[0].id);
    EXPECT_TRUE(sm.front.waits(0));
    sm.front.fill(requests[1].id);
    EXPECT_FALSE(sm.front.waits(0));
    EXPECT_EQ(sm.front.fetch(110), kNoUnit);
    EXPECT_THAT(sm.delivered(112), ElementsAre(0));
}

// The unit's running threads change while it waits: they are elsewhere in the same line.
TEST(FrontEnd, AUnitThatStaysInItsLineWaitsOn) {
    Front sm;
    sm.jump(0, 0);
    EXPECT_EQ(sm.front.fetch(10), 0);
    EXPECT_FALSE(sm.jump(0, 5));
    EXPECT_TRUE(sm.front.waits(0));
    sm.front.fill(asked(sm.port).at(0).id);
    EXPECT_EQ(sm.front.fetch(110), kNoUnit);
    EXPECT_THAT(sm.delivered(112), ElementsAre(0));
}

} // namespace
} // namespace heddle::sm::test
