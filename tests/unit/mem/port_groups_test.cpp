#include <gmock/gmock.h>

#include "base/source.h"
#include "mem/network/crossbar.h"
#include "mem/network/gpc_config.h"
#include "memory_system_rig.h"

namespace heddle::mem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PortGroups, APacketAloneLosesNoTime) {
    PortGroups groups({.of_inputs = false, .group_of = {0, 0, 1}, .flits = 2});
    EXPECT_EQ(groups.pass(0, 0, 4, 10), 10U);
    EXPECT_EQ(groups.pass(0, 2, 4, 10), 10U) << "another group";
}

// Two and a half flits a cycle: packets of four flits are 1.6 cycles apart.
TEST(PortGroups, PacketsOfAGroupPassOneAfterAnother) {
    PortGroups groups({.of_inputs = false, .group_of = {0, 0}, .flits = 2.5});
    EXPECT_EQ(groups.pass(0, 0, 4, 10), 10U);
    EXPECT_EQ(groups.pass(1, 1, 4, 10), 11U); // 11.6
    EXPECT_EQ(groups.pass(0, 0, 4, 10), 13U); // 13.2
    EXPECT_EQ(groups.pass(0, 1, 4, 10), 14U); // 14.8
    EXPECT_EQ(groups.pass(0, 1, 4, 20), 20U) << "the port was free since 16.4";
}

TEST(PortGroups, GroupsAreOfInputsOrOfOutputs) {
    PortGroups groups({.of_inputs = true, .group_of = {0, 1}, .flits = 1});
    EXPECT_EQ(groups.pass(0, 0, 4, 10), 10U);
    EXPECT_EQ(groups.pass(1, 0, 4, 10), 10U);
    EXPECT_EQ(groups.pass(1, 1, 4, 10), 14U);
}

// Packets of four flits to two outputs of a group of two flits a cycle. Each is granted in cycle 1, when its first flit
// is there. The first passes the group in cycle 1 and is done at 1 + 1 + 4; the second passes it two cycles later.
TEST(PortGroups, AGroupOfACrossbarDelaysItsOutputs) {
    CrossbarShape shape{.inputs = 4, .outputs = 4};
    shape.groups = {{.of_inputs = false, .group_of = {0, 0, 1, 1}, .flits = 2}};
    Crossbar<Ports64> crossbar(shape);
    crossbar.send(0, 0, 10, 4, 0);
    crossbar.send(1, 1, 11, 4, 0);
    crossbar.send(2, 2, 12, 4, 0);
    crossbar.tick(1);
    EXPECT_FALSE(crossbar.ready(0, 5));
    EXPECT_TRUE(crossbar.ready(0, 6));
    EXPECT_FALSE(crossbar.ready(1, 7));
    EXPECT_TRUE(crossbar.ready(1, 8));
    EXPECT_TRUE(crossbar.ready(2, 6)) << "another group";
}

// Over a long time a group moves its rate: 200 packets of four flits to four outputs take 800 / 2.5 cycles.
TEST(PortGroups, AGroupMovesItsRate) {
    CrossbarShape shape{.inputs = 4, .outputs = 4, .output_flits = 4096};
    shape.groups = {{.of_inputs = false, .group_of = {0, 0, 0, 0}, .flits = 2.5}};
    shape.input_flits = 4096;
    Crossbar<Ports64> crossbar(shape);
    for (unsigned i = 0; i < 200; ++i)
        crossbar.send(i % 4, i % 4, i, 4, 0);
    unsigned taken = 0;
    Cycle now = 0;
    for (; taken < 200; ++now) {
        crossbar.tick(now);
        for (unsigned output = 0; output < 4; ++output)
            while (crossbar.ready(output, now)) {
                crossbar.take(output, now);
                ++taken;
            }
    }
    EXPECT_NEAR(static_cast<double>(now), 320, 8);
}

GpcConfig gpcs_of(std::string sms) {
    GpcConfig config;
    config.sms = std::move(sms);
    return config;
}

// The last TPC goes to the GPC that still has room.
TEST(Gpcs, TpcsGoToTheGpcsInTurn) {
    EXPECT_THAT(gpcs_of("4 2 6").gpc_of_sm(), ElementsAre(0, 0, 1, 1, 2, 2, 0, 0, 2, 2, 2, 2));
}

// A device with fewer SMs has the first of them.
TEST(Gpcs, SmsOfEachGpc) {
    EXPECT_THAT(gpcs_of("4 2 6").sms_of_gpcs(7),
                ElementsAre(ElementsAre(0, 1, 6), ElementsAre(2, 3), ElementsAre(4, 5)));
    EXPECT_THAT(gpcs_of("4 2 6").sms_of_gpcs(2), ElementsAre(ElementsAre(0, 1)));
    EXPECT_THAT(gpcs_of("").sms_of_gpcs(2), ElementsAre());
}

// What Jin et al. (MICRO 2024) found on a V100: the first SMs of its GPCs.
TEST(Gpcs, TheFirstSmsOfAV100) {
    const std::vector<std::uint16_t> gpc = gpcs_of("14 14 14 14 12 12").gpc_of_sm();
    ASSERT_EQ(gpc.size(), 80U);
    for (const unsigned sm : {0U, 1U, 12U, 13U, 24U, 36U, 48U, 60U})
        EXPECT_EQ(gpc[sm], 0U) << sm;
    for (const unsigned sm : {10U, 11U, 22U, 34U, 46U, 59U})
        EXPECT_EQ(gpc[sm], 5U) << sm;
}

// A read's answer is five flits of 32 bytes. An SM alone: 36 cycles (memory_system_test.cpp). Two SMs of a GPC with a
// port of one flit read lines that two slices have: the later answer waits for the five flits of the other.
TEST(Gpcs, SmsOfAGpcShareItsPort) {
    std::vector<std::string> settings = {"llc.size=64KiB", "llc.latency=10", "llc.slices=2", "gpc.sms=4",
                                         "gpc.answers=1"};
    HierarchyRig rig(settings, 4);
    rig.read(0, 100, 0, 1);
    rig.read(0, 100, 256, 2);
    rig.run_to(1000);
    rig.read(0, 1000, 0, 3);
    rig.run_to(2000);
    rig.read(0, 2000, 0, 4);
    rig.read(2, 2000, 256, 5);
    rig.run_to(3000);
    EXPECT_EQ(rig.reply_at(3), 1036U);
    EXPECT_EQ(std::min(rig.reply_at(4), rig.reply_at(5)), 2036U);
    EXPECT_EQ(std::max(rig.reply_at(4), rig.reply_at(5)), 2036U + 5);
}

// A line of 128 bytes and its header are one flit of 136 bytes, or four of 40: the last of four stores by one SM
// arrives twelve cycles later than where they follow each other in each cycle.
TEST(Gpcs, RequestsHaveLinksOfTheirOwn) {
    const auto done = [](std::vector<std::string> more) {
        std::vector<std::string> settings = {"llc.size=64KiB", "llc.latency=10", "gpc.sms=2",
                                             "interconnect.flit_bytes=136"};
        settings.insert(settings.end(), more.begin(), more.end());
        HierarchyRig rig(settings, 2);
        for (unsigned i = 0; i < 4; ++i)
            rig.write(0, 100 + i, 128 * i, i, 128);
        rig.run_to(1000);
        return rig.reply_at(3);
    };
    const Cycle narrow = done({"gpc.request_bytes=40"});
    EXPECT_EQ(narrow, done({}) + 12);
    EXPECT_EQ(done({"gpc.request_bytes=136"}), done({}));
}

std::string refusal(std::vector<std::string> settings) {
    settings.insert(settings.begin(), "interconnect.kind=crossbar");
    try {
        config::Machine::defaults(settings);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(Gpcs, WhatIsRefused) {
    EXPECT_THAT(refusal({"gpc.sms=4,2"}), HasSubstr("gpc.sms = '4,2' is no list of SMs"));
    EXPECT_THAT(refusal({"gpc.sms=4 3"}), HasSubstr("not whole TPCs of gpc.tpc_sms = 2"));
    EXPECT_THAT(refusal({"gpc.answers=2"}), HasSubstr("need the SMs of each GPC"));
    EXPECT_THAT(refusal({"gpc.request_bytes=40"}), HasSubstr("need the SMs of each GPC"));
    EXPECT_THAT(refusal({"gpc.sms=4 2", "gpc.answers=0.5"}), HasSubstr("gpc.answers"));
}

} // namespace
} // namespace heddle::mem
