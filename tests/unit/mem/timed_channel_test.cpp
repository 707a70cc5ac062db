// Commands and their clocks, computed by hand. A request that is pushed at t gets its first command at t + 1.

#include "channel_bench.h"

namespace heddle::mem {
namespace {

// GTX 480 (GPGPU-Sim 4.2): 16 banks in 4 groups; a burst of 8 on 8 bytes is 64 bytes in 2 clocks. No fixed latency.
DramConfig gtx480() {
    DramConfig config;
    config.model = "timed";
    config.banks = 16;
    config.latency = 0;
    return config;
}

constexpr Address at(std::uint64_t row, std::uint64_t bank, std::uint64_t column = 0) {
    return (row * 16 + bank) * 4096 + column;
}

class TimedChannelTest : public testing::Test {
protected:
    DramConfig config = gtx480();

    // With row 0 of these banks open for long at clock 200.
    ChannelBench opened(std::initializer_list<unsigned> banks) const {
        ChannelBench bench(config);
        for (const unsigned bank : banks)
            bench.push(0, at(0, bank));
        bench.run_to(199);
        return bench;
    }
};

TEST_F(TimedChannelTest, ReadOfAClosedBank) {
    config.latency = 100;
    ChannelBench bench(config);
    bench.push(0, at(0, 0)); // ACT 1, RD 1 + 12, data 25 and 26, + 100
    bench.run_to(126);
    EXPECT_FALSE(bench.is_done(0));
    EXPECT_EQ(bench.done(0), 127U);
    EXPECT_EQ(bench.stats().row_closed, 1U);
    EXPECT_EQ(bench.stats().read_latencies[6], 1U); // 127: 64 to 127
}

TEST_F(TimedChannelTest, SleepsBetweenCommands) {
    ChannelBench bench(config);
    EXPECT_EQ(bench.channel().wake, kNever);
    bench.push(0, at(0, 0));
    for (const Cycle wake : {1U, 13U, 27U}) { // ACT, RD, completion
        EXPECT_EQ(bench.next(), wake);
        bench.tick(wake);
    }
    EXPECT_EQ(bench.next(), kNever);
}

TEST_F(TimedChannelTest, RowHit) {
    ChannelBench bench = opened({0});
    EXPECT_EQ(bench.done(bench.push(200, at(0, 0, 64))), 215U); // RD 201, + 12 + 2
    EXPECT_EQ(bench.stats().row_hits, 1U);
}

// With a bus for each, a read and an activate go in one clock.
TEST_F(TimedChannelTest, CommandsToRowsAndToColumnsOnBusesOfTheirOwn) {
    ChannelBench one = opened({0});
    one.push(200, at(0, 0, 64));
    EXPECT_EQ(one.done(one.push(200, at(0, 1))), 228U); // RD of bank 0 201, ACT 202, RD 214, + 12 + 2
    config.dual_bus = true;
    ChannelBench two = opened({0});
    two.push(200, at(0, 0, 64));
    EXPECT_EQ(two.done(two.push(200, at(0, 1))), 227U); // ACT 201
}

TEST_F(TimedChannelTest, RowConflict) {
    ChannelBench bench = opened({0});
    EXPECT_EQ(bench.done(bench.push(200, at(1, 0))), 239U); // PRE 201, ACT 213, RD 225
    EXPECT_EQ(bench.stats().row_conflicts, 1U);
    EXPECT_EQ(bench.stats().precharges, 1U);
    EXPECT_EQ(bench.stats().activates, 2U);
}

TEST_F(TimedChannelTest, ARowStaysOpenForTras) {
    config.t_rc = 0;
    ChannelBench bench(config);
    bench.push(0, at(0, 0)); // ACT 1, RD 13
    bench.push(0, at(1, 0)); // PRE 1 + 28 = 29, ACT 41, RD 53
    EXPECT_EQ(bench.done(1), 67U);
}

TEST_F(TimedChannelTest, ActivatesOfABankAreTrcApart) {
    config.t_rc = 45;
    ChannelBench bench(config);
    bench.push(0, at(0, 0)); // ACT 1
    bench.push(0, at(1, 0)); // PRE 29, ACT 1 + 45 = 46, RD 58
    EXPECT_EQ(bench.done(1), 72U);
}

TEST_F(TimedChannelTest, ActivatesOfTwoBanksAreTrrdApart) {
    ChannelBench bench(config);
    bench.push(0, at(0, 0)); // ACT 1, RD 13
    bench.push(0, at(0, 1)); // ACT 7, RD 19
    EXPECT_EQ(bench.done(0), 27U);
    EXPECT_EQ(bench.done(1), 33U);
}

TEST_F(TimedChannelTest, ColumnCommandsAreTccdApartAndMoreInOneGroup) {
    ChannelBench different = opened({0, 1});
    different.push(200, at(0, 0, 64));
    different.push(200, at(0, 1, 64));
    EXPECT_EQ(different.done(2), 215U);
    EXPECT_EQ(different.done(3), 217U); // tCCD = 2
    ChannelBench same = opened({0, 4});
    same.push(200, at(0, 0, 64));
    same.push(200, at(0, 4, 64));
    EXPECT_EQ(same.done(2), 215U);
    EXPECT_EQ(same.done(3), 218U); // banks 0 and 4 are in group 0: tCCDL = 3
}

TEST_F(TimedChannelTest, TheDataBusHoldsColumnCommandsApart) {
    config.t_ccd = 1;
    config.bus_bytes = 4;
    config.burst = 16; // 64 bytes in 4 clocks
    ChannelBench bench = opened({0, 1});
    bench.push(200, at(0, 0, 64)); // RD 201, data until 201 + 12 + 4
    bench.push(200, at(0, 1, 64)); // RD 205
    EXPECT_EQ(bench.done(2), 217U);
    EXPECT_EQ(bench.done(3), 221U);
}

TEST_F(TimedChannelTest, ALongRequestTakesSeveralColumnCommands) {
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Read, 65); // RD 13 and 13 + tCCDL
    EXPECT_EQ(bench.done(0), 30U);
    EXPECT_EQ(bench.stats().bus_busy, 4U);
    EXPECT_EQ(bench.stats().bytes, 65U);
}

// A sector of 32 bytes takes a burst of 64; a write has no sectors.
TEST_F(TimedChannelTest, AReadComesInSectors) {
    config.sector = 32;
    ChannelBench bench = opened({0});              // 64 bytes: two sectors
    bench.push(200, at(0, 0), DramUse::Read, 128); // RD 201, 204, 207, 210 (tCCDL), + 12 + 2
    EXPECT_EQ(bench.done(1), 224U);
    EXPECT_EQ(bench.stats().bus_busy, 2 * 2U + 4 * 2U);
    bench.push(300, at(0, 0), DramUse::Write, 128);
    bench.run_to(400);
    EXPECT_EQ(bench.stats().bus_busy, 2 * 2U + 4 * 2U + 2 * 2U);
    bench.push(400, at(0, 0), DramUse::Read, 33); // RD 401, 404
    EXPECT_EQ(bench.done(3), 418U);
}

TEST_F(TimedChannelTest, ASectorOfSeveralBursts) {
    config.sector = 96;
    ChannelBench bench = opened({0});
    bench.push(200, at(0, 0), DramUse::Read, 128); // two bursts for 96 bytes, one for 32: RD 201, 204, 207
    EXPECT_EQ(bench.done(1), 221U);
}

TEST_F(TimedChannelTest, OneCommandAClock) {
    config.t_rrd = 0;
    config.t_ccd = 1;
    config.burst = 4; // 1 clock of data
    ChannelBench bench = opened({0, 1});
    bench.push(200, at(1, 0), DramUse::Read, 32); // PRE 201, ACT 213, RD 225
    bench.push(200, at(1, 1), DramUse::Read, 32); // PRE 202, ACT 214, RD 226
    EXPECT_EQ(bench.done(2), 238U);
    EXPECT_EQ(bench.done(3), 239U);
}

TEST_F(TimedChannelTest, WriteThenRead) {
    ChannelBench bench = opened({0});
    bench.push(200, at(0, 0), DramUse::Write); // WR 201, data 205 and 206
    bench.push(200, at(0, 0, 64));             // RD 207 + tWTR = 212
    EXPECT_EQ(bench.done(1), 207U);
    EXPECT_EQ(bench.done(2), 226U);
    EXPECT_EQ(bench.stats().turnarounds, 2U); // read to write, write to read
}

TEST_F(TimedChannelTest, ReadThenWrite) {
    ChannelBench bench = opened({0});
    bench.push(200, at(0, 0));                     // RD 201
    bench.push(200, at(0, 0, 64), DramUse::Write); // WR 201 + tRTW = 213, data 217 and 218
    EXPECT_EQ(bench.done(2), 219U);
}

TEST_F(TimedChannelTest, ReadThenWriteAsSoonAsTheDataBusIsFree) {
    config.t_rtw = 0;
    ChannelBench bench = opened({0});
    bench.push(200, at(0, 0));                     // RD 201, data 213 and 214
    bench.push(200, at(0, 0, 64), DramUse::Write); // data 215 and 216, so WR 211
    EXPECT_EQ(bench.done(1), 215U);
    EXPECT_EQ(bench.done(2), 217U);
}

TEST_F(TimedChannelTest, AWriteRecoversBeforeItsRowIsClosed) {
    ChannelBench bench = opened({0});
    bench.push(200, at(0, 0), DramUse::Write); // WR 201, its data end with clock 206
    bench.push(200, at(1, 0));                 // PRE 207 + tWR = 219, ACT 231, RD 243
    EXPECT_EQ(bench.done(2), 257U);
}

TEST_F(TimedChannelTest, AReadKeepsItsRowForTrtp) {
    config.t_rtp = 20;
    ChannelBench bench = opened({0});
    bench.push(200, at(0, 0)); // RD 201
    bench.push(200, at(1, 0)); // PRE 221, ACT 233, RD 245
    EXPECT_EQ(bench.done(2), 259U);
}

TEST_F(TimedChannelTest, AReadHoldsPrechargesOfItsGroup) {
    config.t_rtp_l = 20;
    ChannelBench bench = opened({0, 1, 4});
    bench.push(200, at(0, 0)); // RD 201
    bench.push(200, at(1, 4)); // the same group: PRE 221, ACT 233, RD 245
    bench.push(200, at(1, 1)); // another: PRE 202, ACT 214, RD 226
    EXPECT_EQ(bench.done(4), 259U);
    EXPECT_EQ(bench.done(5), 240U);
}

TEST_F(TimedChannelTest, AClosedPageIsOpenedAgain) {
    config.page = "closed";
    ChannelBench bench(config);
    bench.push(0, at(0, 0));  // ACT 1, RD 13 with auto-precharge at 29
    bench.push(20, at(0, 0)); // ACT 29 + 12 = 41, RD 53
    EXPECT_EQ(bench.done(1), 67U);
    EXPECT_EQ(bench.done(bench.push(200, at(5, 0))), 227U); // ACT 201, RD 213: no precharge in the way
    EXPECT_EQ(bench.stats().row_closed, 3U);
    EXPECT_EQ(bench.stats().precharges, 3U);
}

TEST_F(TimedChannelTest, AutoPrechargeOfAWriteWaitsForItsRecovery) {
    config.page = "closed";
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Write); // ACT 1, WR 13, data end with 18, closed at 19 + 12 = 31
    bench.push(20, at(0, 0));                // ACT 43, RD 55
    EXPECT_EQ(bench.done(1), 69U);
}

TEST_F(TimedChannelTest, AClosedPageWaitsForItsLastQueuedHit) {
    config.page = "closed";
    ChannelBench bench(config);
    bench.push(0, at(0, 0));
    bench.push(0, at(0, 0, 64)); // RD 13 + tCCDL
    EXPECT_EQ(bench.done(1), 30U);
    EXPECT_EQ(bench.stats().activates, 1U);
    EXPECT_EQ(bench.stats().precharges, 1U);
}

TEST_F(TimedChannelTest, FrfcfsServesHitsFirst) {
    ChannelBench bench = opened({0});
    bench.push(200, at(1, 0));     // after the hit: PRE 203, ACT 215, RD 227
    bench.push(200, at(0, 0, 64)); // RD 201
    EXPECT_EQ(bench.done(2), 215U);
    EXPECT_EQ(bench.done(1), 241U);
}

TEST_F(TimedChannelTest, FrfcfsServesTheOldestHitAndThenTheOldest) {
    ChannelBench bench = opened({0});
    bench.push(200, at(1, 0));
    bench.push(200, at(2, 0));
    bench.push(200, at(0, 0));
    bench.push(200, at(1, 0));
    EXPECT_EQ(bench.done(3), 215U); // RD 201
    EXPECT_EQ(bench.done(1), 241U); // PRE 203, ACT 215, RD 227
    EXPECT_EQ(bench.done(4), 244U); // RD 230: a hit by now
    EXPECT_EQ(bench.done(2), 281U); // PRE 215 + 28 = 243, ACT 255, RD 267
}

TEST_F(TimedChannelTest, AHitThatComesBeforeThePrechargeIsServedFirst) {
    ChannelBench bench(config);
    bench.push(0, at(0, 0));      // ACT 1, RD 13
    bench.push(0, at(1, 0));      // PRE not before 29
    bench.push(27, at(0, 0, 64)); // RD 28, so PRE 30, ACT 42, RD 54
    EXPECT_EQ(bench.done(2), 42U);
    EXPECT_EQ(bench.done(1), 68U);
}

TEST_F(TimedChannelTest, FcfsKeepsTheOrder) {
    config.scheduler = "fcfs";
    ChannelBench bench = opened({0});
    bench.push(200, at(1, 0));     // PRE 201, ACT 213, RD 225
    bench.push(200, at(0, 0, 64)); // PRE 213 + 28 = 241, ACT 253, RD 265
    EXPECT_EQ(bench.done(1), 239U);
    EXPECT_EQ(bench.done(2), 279U);
}

TEST_F(TimedChannelTest, FcfsKeepsTheOrderOfBanksButOpensRowsAhead) {
    config.scheduler = "fcfs";
    ChannelBench bench = opened({0, 1});
    bench.push(200, at(1, 0));     // PRE 201, ACT 213, RD 225
    bench.push(200, at(0, 1, 64)); // a hit that waits: RD 227
    bench.push(200, at(1, 2));     // ACT 202 at once, RD 229
    EXPECT_EQ(bench.done(2), 239U);
    EXPECT_EQ(bench.done(3), 241U);
    EXPECT_EQ(bench.done(4), 243U);
}

// A comes at 200 and conflicts; hits follow it at 201, 204, ... 249. A hit may pass A over at clock c only while
// c - 200 <= the bound.
TEST_F(TimedChannelTest, NoHitPassesAStarvingRequest) {
    for (const Cycle bound : {48U, 49U}) {
        config.starvation = bound;
        ChannelBench bench = opened({0});
        const std::uint32_t a = bench.push(200, at(1, 0));
        for (unsigned hit = 0; hit < 30; ++hit)
            bench.push(200, at(0, 0));
        // Bound 48: the last hit reads at 246, A is late at 249: PRE 249. Bound 49: hit 249, late at 250: PRE 251.
        const Cycle precharge = bound == 48 ? 249 : 251;
        EXPECT_EQ(bench.done(a), precharge + 12 + 12 + 14);
        const unsigned before = bound == 48 ? 16 : 17;
        EXPECT_LT(bench.done(a + before), bench.done(a));
        EXPECT_GT(bench.done(a + before + 1), bench.done(a));
    }
}

TEST_F(TimedChannelTest, WithoutABoundHitsPassForEver) {
    ChannelBench bench = opened({0});
    const std::uint32_t a = bench.push(200, at(1, 0));
    for (unsigned hit = 0; hit < 60; ++hit)
        bench.push(200, at(0, 0));
    EXPECT_EQ(bench.done(a), 201 + 59 * 3 + 2 + 12 + 12 + 14U); // the last hit, then tRTP, tRP, tRCD, tCL and data
}

TEST_F(TimedChannelTest, AnotherBankDoesNotPassAStarvingRequestEither) {
    config.starvation = 10;
    ChannelBench bench = opened({0, 1});
    bench.push(200, at(1, 0));     // PRE 201, ACT 213, late from 211, RD 225
    bench.push(209, at(0, 1));     // RD 210
    bench.push(210, at(0, 1, 64)); // could read at 213; waits: RD 227
    EXPECT_EQ(bench.done(3), 224U);
    EXPECT_EQ(bench.done(2), 239U);
    EXPECT_EQ(bench.done(4), 241U);
}

TEST_F(TimedChannelTest, ARequestThatHasBegunIsFinishedBeforeAStarvingOne) {
    config.starvation = 2;
    ChannelBench bench = opened({0});
    bench.push(200, at(1, 0));                     // late from 203
    bench.push(200, at(0, 0), DramUse::Read, 256); // RD 201, 204, 207, 210
    EXPECT_EQ(bench.done(2), 224U);
    EXPECT_EQ(bench.done(1), 212 + 12 + 12 + 14U); // PRE 210 + tRTP
}

TEST_F(TimedChannelTest, AtomicReadsWorksAndWritesBack) {
    config.latency = 100;
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Atomic, 64, 32); // ACT 1, RD 13, data until 27, last operation 27 + 31
    bench.push(0, at(0, 0));                          // WR 58, data until 64, RD 64 + tWTR = 69
    EXPECT_EQ(bench.done(0), 158U);
    EXPECT_EQ(bench.done(1), 183U);
    EXPECT_EQ(bench.stats().atomics, 1U);
    EXPECT_EQ(bench.stats().bus_busy, 6U);
}

TEST_F(TimedChannelTest, AChannelHasOneAtomicUnit) {
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Atomic, 64, 32); // data until 27, busy until 58
    bench.push(0, at(0, 1), DramUse::Atomic, 64, 4);  // ACT 7, RD 19, data until 33: 59, 60, 61, 62
    EXPECT_EQ(bench.done(0), 58U);
    EXPECT_EQ(bench.done(1), 62U);
}

TEST_F(TimedChannelTest, RoomComesWithTheLastColumnCommand) {
    config.queue = 2;
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Read, 128); // RD 13, 16
    EXPECT_TRUE(bench.channel().accepts());
    bench.push(0, at(1, 0));
    EXPECT_FALSE(bench.channel().accepts());
    bench.run_to(15);
    EXPECT_FALSE(bench.channel().accepts());
    bench.run_to(16);
    EXPECT_TRUE(bench.channel().accepts());
}

// The first four activates are tRRD apart, the fifth tFAW after the first.
TEST_F(TimedChannelTest, FourActivatesInAWindow) {
    config.t_rrd = 5;
    config.t_faw = 30;
    ChannelBench bench(config);
    for (unsigned bank = 0; bank < 6; ++bank)
        bench.push(0, at(0, bank)); // ACT 1, 6, 11, 16, 31, 36; RD 12 later, data until 14 after that
    EXPECT_EQ(bench.done(3), 16U + 12 + 14);
    EXPECT_EQ(bench.done(4), 31U + 12 + 14);
    EXPECT_EQ(bench.done(5), 36U + 12 + 14);
}

// GDDR6 (JESD250) opens a row for a write in another time than for a read.
TEST_F(TimedChannelTest, AWriteFollowsItsActivateByTrcdwr) {
    config.t_rcd_write = 8;
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Write); // ACT 1, WR 1 + 8, data until 9 + 4 + 2
    bench.push(100, at(0, 1));               // ACT 101, RD 101 + 12
    EXPECT_EQ(bench.done(0), 15U);
    EXPECT_EQ(bench.done(1), 127U);
}

TEST_F(TimedChannelTest, AReadInTheGroupOfAWriteWaitsForTwtrl) {
    config.t_wtr_l = 9;
    ChannelBench other = opened({0, 1});
    other.push(200, at(0, 0, 64), DramUse::Write); // WR 201, data until 207
    EXPECT_EQ(other.done(other.push(200, at(0, 1, 64))), 207U + 5 + 14);
    ChannelBench same = opened({0, 4});
    same.push(200, at(0, 0, 64), DramUse::Write);
    EXPECT_EQ(same.done(same.push(200, at(0, 4, 64))), 207U + 9 + 14);
}

// 16 banks in 1600 clocks: bank 0 is refreshed at 100, bank 1 at 200. The others go on.
TEST_F(TimedChannelTest, EachBankHasARefreshOfItsOwn) {
    config.t_refi = 1600;
    config.t_rfc_bank = 40;
    ChannelBench bench(config);
    bench.push(0, at(0, 0)); // row 0 of bank 0: open until clock 100
    bench.push(0, at(0, 5));
    EXPECT_EQ(bench.done(bench.push(101, at(0, 0, 64))), 112U + 40 + 12 + 14); // PRE 100, refreshed from 112 on
    EXPECT_EQ(bench.done(bench.push(170, at(0, 5, 64))), 171U + 14);           // a hit
    EXPECT_EQ(bench.stats().refreshes, 1U);
    EXPECT_EQ(bench.stats().row_closed, 3U);
    // Until clock 3310 there are 33; bank 0 has had its third at 3300: closed, it is free again at 3340.
    EXPECT_EQ(bench.done(bench.push(3310, at(1, 0))), 3340U + 12 + 14);
    EXPECT_EQ(bench.stats().refreshes, 33U);
}

// A row that is open at clock 500 is closed there, tRP = 12 later the refresh begins, and takes 100.
TEST_F(TimedChannelTest, ARefreshClosesRows) {
    config.t_refi = 500;
    config.t_rfc = 100;
    ChannelBench bench(config);
    bench.push(0, at(0, 0));                                         // ACT 1, RD 13
    EXPECT_EQ(bench.done(bench.push(498, at(0, 0, 64))), 499U + 14); // a hit: the refresh is a clock away
    EXPECT_EQ(bench.done(bench.push(505, at(0, 0, 128))), 501U + 12 + 100 + 12 + 14); // RD 499: PRE 501 at the earliest
    EXPECT_EQ(bench.stats().refreshes, 1U);
    EXPECT_EQ(bench.stats().row_closed, 2U);
    // Five more while nothing waits: that of clock 3000 takes until 3100.
    EXPECT_EQ(bench.done(bench.push(3010, at(0, 0))), 3100U + 12 + 14);
    EXPECT_EQ(bench.stats().refreshes, 6U);
}

TEST_F(TimedChannelTest, PowerDown) {
    config.power_down = 50;
    config.t_xp = 10;
    ChannelBench bench(config);
    EXPECT_EQ(bench.done(bench.push(0, at(0, 0))), 27U);                   // ACT 1, RD 13
    EXPECT_EQ(bench.done(bench.push(63, at(0, 0, 64))), 64U + 14);         // 50 clocks after RD 13
    EXPECT_EQ(bench.done(bench.push(115, at(0, 0, 128))), 115U + 10 + 14); // 51 after RD 64
    EXPECT_EQ(bench.stats().power_downs, 1U);
}

// DWF07 Table 2: GDDR3, 8 bytes a cycle (4 bytes, 2 a clock, burst 4: 16 bytes in 2 clocks).
TEST(TimedChannelDwf07, Gddr3) {
    DramConfig config = gtx480();
    config.bank_groups = 1;
    config.bus_bytes = 4;
    config.burst = 4;
    config.data_per_clock = 2;
    config.t_cl = 9;
    config.t_rp = 13;
    config.t_rc = 34;
    config.t_ras = 21;
    config.t_rcd = 12;
    config.t_rrd = 8;
    config.t_ccd_l = 0;
    config.t_rtp_l = 0;
    ASSERT_TRUE(config.problems().empty());
    ChannelBench bench(config);
    bench.push(0, at(0, 0), DramUse::Read, 64); // ACT 1, RD 13, 15, 17, 19: until 19 + 9 + 2
    bench.push(0, at(0, 1), DramUse::Read, 16); // ACT 9, RD 21
    bench.push(0, at(1, 0), DramUse::Read, 16); // PRE 22, ACT 35, RD 47
    EXPECT_EQ(bench.done(0), 30U);
    EXPECT_EQ(bench.done(1), 32U);
    EXPECT_EQ(bench.done(2), 58U);
}

// Until then only reads complete, the earliest tCL + burst + latency = 12 + 2 + 100 clocks after their command.
TEST(TimedChannel, SilentWritesComeBackNowhere) {
    DramConfig config;
    config.model = "timed";
    config.banks = 16;
    ChannelBench bench(config);
    bench.push_silent(0, 0);
    EXPECT_EQ(bench.channel().lookahead, 114U);
    bench.run_to(1000);
    EXPECT_TRUE(bench.all_done().empty());
    EXPECT_EQ(bench.stats().writes, 1U);
    bench.push(1000, 0, DramUse::Write);
    EXPECT_EQ(bench.channel().lookahead, 6U); // tWL + burst
    bench.run_to(2000);
    EXPECT_TRUE(bench.is_done(1));
}

} // namespace
} // namespace heddle::mem
