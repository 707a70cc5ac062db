// Messages that cross: each race of docs/coherence.md, made by hand.
//
// A cache has four sets of two blocks of 32 bytes; the last level four sets of two lines of 128 bytes. So blocks 128
// bytes apart fall into one set of a cache, lines 512 bytes apart into one set of the last level.

#include "coherence_rig.h"

namespace heddle::mem {
namespace {

constexpr Address kA = 0, kSameSet1 = 128, kSameSet2 = 256;
constexpr Address kSameLlcSet1 = 512, kSameLlcSet2 = 1024;

class CoherenceRace : public testing::Test {
protected:
    CoherenceRig rig{{.sms = 3}};

    void own(unsigned sm, Address address) {
        rig.store(sm, address);
        rig.settle();
        ASSERT_EQ(rig.state(sm, address), Mesi::Modified);
    }
    void share(unsigned first, unsigned second, Address address) {
        own(first, address);
        rig.load(second, address);
        rig.settle();
        ASSERT_EQ(rig.state(first, address), Mesi::Shared);
        ASSERT_EQ(rig.state(second, address), Mesi::Shared);
    }
    // An SM puts its block out by what it reads in the same set: a Put is the first of its messages.
    void put_out(unsigned sm, Address address) {
        ASSERT_TRUE(rig.is_done(rig.load(sm, address + kSameSet1))) << "to be there";
        rig.load(sm, address + kSameSet2);
        ASSERT_EQ(rig.state(sm, address), Mesi::Invalid);
    }
    // All that an SM has sent comes to the home, which does what it can.
    void up(unsigned sm) {
        while (rig.deliver_up(sm))
            rig.settle_home();
    }
    void end() {
        rig.settle();
        rig.check_end();
    }
};

// SM 0's PutM and the home's probe for SM 1's request are on their way at once. The answer to the probe comes after the
// PutM, which has brought the data by then.
class WriteBackRace : public CoherenceRace, public testing::WithParamInterface<bool> {};

TEST_P(WriteBackRace, APutMeetsTheProbeForARequest) {
    const bool writes = GetParam();
    own(0, kA);
    rig.load(0, kA + kSameSet1);
    rig.settle();
    rig.load(0, kA); // used last but one: kA goes when a third block comes
    rig.load(0, kA + kSameSet1);
    const auto other = rig.access(1, writes ? CoherenceRig::Kind::Store : CoherenceRig::Kind::Load, kA);
    up(1);
    ASSERT_EQ(rig.first_down(0), writes ? Message::Invalidate : Message::Downgrade);
    put_out(0, kA);
    ASSERT_EQ(rig.first_up(0), Message::PutM);
    ASSERT_TRUE(rig.deliver_down(0)); // the probe finds nothing
    up(0);                            // PutM, the GetS that put kA out, Gone
    EXPECT_EQ(rig.directory().write_back_races, 1U);
    EXPECT_EQ(rig.caches[0].coherence().stale_probes, 1U);
    rig.deliver_down(1);
    EXPECT_TRUE(rig.is_done(other)); // with the newest value: the rig looks
    EXPECT_EQ(rig.state(1, kA), writes ? Mesi::Modified : Mesi::Exclusive);
    EXPECT_EQ(rig.directory().forwarded, 0U);
    end();
}

// As above, but the Put has come before the probe reaches the SM, and the SM has requested the line again by then.
TEST_P(WriteBackRace, TheProbeFindsAnotherCopyOnItsWay) {
    const bool writes = GetParam();
    own(0, kA);
    rig.load(0, kA + kSameSet1);
    rig.settle();
    const auto other = rig.access(1, writes ? CoherenceRig::Kind::Store : CoherenceRig::Kind::Load, kA);
    up(1);
    put_out(0, kA);
    const auto again = rig.load(0, kA);
    ASSERT_TRUE(again);
    up(0); // PutM, GetS of the other block, GetS of kA, which waits for SM 1's turn
    EXPECT_EQ(rig.directory().waits, 1U);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_EQ(rig.caches[0].coherence().early_probes, 1U);
    up(0);
    rig.deliver_down(1);
    EXPECT_TRUE(rig.is_done(other));
    rig.settle();
    EXPECT_TRUE(rig.is_done(again));
    EXPECT_EQ(rig.states(kA), "SSI");
    end();
}

INSTANTIATE_TEST_SUITE_P(, WriteBackRace, testing::Bool(),
                         [](const auto& info) { return std::string(info.param ? "GetM" : "GetS"); });

// The last level recalls a line that its owner is putting out.
TEST_F(CoherenceRace, APutMeetsARecall) {
    own(0, kA);
    rig.load(0, kA + kSameSet1);
    rig.settle();
    rig.load(1, kSameLlcSet1);
    rig.settle();
    const auto other = rig.load(1, kSameLlcSet2);
    up(1);
    ASSERT_EQ(rig.directory().recalls, 1U);
    ASSERT_EQ(rig.first_down(0), Message::Invalidate);
    put_out(0, kA);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_FALSE(rig.is_done(other));
    EXPECT_TRUE(rig.home.slice.block_of(kA)) << "has left before its copies";
    up(0);
    EXPECT_EQ(rig.directory().write_back_races, 1U);
    EXPECT_FALSE(rig.home.slice.block_of(kA));
    end(); // memory has SM 0's value
    EXPECT_TRUE(rig.is_done(other));
}

// A recall of a dirty line that stays until its probe comes: the data pass the last level to memory, and come back from
// there.
TEST_F(CoherenceRace, ARecalledLineComesBackWithItsValue) {
    own(0, kA);
    rig.load(1, kSameLlcSet1);
    rig.settle();
    rig.load(1, kSameLlcSet2);
    rig.settle();
    EXPECT_EQ(rig.directory().recalls, 1U);
    EXPECT_EQ(rig.directory().forwarded, 1U);
    EXPECT_EQ(rig.state(0, kA), Mesi::Invalid);
    const auto again = rig.load(2, kA);
    rig.settle();
    EXPECT_TRUE(rig.is_done(again));
    EXPECT_EQ(rig.state(2, kA), Mesi::Exclusive);
    end();
}

// Both sharers need an upgrade. The first upgrade takes the other's copy, so that the second is granted with the data.
TEST_F(CoherenceRace, TwoUpgrades) {
    share(0, 1, kA);
    const auto first = rig.store(0, kA), second = rig.store(1, kA);
    ASSERT_EQ(rig.first_up(0), Message::Upgrade);
    ASSERT_EQ(rig.first_up(1), Message::Upgrade);
    up(0);
    up(1);
    EXPECT_EQ(rig.directory().waits, 1U);
    ASSERT_EQ(rig.first_down(1), Message::Invalidate);
    ASSERT_TRUE(rig.deliver_down(1));
    EXPECT_EQ(rig.states(kA), "SII");
    up(1); // Gone
    ASSERT_EQ(rig.first_down(0), Message::MayWrite);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_TRUE(rig.is_done(first));
    EXPECT_EQ(rig.state(0, kA), Mesi::Modified);
    ASSERT_EQ(rig.first_down(0), Message::Invalidate);
    ASSERT_TRUE(rig.deliver_down(0));
    up(0); // GoneDirty
    ASSERT_EQ(rig.first_down(1), Message::DataM);
    ASSERT_TRUE(rig.deliver_down(1));
    EXPECT_TRUE(rig.is_done(second));
    EXPECT_EQ(rig.states(kA), "IMI");
    EXPECT_EQ(rig.directory().upgrades, 2U);
    EXPECT_EQ(rig.directory().lost_upgrades, 1U);
    end();
}

// The copy that is granted comes before the invalidation that follows it: the load is done, then the line goes.
TEST_F(CoherenceRace, AnInvalidationBehindTheFill) {
    const auto load = rig.load(0, kA);
    up(0);
    rig.settle_home();
    ASSERT_EQ(rig.first_down(0), Message::DataE);
    const auto store = rig.store(1, kA);
    up(1);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_TRUE(rig.is_done(load));
    EXPECT_EQ(rig.state(0, kA), Mesi::Exclusive);
    ASSERT_EQ(rig.first_down(0), Message::Invalidate);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_EQ(rig.state(0, kA), Mesi::Invalid);
    EXPECT_FALSE(rig.is_done(store));
    end();
    EXPECT_TRUE(rig.is_done(store));
}

// SM 1 drops its copy silently and requests the line again. The invalidation of the old copy finds the new one on its
// way, and must not take that.
TEST_F(CoherenceRace, AnInvalidationOfACopyThatIsGone) {
    share(0, 1, kA);
    rig.load(1, kA + kSameSet1);
    rig.load(1, kA + kSameSet2);
    rig.settle();
    ASSERT_EQ(rig.state(1, kA), Mesi::Invalid);
    const auto store = rig.store(0, kA);
    up(0);
    ASSERT_EQ(rig.first_down(1), Message::Invalidate);
    const auto load = rig.load(1, kA);
    ASSERT_TRUE(rig.deliver_down(1));
    EXPECT_EQ(rig.caches[1].coherence().early_probes, 1U);
    up(1); // GetS, which waits, and Gone
    rig.settle();
    EXPECT_TRUE(rig.is_done(store));
    EXPECT_TRUE(rig.is_done(load));
    EXPECT_EQ(rig.states(kA), "SSI");
    end();
}

// The line of an upgrade leaves the last level, and the copy with it, before the upgrade comes there.
TEST_F(CoherenceRace, AnUpgradeMeetsARecall) {
    share(0, 1, kA);
    rig.load(2, kSameLlcSet1);
    rig.settle();
    rig.load(2, kSameLlcSet2);
    up(2);
    ASSERT_EQ(rig.directory().recalls, 1U);
    const auto store = rig.store(0, kA);
    ASSERT_EQ(rig.first_up(0), Message::Upgrade);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_EQ(rig.state(0, kA), Mesi::Invalid);
    rig.deliver_down(1);
    up(1);
    rig.settle();
    EXPECT_TRUE(rig.is_done(store));
    EXPECT_EQ(rig.states(kA), "MII");
    EXPECT_EQ(rig.directory().lost_upgrades, 1U);
    end();
}

// While copies of a line's block are probed for a request the line stays, although it is the older one of its set.
// Where both lines of the set are at work, a miss waits until one of them is done.
TEST_F(CoherenceRace, AMissMeetsLinesAtWork) {
    own(0, kA);
    own(0, kSameLlcSet1);
    rig.load(1, kA);
    up(1);
    rig.load(2, kSameLlcSet2);
    up(2);
    EXPECT_TRUE(rig.home.slice.block_of(kA));
    ASSERT_EQ(rig.directory().recalls, 1U) << "the younger line goes";
    end();
    EXPECT_FALSE(rig.home.slice.block_of(kSameLlcSet1));

    own(0, kA);
    own(0, kSameLlcSet2);
    rig.load(1, kA);
    rig.load(1, kSameLlcSet2);
    up(1);
    const auto third = rig.load(2, kSameLlcSet1);
    up(2);
    EXPECT_EQ(rig.directory().recalls, 1U) << "there is none that could go";
    EXPECT_GT(rig.home.slice.cache_stats()->set_reserved, 0U);
    end();
    EXPECT_TRUE(rig.is_done(third));
    EXPECT_EQ(rig.directory().recalls, 2U);
}

// A line with an upgrade on its way keeps its place: what would put it out has to wait.
TEST_F(CoherenceRace, AnEvictionMeetsAnUpgrade) {
    share(0, 1, kA);
    share(0, 1, kA + kSameSet1);
    const auto first = rig.store(0, kA), second = rig.store(0, kA + kSameSet1);
    EXPECT_FALSE(rig.load(0, kA + kSameSet2)) << "both ways are locked";
    EXPECT_EQ(rig.caches[0].stats().set_reserved, 1U);
    rig.settle();
    EXPECT_TRUE(rig.is_done(first));
    EXPECT_TRUE(rig.is_done(second));
    EXPECT_TRUE(rig.load(0, kA + kSameSet2));
    end();
}

// An atomic operation is done where no copy is left: neither others' nor the sender's, even one that is being upgraded.
TEST_F(CoherenceRace, AnAtomicTakesAllCopies) {
    own(0, kA);
    rig.access(1, CoherenceRig::Kind::Atomic, kA);
    rig.settle();
    EXPECT_EQ(rig.states(kA), "III");
    EXPECT_EQ(rig.directory().atomic_recalls, 1U);
    share(0, 1, kA);
    rig.access(1, CoherenceRig::Kind::Atomic, kA);
    const auto store = rig.store(1, kA);
    rig.settle();
    EXPECT_TRUE(rig.is_done(store));
    EXPECT_EQ(rig.states(kA), "IMI");
    EXPECT_EQ(rig.directory().lost_upgrades, 1U);
    EXPECT_EQ(rig.directory().atomic_recalls, 2U);
    end();
}

// A store joins a load's miss; the line turns out to be shared, and is taken before the upgrade comes.
TEST_F(CoherenceRace, ALateUpgradeLosesItsCopy) {
    own(1, kA);
    const auto load = rig.load(0, kA), store = rig.store(0, kA);
    up(0);
    rig.deliver_down(1);
    const auto other = rig.store(1, kA); // shared again: an upgrade of its own
    up(1);
    ASSERT_EQ(rig.first_down(0), Message::DataS);
    ASSERT_TRUE(rig.deliver_down(0));
    EXPECT_TRUE(rig.is_done(load));
    EXPECT_FALSE(rig.is_done(store));
    EXPECT_EQ(rig.caches[0].coherence().late_upgrades, 1U);
    ASSERT_EQ(rig.first_up(0), Message::Upgrade);
    rig.settle();
    EXPECT_TRUE(rig.is_done(other));
    EXPECT_TRUE(rig.is_done(store));
    EXPECT_EQ(rig.directory().lost_upgrades, 1U);
    end();
}

// Code is read through the same lines without leaving a trace in the directory.
TEST_F(CoherenceRace, InstructionsAreNotTracked) {
    const TransactionId id = rig.home.read(rig.now, kA, CoherenceRig::kBlock);
    rig.home.transactions[id].request.requester = Requester::Instruction;
    for (unsigned i = 0; i < 20; ++i)
        rig.home.slice.tick(++rig.now);
    rig.home.done(0, rig.now);
    EXPECT_EQ(rig.home.slice.answer(), id);
    EXPECT_TRUE(rig.home.slice.directory()->holders(*rig.home.slice.block_of(kA)).empty());
}

} // namespace
} // namespace heddle::mem
