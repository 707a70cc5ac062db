// What the guard of a plug-in's formation refuses of starved() and divided(); its check of groups:
// plugin_answers_test.py.
#include <gtest/gtest.h>

#include "exec/fault.h"
#include "exec/memory_image.h"
#include "formation/guard.h"

namespace heddle::formation {
namespace {

struct Rig {
    exec::MemoryImage image{1 << 20};
    exec::Executor executor{image};
    Guard guard{"the formation 'f' of the plug-in p", 4, executor};
    std::array<warp::Flight, 2> flights;

    Rig() {
        warp::Flight& waits = flights[1];
        waits.lines_left = 1;
        waits.group.parts = 1;
        waits.group.part[0] = {0, 0xf};
        waits.hit[0] = 0x3;
    }
};

TEST(FormationGuard, AStarvedFlightWaitsAndSomeOfItsThreadsHaveTheirData) {
    Rig rig;
    EXPECT_NO_THROW(rig.guard.check_starved(warp::kNoFlight, rig.flights));
    EXPECT_NO_THROW(rig.guard.check_starved(1, rig.flights));
    EXPECT_THROW(rig.guard.check_starved(0, rig.flights), exec::Fault); // waits for nothing
    EXPECT_THROW(rig.guard.check_starved(2, rig.flights), exec::Fault); // there is none
    rig.flights[1].hit[0] = 0;
    EXPECT_THROW(rig.guard.check_starved(1, rig.flights), exec::Fault); // no thread could run ahead
}

TEST(FormationGuard, ThreadsThatRunAheadHaveALivingUnit) {
    Rig rig;
    warp::UnitTable units(4);
    units.alive.insert(2);
    warp::Group ahead;
    ahead.unit = 2;
    EXPECT_NO_THROW(rig.guard.check_divided(ahead, units));
    ahead.unit = 3;
    EXPECT_THROW(rig.guard.check_divided(ahead, units), exec::Fault);
    ahead.unit = 4;
    EXPECT_THROW(rig.guard.check_divided(ahead, units), exec::Fault);
}

} // namespace
} // namespace heddle::formation
