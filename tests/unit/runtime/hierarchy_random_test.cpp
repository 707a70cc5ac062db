// Random kernels on all machines and on machines with hardly any resources: memory is what a flat memory would hold,
// and nothing hangs.

#include <gtest/gtest.h>

#include "random_run.h"

namespace heddle::runtime {
namespace {

const char* const kMachines[] = {"lwm11", "lwm10", "dwf07", "gtx480", "maws-bulk", "maws-coherent"};
const char* const kWithNetwork[] = {"dwf07", "gtx480", "maws-bulk", "maws-coherent"};

// A directory needs write-back caches that allocate at a miss: where the settings say otherwise, caches are not
// coherent.
std::vector<std::string> fitting(const std::string& machine, std::vector<std::string> settings) {
    try {
        static_cast<void>(config::Machine::load(machine, settings));
    } catch (const UserError&) {
        settings.emplace_back("llc.coherence=none");
    }
    return settings;
}

// One of each resource, and what else is given.
std::vector<std::string> tiny_and(const std::vector<std::string>& settings) {
    std::vector<std::string> all = {
        "dcache.mshrs=1",
        "dcache.merges=1",
        "icache.mshrs=1",
        "icache.merges=1",
        "llc.mshrs=1",
        "llc.merges=1",
        "llc.queue=1",
        "dram.queue=1",
        "interconnect.input_flits=8",
        "interconnect.output_flits=8",
    };
    all.insert(all.end(), settings.begin(), settings.end());
    return all;
}

TEST(HierarchyRandom, EveryMachine) {
    for (const char* const machine : kMachines)
        for (std::uint64_t seed = 1; seed <= 8; ++seed)
            check(machine, {}, seed);
}

TEST(HierarchyRandom, BlocksOfOddSizes) {
    for (const char* const machine : kMachines) {
        check(machine, {}, 11, 40, 40, 17);
        check(machine, {}, 12, 40, 100, 3);
    }
}

TEST(HierarchyRandom, EachSettingAlone) {
    const char* const settings[] = {
        "dcache.mshrs=1",
        "dcache.merges=1",
        "icache.mshrs=1",
        "icache.merges=1",
        "llc.queue=1",
        "dram.queue=1",
        "interconnect.input_flits=8",
        "interconnect.input_flits=1",
        "interconnect.output_flits=1",
        "interconnect.flit_bytes=1",
        "interconnect.link=1",
        "interconnect.link=100",
        "interconnect.latency=40",
        "interconnect.speedup=4",
        "interconnect.allocator=ideal",
        "interconnect.allocator=pim",
        "interconnect.clock_mhz=37",
        "interconnect.clock_mhz=3000",
        "llc.clock_mhz=90",
        "llc.latency=1",
        "llc.slice_index=hashed",
        "dcache.write=back",
        "dcache.write=through",
        "dcache.write=evict",
        "dcache.write_local=through",
        "dcache.write_local=evict",
        "dcache.index=hashed",
        "dcache.banks=0",
        "dcache.banks=4",
        "dcache.replacement=fifo",
        "dcache.replacement=random",
        "llc.replacement=fifo",
        "llc.replacement=random",
        "dcache.flush=kernel",
        "dcache.flush=never",
        "dcache.ideal=true",
        "gpu.sms=1",
        "gpu.sms=3",
        "private.bytes_per_thread=32",
        "core.shared_write_back=true",
        "dram.page=closed",
        "dram.scheduler=fcfs",
        "dram.starvation=50",
        "dram.clock_mhz=200",
        "dram.row_conflict=3000",
        "dram.latency=2000",
    };
    std::uint64_t seed = 100;
    for (const char* const machine : kWithNetwork)
        for (const char* const setting : settings)
            check(machine, fitting(machine, {setting}), ++seed, 25, 16);
}

TEST(HierarchyRandom, AsManyPortsAsThereCanBe) {
    check("gtx480", {"gpu.sms=64"}, 51, 30, 100);
    check("dwf07", {"gpu.sms=64", "llc.slices=64"}, 52, 30, 100);
    check("dwf07", {"llc.slices=64", "dram.channels=64"}, 53, 30, 30);
    check("gtx480", {"llc.slices=1", "llc.size=64KiB", "dram.channels=1"}, 54, 30, 30);
    check("maws-coherent", {"llc.slices=64", "dram.channels=16", "llc.mshrs=1"}, 55, 30, 30);
}

TEST(HierarchyRandom, HardlyAnyResources) {
    const std::vector<std::vector<std::string>> more = {
        {},
        {"dcache.size=2KiB", "dcache.ways=1", "icache.size=1KiB", "icache.ways=1"},
        {"dcache.allocate=fill", "icache.allocate=fill", "llc.allocate=fill"},
        {"dcache.write=through"},
        {"dcache.write=evict", "dcache.write_local=evict"},
        {"interconnect.input_flits=1", "interconnect.output_flits=1", "interconnect.link=1"},
        {"dram.page=closed", "dram.scheduler=fcfs"},
        {"dram.starvation=10", "dcache.size=2KiB", "dcache.ways=2", "dcache.replacement=random"},
    };
    std::uint64_t seed = 1000;
    for (const char* const machine : kWithNetwork)
        for (const std::vector<std::string>& settings : more)
            check(machine, fitting(machine, tiny_and(settings)), ++seed, 25, 16);
}

// sm/load_store/load_store_unit.cpp, prepare_lines(): the bytes of a store are not counted when both policies are
// "back", though without allocation a miss sends them: what is sent has no length, and the DRAM channel never ends it.
TEST(HierarchyRandom, WriteBackWithoutAllocation) {
    std::uint64_t seed = 2000;
    for (const char* const machine : kMachines)
        check(machine, fitting(machine, {"dcache.write=back", "dcache.write_allocate=false"}), ++seed);
}

// sm/single_issue/barrel.cpp, skip(): no answer is outstanding while a unit waits for room behind writes without an
// answer, which was reported as a deadlock.
TEST(HierarchyRandom, WaitingForRoomBehindWritesOfNobody) {
    std::uint64_t seed = 3000;
    for (const char* const machine : kWithNetwork)
        check(machine, fitting(machine, tiny_and({"dcache.write=through", "dcache.write_allocate=false"})), ++seed, 25,
              16);
}

TEST(HierarchyRandom, ALastLevelThatHoldsHardlyAnything) {
    // Sets of one way, dirty lines leaving all the time.
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        check("gtx480", {"llc.size=12KiB", "llc.ways=1", "dram.queue=1", "dcache.size=1KiB", "dcache.ways=1"}, seed);
        check("gtx480", {"llc.size=12KiB", "llc.ways=1", "llc.allocate=fill", "llc.mshrs=2", "dram.queue=1"}, seed);
        check("maws-coherent", {"llc.size=4KiB", "llc.ways=2", "dcache.size=1KiB", "dcache.ways=1"}, seed);
    }
}

} // namespace
} // namespace heddle::runtime
