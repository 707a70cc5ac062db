// Policies whose answers their contracts do not allow.
#include "config/plugin.h"
#include "mem/cache/replacement.h"
#include "mem/dram/scheduler.h"
#include "mem/network/allocator.h"
#include "sched/scheduler.h"
using namespace heddle;

struct Scheduler : sched::Scheduler {
    Scheduler(const sched::Share&, const config::Machine&) {}
};
struct FarUnit final : Scheduler {
    using Scheduler::Scheduler;
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        return 60000;
    }
};
struct NotOffered final : Scheduler {
    using Scheduler::Scheduler;
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        return 4; // of a kernel with 32 threads: unit 0, or units 0 to 3 of 8 threads
    }
};
// Picks well in the first launch only: its results are there when the second one fails.
struct Later final : Scheduler {
    using Scheduler::Scheduler;
    UnitId pick(const UnitSet& can_issue, const warp::View&, Cycle) override {
        return launches < 2 ? can_issue.first() : 60000;
    }
    void block_event(std::uint16_t, sched::BlockEvent event, const warp::View&, Cycle) override {
        launches += event == sched::BlockEvent::Started ? 1 : 0;
    }
    unsigned launches = 0;
};
struct SmallSet final : Scheduler {
    using Scheduler::Scheduler;
    UnitId pick(const UnitSet& can_issue, const warp::View&, Cycle) override {
        return can_issue.first();
    }
    const UnitSet* considered() const override {
        return &none;
    }
    UnitSet none;
};
HEDDLE_SCHEDULER(FarUnit, "far-unit", "test", "test");
HEDDLE_SCHEDULER(NotOffered, "not-offered", "test", "test");
HEDDLE_SCHEDULER(Later, "later", "test", "test");
HEDDLE_SCHEDULER(SmallSet, "small-set", "test", "test");

struct FarWay final : mem::Replacement {
    explicit FarWay(const mem::ReplacementShape&) {}
    unsigned victim(unsigned, mem::WayMask, const mem::CacheAccess&) override {
        return 70;
    }
};
HEDDLE_REPLACEMENT(FarWay, "far-way", "test", "test");

struct Dram : mem::DramScheduler {
    explicit Dram(const mem::DramConfig&) {}
    mem::DramSlot serve(unsigned bank, const mem::DramQueue& queue) override {
        return queue.oldest(bank);
    }
};
struct NoRequest final : Dram {
    using Dram::Dram;
    mem::DramSlot serve(unsigned, const mem::DramQueue&) override {
        return mem::kNoDramSlot;
    }
};
struct FarBank final : Dram {
    using Dram::Dram;
    unsigned pick(mem::BankMask, mem::BankMask, const mem::DramQueue&) override {
        return 1000;
    }
};
HEDDLE_DRAM_SCHEDULER(NoRequest, "no-request", "test", "test");
HEDDLE_DRAM_SCHEDULER(FarBank, "far-bank", "test", "test");

template <class PortMask>
struct FarInput final : mem::Allocator<PortMask> {
    explicit FarInput(const mem::AllocatorShape&) {}
    void allocate(const mem::Requests<PortMask>& requests, mem::Match<PortMask>& match) override {
        const unsigned output = requests.outputs.lowest();
        match.outputs.insert(output);
        match.input[output] = 5000;
    }
};
template <class PortMask>
struct NoOutput final : mem::Allocator<PortMask> {
    explicit NoOutput(const mem::AllocatorShape&) {}
    void allocate(const mem::Requests<PortMask>& requests, mem::Match<PortMask>& match) override {
        match.outputs.insert(PortMask::kSize - 1);
        match.input[PortMask::kSize - 1] = static_cast<std::uint16_t>(requests.inputs.lowest());
    }
};
HEDDLE_ALLOCATOR(FarInput, "far-input", "test", "test");
HEDDLE_ALLOCATOR(NoOutput, "no-output", "test", "test");

HEDDLE_PLUGIN("wrong", "test")
