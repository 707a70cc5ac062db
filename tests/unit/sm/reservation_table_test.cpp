#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "sm/sub_core/reservation_table.h"

namespace heddle::sm {
namespace {

TEST(ReservationTable, SoManyACycle) {
    ReservationTable calendar(2, 100);
    EXPECT_EQ(calendar.book(10), 10);
    EXPECT_EQ(calendar.book(10), 10);
    EXPECT_EQ(calendar.book(10), 11);
    EXPECT_EQ(calendar.book(9), 9);
    EXPECT_TRUE(calendar.take(11));
    EXPECT_FALSE(calendar.take(11));
}

// Near cycles and those as far ahead as bookings reach do not disturb each other.
TEST(ReservationTable, FarBookings) {
    ReservationTable calendar(1, 10000);
    EXPECT_TRUE(calendar.take(14000));
    EXPECT_TRUE(calendar.take(4001));
    for (Cycle at = 14000 - 4096 * 2; at < 14000; at += 64)
        EXPECT_TRUE(calendar.take(at)) << at;
    EXPECT_FALSE(calendar.take(14000));
    EXPECT_FALSE(calendar.take(14000 - 4096));
}

TEST(ReservationTable, AgainstCountsByCycle) {
    for (const unsigned places : {1U, 2U, 3U, 15U}) {
        constexpr Cycle kReach = 200;
        std::mt19937 random(places);
        ReservationTable calendar(places, kReach);
        std::map<Cycle, unsigned> taken;
        Cycle now = 0;
        for (int i = 0; i < 20000; ++i) {
            now += random() % (places + 2) < 2 ? 1 : 0; // somewhat slower than they are taken
            const Cycle at = now + random() % 20 + (random() % 8 == 0 ? 150 : 0);
            Cycle first = at;
            while (taken[first] == places)
                ++first;
            if (first >= now + kReach)
                continue;
            ASSERT_EQ(calendar.book(at), first) << places << " a cycle, booking " << i;
            ++taken[first];
            ASSERT_EQ(calendar.take(at), taken[at] < places) << places << " a cycle, booking " << i;
            taken[at] = std::min(taken[at] + 1, places);
        }
    }
}

Cycle book(UnitReservations& unit, Cycle at, unsigned cycles) {
    const Cycle start = unit.first_free(at, cycles);
    unit.take(start, cycles);
    return start;
}

TEST(UnitReservations, FindsGapsThatAreLongEnough) {
    UnitReservations unit;
    EXPECT_EQ(book(unit, 10, 4), 10); // 10 to 13
    EXPECT_EQ(book(unit, 16, 4), 16); // 16 to 19
    EXPECT_EQ(book(unit, 9, 3), 20);  // 14 and 15 are too few
    EXPECT_EQ(book(unit, 9, 2), 14);
    EXPECT_EQ(book(unit, 9, 1), 9);
    EXPECT_EQ(book(unit, 9, 1), 23);
}

TEST(UnitReservations, WhatIsBookedFarAheadIsStillTakenWhenItsTimeComes) {
    UnitReservations unit;
    EXPECT_EQ(book(unit, 10, 60), 10); // to 69
    EXPECT_EQ(book(unit, 10, 60), 70); // to 129
    EXPECT_EQ(unit.first_free(100, 1), 130);
    EXPECT_EQ(unit.first_free(129, 1), 130);
    EXPECT_EQ(unit.first_free(130, 8), 130);
}

// Nothing overlaps, and nothing waits while there is a gap within the next 64 cycles.
TEST(UnitReservations, AgainstASetOfCycles) {
    std::mt19937 random(3);
    UnitReservations unit;
    std::set<Cycle> taken;
    Cycle now = 0;
    for (int i = 0; i < 20000; ++i) {
        now += random() % 6;
        const unsigned cycles = 1 + random() % 4;
        const Cycle at = now + random() % 8;
        const Cycle start = book(unit, at, cycles);
        const auto is_free = [&](Cycle from) {
            const auto next = taken.lower_bound(from);
            return next == taken.end() || *next >= from + cycles;
        };
        ASSERT_GE(start, at);
        ASSERT_TRUE(is_free(start));
        for (Cycle earlier = at; earlier < start && earlier + cycles <= now + 64; ++earlier)
            ASSERT_FALSE(is_free(earlier)) << earlier << " was free, " << start << " was given at " << now;
        for (unsigned c = 0; c < cycles; ++c)
            taken.insert(start + c);
        taken.erase(taken.begin(), taken.lower_bound(now));
    }
}

TEST(UnitReservations, GivesTheFirstFreeCycle) {
    UnitReservations port;
    EXPECT_EQ(port.book(10), 10);
    EXPECT_EQ(port.book(12), 12);
    EXPECT_EQ(port.book(10), 11);
    EXPECT_EQ(port.book(10), 13);
    EXPECT_EQ(port.book(14), 14);
    EXPECT_EQ(port.book(13), 15);
    EXPECT_EQ(port.book(9), 9);
    EXPECT_EQ(port.book(1000), 1000);
    EXPECT_EQ(port.book(999), 999);
    EXPECT_EQ(port.book(998), 998);
    EXPECT_EQ(port.book(998), 1001);
}

TEST(UnitReservations, DoesNotLookAtMoreThan64CyclesBeforeTheEndOfTheLast) {
    UnitReservations port;
    EXPECT_EQ(port.book(100), 100);
    EXPECT_EQ(port.book(37), 37);            // 64 cycles: 37 to 100
    EXPECT_EQ(port.book(36), 38);            // 36 lies before them
    EXPECT_EQ(port.first_free(36, 62), 101); // 39 to 99 are 61
}

TEST(UnitReservations, FreeCyclesAgainstASetOfThem) {
    std::mt19937 random(6);
    UnitReservations port;
    std::set<Cycle> taken;
    Cycle now = 0;
    for (int i = 0; i < 20000; ++i) {
        now += 1 + random() % 3;
        taken.insert(port.book(now + random() % 20));
        const Cycle from = now + random() % 100;
        const unsigned cycles = 1 + random() % 64;
        const auto count = std::distance(taken.lower_bound(from), taken.lower_bound(from + cycles));
        ASSERT_EQ(port.free_in(from, cycles), cycles - static_cast<unsigned>(count))
            << cycles << " cycles from " << from << " on";
    }
}

TEST(UnitReservations, CyclesBeforeTheMaskAreNotFree) {
    UnitReservations port;
    port.book(163);                        // the mask: 100 to 163
    EXPECT_EQ(port.free_in(90, 10), 0U);   // 90 to 99
    EXPECT_EQ(port.free_in(90, 20), 10U);  // 100 to 109
    EXPECT_EQ(port.free_in(100, 64), 63U); // all but 163
    EXPECT_EQ(port.free_in(160, 8), 7U);
}

// Nothing is given twice, and nothing waits while there is a free cycle.
TEST(UnitReservations, CyclesAgainstASetOfThem) {
    std::mt19937 random(5);
    UnitReservations port;
    std::set<Cycle> taken;
    Cycle now = 0;
    for (int i = 0; i < 20000; ++i) {
        now += random() % 4;
        const Cycle at = now + random() % 12;
        Cycle first = at;
        while (taken.contains(first))
            ++first;
        ASSERT_EQ(port.book(at), first) << "from " << at << " on at " << now;
        taken.insert(first);
    }
}

} // namespace
} // namespace heddle::sm
