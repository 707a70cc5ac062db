// Bundles of threads in the load/store unit (mimd): a port slot for each line and kind of access, a cycle for each word
// of the busiest bank; the busiest memory decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig.h"
#include "sm/load_store/bundle_stage.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Step = LoadStoreUnit::Step;

constexpr Address kA = 0x1000'0000'0000, kB = kA + 128;

struct Bundles : UnitRig {
    explicit Bundles(const std::vector<std::string>& settings = {}) : UnitRig(settings) {}

    // A bundle of a thread a flight, from flight 0 on: thread i is lane i of row 0.
    void prepare_all(std::initializer_list<exec::Access> accesses) {
        FlightId f = 0;
        for (exec::Access access : accesses) {
            access.lane[0] = static_cast<std::uint8_t>(f);
            prepare_one(f++, access);
        }
        for (FlightId i = 0; i < f; ++i)
            flights[i].along = i + 1 < f ? static_cast<FlightId>(i + 1) : warp::kNoFlight;
    }
    void prepare_one(FlightId f, const exec::Access& access, unsigned block = 0) {
        set_group(flights[f], access.atomic ? ir::Kind::Atomic : access.store ? ir::Kind::Store : ir::Kind::Load, 1);
        flights[f].group.part[0].lanes = LaneMask{1} << access.lane[0];
        stage.prepare(flights[f], access, block);
    }
    Cycle serve_all(Cycle now) {
        while (stage.step(0, now) != Step::Done)
            ++now;
        return now;
    }
    std::vector<unsigned> lines_left(unsigned count) const {
        std::vector<unsigned> out;
        for (unsigned f = 0; f < count; ++f)
            out.push_back(flights[f].lines_left);
        return out;
    }

    BundleStage stage{unit};
};

// Threads 0 and 2 ride on one look-up and one request; thread 1 has another.
TEST(BundleStage, ThreadsOfOneLineRideAlong) {
    Bundles sm;
    sm.prepare_all({access_of(In::Global, {kA}), access_of(In::Global, {kB}), access_of(In::Global, {kA + 8})});
    EXPECT_EQ(sm.stage.step(0, 10), Step::Line);
    EXPECT_EQ(sm.stage.step(0, 11), Step::Done);
    EXPECT_THAT(sm.lines_left(3), ElementsAre(1, 1, 1));
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0, 2)); // in one cycle
    EXPECT_THAT(sm.lines_left(3), ElementsAre(0, 1, 0));
    EXPECT_THAT(sm.answer(requests[1], 60), ElementsAre(1));
}

// Each waits for its own line only.
TEST(BundleStage, AThreadThatHitsGoesOnAlone) {
    Bundles sm;
    sm.bring(kA);
    sm.prepare_all({access_of(In::Global, {kA}), access_of(In::Global, {kB})});
    EXPECT_EQ(sm.serve_all(10), 11U);
    EXPECT_THAT(sm.lines_left(2), ElementsAre(0, 1));
}

// Reads, writes and atomic operations of one line take a slot each.
TEST(BundleStage, KindsOfAccessToOneLineAreApart) {
    Bundles sm;
    sm.prepare_all({access_of(In::Global, {kA}), store_of(In::Global, {kA + 4}), atomic_of(In::Global, {kA + 8}),
                    access_of(In::Global, {kA + 12})});
    EXPECT_EQ(sm.serve_all(10), 12U);
    EXPECT_EQ(sm.unit.stats().loads, 1U); // the bundle counts as one of each kind
    EXPECT_EQ(sm.unit.stats().stores, 1U);
    EXPECT_EQ(sm.unit.stats().atomics, 1U);
    EXPECT_EQ(sm.unit.stats().transactions[3], 1U);
}

// One request for the threads of a line: two operations on one word, three words of 4 bytes.
TEST(BundleStage, AtomicsOfALineAreOneRequest) {
    Bundles sm;
    sm.prepare_all({atomic_of(In::Global, {kA}), atomic_of(In::Global, {kA}), atomic_of(In::Global, {kA + 4})});
    EXPECT_EQ(sm.serve_all(10), 10U);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].operations, 2);
    EXPECT_EQ(requests[0].carried, 12);
    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0, 1, 2));
}

TEST(BundleStage, SharedMemoryServesTheBundleSideBySide) {
    Bundles sm({"shared.latency=5"});
    sm.prepare_all({access_of(In::Shared, {0}), access_of(In::Shared, {4}), access_of(In::Shared, {128}),
                    access_of(In::Shared, {0})}); // bank 0: words 0 and 32, one of them twice
    EXPECT_EQ(sm.stage.step(0, 10), Step::Bank);
    EXPECT_EQ(sm.stage.step(0, 11), Step::Done);
    EXPECT_EQ(sm.unit.latency(2), 5U);
    EXPECT_EQ(sm.unit.stats().shared_cycles, 2U);
}

// Atomic operations share no words, and come on top: one cycle for the read, two for the atomics.
TEST(BundleStage, SharedAtomicsTakeFurtherCycles) {
    Bundles sm;
    sm.prepare_all({access_of(In::Shared, {0}), atomic_of(In::Shared, {0}), atomic_of(In::Shared, {0})});
    EXPECT_EQ(sm.serve_all(10), 12U);
}

// A bank a home lane: threads of one lane of different rows conflict; 8 bytes are two words.
TEST(BundleStage, PrivateMemoryHasABankALane) {
    Bundles sm;
    sm.prepare_all({access_of(In::Local, {0}), access_of(In::Local, {0})});
    EXPECT_EQ(sm.serve_all(10), 10U);
    exec::Access same_lane = access_of(In::Local, {0}, 8);
    sm.prepare_one(0, same_lane);
    sm.prepare_one(1, same_lane);
    EXPECT_EQ(sm.serve_all(20), 23U);
}

// Three words of one bank, two lines: the banks take longer.
TEST(BundleStage, TheBusiestMemoryDecides) {
    Bundles sm;
    sm.prepare_all({access_of(In::Shared, {0}), access_of(In::Shared, {128}), access_of(In::Shared, {256}),
                    access_of(In::Global, {kA}), access_of(In::Global, {kB})});
    EXPECT_EQ(sm.stage.step(0, 10), Step::Line);
    EXPECT_EQ(sm.stage.step(0, 11), Step::Bank);
    EXPECT_EQ(sm.stage.step(0, 12), Step::Done);
}

// A fence of one thread waits for that thread's store, not for one of another row.
TEST(BundleStage, AFenceInABundle) {
    Bundles sm({"dcache.write=evict"});
    sm.prepare_all({store_of(In::Global, {kA})});
    sm.serve_all(10);
    const auto requests = asked(sm.port);
    for (const FlightId f : {FlightId{0}, FlightId{1}}) {
        set_group(sm.flights[f], ir::Kind::Fence, 1, f);
        sm.stage.prepare(sm.flights[f], {}, 0);
        sm.unit.prepare_fence(sm.flights[f]);
    }
    sm.flights[0].along = 1;
    sm.flights[1].along = warp::kNoFlight;
    EXPECT_EQ(sm.serve_all(20), 20U);
    EXPECT_THAT(sm.lines_left(2), ElementsAre(1, 0));
    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0));
}

TEST(BundleStage, AStoreWaitsForAFillOnTheWritePort) {
    Bundles sm;
    sm.bring(kB);
    sm.prepare(3, access_of(In::Global, {kA}));
    sm.serve(3, 5);
    sm.prepare_all({store_of(In::Global, {kB})});
    sm.answer(asked(sm.port).at(0), 50);
    EXPECT_EQ(sm.stage.step(0, 50), Step::Line);
    EXPECT_EQ(sm.stage.step(0, 51), Step::Done);
}

// Lines of 128 bytes, four banks: two words of bank 0 take two cycles, in which two lines are looked up one a cycle.
TEST(BundleStage, ABankedDataCache) {
    Bundles sm({"dcache.banks=4"});
    sm.prepare_all({access_of(In::Global, {kA}), access_of(In::Global, {kB}), access_of(In::Global, {kA + 4})});
    EXPECT_EQ(sm.serve_all(10), 11U);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[1].sent, 11U);
    EXPECT_EQ(sm.unit.stats().bank_conflicts, 1U);
}

// Texels of several lines are not shared: the thread takes a slot for each.
TEST(BundleStage, TexelsOfSeveralLinesServeTheirThreadAlone) {
    Bundles sm({"tcache.size=1KiB"});
    exec::Access one = access_of(In::Global, {kA});
    one.global = 0;
    one.texels = {kA};
    exec::Access two = one;
    two.texels = {kA, kB};
    const std::vector<exec::Access> accesses{one, one, two};
    for (FlightId f = 0; f < 3; ++f) {
        set_group(sm.flights[f], ir::Kind::Texture, 1);
        sm.stage.prepare(sm.flights[f], accesses[f], 0);
        sm.flights[f].along = f < 2 ? static_cast<FlightId>(f + 1) : warp::kNoFlight;
    }
    EXPECT_EQ(sm.serve_all(10), 12U); // A for the first two, then A and B for the third
    EXPECT_THAT(sm.lines_left(3), ElementsAre(1, 1, 2));
    EXPECT_EQ(asked(sm.port).size(), 2U);
}

// A bundle whose threads access nothing of the caches and banks has no work left after a cycle.
TEST(BundleStage, ThreadsWithoutAnAccess) {
    Bundles sm;
    sm.prepare_all({access_of(In::Global, {})});
    EXPECT_EQ(sm.serve_all(10), 10U);
    EXPECT_THAT(asked(sm.port), IsEmpty());
}

} // namespace
} // namespace heddle::sm::test
