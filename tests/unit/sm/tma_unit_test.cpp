// Bulk copies by a unit of their own. Lines have 128 bytes; the network takes them at once.
#include <array>

#include <gtest/gtest.h>

#include "core_rig.h"
#include "sm/load_store/tma_unit.h"

namespace heddle::sm::test {
namespace {

constexpr std::array<Address, 4> kLines{10, 11, 12, 40};

// Steps the unit from `from` on, as long as it knows when it goes on. The cycles of the steps.
std::vector<Cycle> steps(TmaUnit& unit, Cycle from) {
    std::vector<Cycle> out;
    for (Cycle at = unit.next(from); at != kNever; at = unit.next(at + 1)) {
        out.push_back(at);
        unit.step(at);
    }
    return out;
}

TEST(TmaUnit, RequestsBytesAtItsRateInTheOrderOfCopies) {
    MemoryPort port(machine_of({}));
    TmaUnit unit({.bytes = 96}, 128, 0, port);
    EXPECT_EQ(unit.next(5), kNever);
    unit.push(7, 3, kLines);
    unit.push(8, 4, std::span(kLines).first(1));
    // A line takes 4/3 cycles: the fifth may begin 16/3 cycles behind the first.
    EXPECT_EQ(steps(unit, 100), (std::vector<Cycle>{100, 102, 103, 104, 106}));
    const auto requests = asked(port);
    ASSERT_EQ(requests.size(), 5U);
    EXPECT_EQ(requests[0].address, 1280U);
    EXPECT_EQ(requests[0].bytes, 128);
    EXPECT_EQ(requests[0].requester, mem::Requester::Copy);
    EXPECT_EQ(requests[0].pc, 3U);
    EXPECT_EQ(requests[3].address, 5120U);
    EXPECT_EQ(requests[3].id, 7U);
    EXPECT_EQ(requests[4].id, 8U);
    EXPECT_EQ(unit.stats().copies, 2U);
    EXPECT_EQ(unit.stats().lines, 5U);
}

TEST(TmaUnit, AsksForAllSectors) {
    MemoryPort port(machine_of({}));
    TmaUnit unit({.bytes = 128}, 128, 0xf, port);
    unit.push(0, 0, std::span(kLines).first(1));
    unit.step(unit.next(0));
    EXPECT_EQ(mem::sectors_in(asked(port)[0].address), 0xf);
}

TEST(TmaUnit, HasSoManyLinesOnTheirWay) {
    MemoryPort port(machine_of({}));
    TmaUnit unit({.bytes = 128, .requests = 2}, 128, 0, port);
    unit.push(0, 0, kLines);
    EXPECT_EQ(steps(unit, 10), (std::vector<Cycle>{10, 11}));
    unit.answered();
    EXPECT_EQ(steps(unit, 30), (std::vector<Cycle>{30}));
    unit.begin_kernel();
    unit.answered();
    EXPECT_EQ(unit.next(40), kNever); // nothing is left
    unit.step(40);                    // a step that was due before
    EXPECT_EQ(unit.stats().lines, 3U);
}

} // namespace
} // namespace heddle::sm::test
