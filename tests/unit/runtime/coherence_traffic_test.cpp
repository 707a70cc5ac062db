// Random accesses of coherent data caches through the memory hierarchy of maws-coherent and of small variants, window
// by window as the device runs them: whenever a window ends a block has one writer or readers, all in the last level
// and known to the directory; loads see the newest store; each access ends once; in the end nothing is left.

#include <map>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

#include "mem/cache/coherent.h"
#include "mem/system/memory_system.h"
#include "sm/frame/core_config.h"
#include "sm/frame/memory_port.h"
#include "stats/snapshot.h"

namespace heddle::runtime {
namespace {

using mem::Cache;
using mem::CoherentCache;
using mem::Mesi;
using mem::Message;
using mem::Requester;

struct Shape {
    const char* name;
    unsigned sms;
    unsigned blocks; // that are accessed
    std::vector<std::string> settings;
};

void PrintTo(const Shape& shape, std::ostream* out) { // for GoogleTest
    *out << shape.name;
}

// The newest version of each block: its stores so far.
using Versions = std::vector<std::uint64_t>;

// What an SM does with its data cache: at most an access a cycle, several at work.
class TrafficSm {
public:
    TrafficSm(const config::Machine& machine, unsigned number, Versions& newest)
        : cache(machine.get<sm::DCacheConfig>(), number), port(machine), line_(machine.get<sm::DCacheConfig>().line),
          newest_(newest), copy_(newest.size()), random_(number + 1) {}

    void run(Cycle now, Cycle end, unsigned& left) {
        const bool quiet = draw(6) == 0;
        for (; now < end; ++now) {
            while (port.next() <= now)
                take(port.take(), now);
            if (left > 0 && !quiet && open_ < 24 && draw(3) == 0 && port.has_room() && access(now))
                --left;
        }
    }
    [[nodiscard]] unsigned open() const {
        return open_;
    }

    CoherentCache cache;
    sm::MemoryPort port;
    std::uint64_t done = 0;

private:
    struct Access {
        bool store;
        Address address;
    };

    unsigned draw(unsigned n) {
        return static_cast<unsigned>(random_() % n);
    }
    // False when the cache does not take it.
    bool access(Cycle now) {
        const Address address = Address{draw(static_cast<unsigned>(newest_.size()))} * line_;
        const unsigned kind = draw(20);
        const auto id = static_cast<std::uint32_t>(accesses_.size());
        accesses_.push_back({kind < 8, address});
        if (kind == 19) {
            port.atomic(mem::CacheAccess::to(address, true), line_, 4, 1, id, now);
            ++open_;
            return true;
        }
        const auto [answer, message] = cache.access(mem::CacheAccess::to(address, kind < 8), id);
        switch (answer.result) {
        case Cache::Result::Hit:
            ++open_;
            perform(id);
            break;
        case Cache::Result::Miss:
            if (const Message put = CoherentCache::put(answer.victim); put != Message::None)
                port.tell(answer.victim.address, line_, put, now);
            port.ask(mem::CacheAccess::to(address, true), line_, message, answer.miss, now);
            ++open_;
            break;
        case Cache::Result::Merged:
            ++open_;
            break;
        default:
            accesses_.pop_back();
            return false;
        }
        return true;
    }
    void perform(std::uint32_t id) {
        const Access& access = accesses_[id];
        const std::size_t block = access.address / line_;
        EXPECT_EQ(copy_[block], newest_[block]) << "an old value";
        if (access.store)
            copy_[block] = ++newest_[block];
        --open_;
        ++done;
    }
    void take(const mem::Reply& reply, Cycle now) {
        switch (reply.requester) {
        case Requester::Atomic: // only the home has the time of its execution: its version is not counted
            --open_;
            ++done;
            break;
        case Requester::Probe:
            port.tell(reply.address, line_, cache.probe(reply.address, reply.message), now);
            break;
        case Requester::Data: {
            const Address address = cache.line_of(reply.id);
            if (reply.message != Message::MayWrite)
                copy_[address / line_] = newest_[address / line_];
            if (cache.granted(
                    reply.id, reply.message, [&](std::uint32_t id) { return accesses_[id].store; },
                    [&](std::uint32_t id) { perform(id); }))
                port.ask(mem::CacheAccess::to(address, true), line_, Message::Upgrade, reply.id, now);
            break;
        }
        default:
            EXPECT_EQ(reply.requester, Requester::Credit);
        }
    }

    std::uint64_t line_;
    Versions& newest_;
    Versions copy_;
    std::mt19937 random_;
    std::vector<Access> accesses_;
    unsigned open_ = 0;
};

class CoherenceTraffic : public testing::TestWithParam<Shape> {
protected:
    static constexpr unsigned kAccesses = 8000;
    static constexpr Cycle kLimit = 10'000'000;

    CoherenceTraffic()
        : machine_(config::Machine::load("maws-coherent", GetParam().settings)),
          line_(machine_.get<sm::DCacheConfig>().line),
          interleave_(machine_.get<mem::LlcConfig>(), machine_.get<mem::DramConfig>().channels),
          newest_(GetParam().blocks),
          memory_system_(mem::make_memory_system(machine_, GetParam().sms, 1000, static_cast<unsigned>(line_))) {
        for (unsigned sm = 0; sm < GetParam().sms; ++sm)
            sms_.push_back(std::make_unique<TrafficSm>(machine_, sm, newest_));
    }

    // As gpu::Gpu runs a window.
    void window(Cycle now, Cycle end, unsigned& left) {
        for (auto& sm : sms_)
            sm->run(now, end, left);
        for (unsigned sm = 0; sm < sms_.size(); ++sm)
            send(sm);
        memory_system_->run(end);
        for (unsigned sm = 0; sm < sms_.size(); ++sm) {
            sms_[sm]->port.set_room(memory_system_->room(sm), end);
            for (const mem::Reply& reply : memory_system_->replies(sm))
                sms_[sm]->port.deliver(reply);
            memory_system_->taken(sm);
            send(sm);
        }
    }
    void send(unsigned sm) {
        memory_system_->accept(sm, sms_[sm]->port.departed());
        sms_[sm]->port.departed().clear();
    }
    void check(Address address) const {
        const mem::Slice& home = memory_system_->slice_of(address);
        const auto block = home.block_of(interleave_.in_slice(address));
        unsigned copies = 0, owners = 0;
        for (unsigned sm = 0; sm < sms_.size(); ++sm) {
            const Mesi state = sms_[sm]->cache.state(address);
            if (state == Mesi::Invalid)
                continue;
            ++copies;
            owners += state == Mesi::Shared ? 0 : 1;
            ASSERT_TRUE(block) << "SM " << sm << " has what the last level does not: " << address;
            ASSERT_TRUE(home.directory()->holders(*block).contains(sm)) << "SM " << sm << ", " << address;
        }
        ASSERT_TRUE(owners == 0 || copies == 1) << address << ": " << copies << " copies, " << owners << " owners";
    }

    // Each probe has an answer, and every message is of one kind.
    void check_counters() {
        stats::Tree tree;
        memory_system_->add_statistics(tree);
        const auto counted = tree.snapshot();
        const auto n = [&](const char* name) { return counted.counter(std::string("coherence.") + name); };
        const std::uint64_t probes = n("invalidations") + n("downgrades");
        EXPECT_EQ(n("acknowledgements") + n("forwarded"), probes);
        const std::uint64_t puts = n("clean_evictions") + n("write_backs");
        const std::uint64_t leaves = n("upgrades") - n("lost_upgrades"); // to write, without data
        EXPECT_EQ(n("messages"), 2 * probes + puts + n("upgrades") + leaves);
        EXPECT_GE(n("flits"), n("messages"));
        // A request has one reply and a probe one answer; only Puts have nothing for them on the other network.
        EXPECT_EQ(counted.counter("request_network.packets"), counted.counter("reply_network.packets") + puts);
    }

    config::Machine machine_;
    std::uint64_t line_;
    mem::Interleave interleave_;
    Versions newest_;
    std::unique_ptr<mem::MemorySystem> memory_system_;
    std::vector<std::unique_ptr<TrafficSm>> sms_;
};

TEST_P(CoherenceTraffic, OneWriterInclusionAndAnEndToEachAccess) {
    unsigned left = kAccesses;
    Cycle now = 0;
    const auto outstanding = [&] {
        std::size_t sum = memory_system_->open_requests();
        for (const auto& sm : sms_)
            sum += sm->open();
        return sum;
    };
    while (now < kLimit && (left > 0 || outstanding() != 0)) {
        const Cycle end = now + memory_system_->link();
        window(now, end, left);
        now = end;
        for (unsigned b = 0; b < GetParam().blocks; ++b)
            check(Address{b} * line_);
        if (HasFailure())
            FAIL() << "by cycle " << now;
    }
    EXPECT_EQ(left, 0U) << "no progress";
    EXPECT_EQ(outstanding(), 0U);
    std::uint64_t done = 0;
    for (const auto& sm : sms_) {
        done += sm->done;
        EXPECT_EQ(sm->port.outstanding(), 0U);
        EXPECT_EQ(sm->cache.lines_on_their_way(), 0U);
    }
    EXPECT_EQ(done, kAccesses);
    check_counters();
}

std::vector<Shape> shapes() {
    return {
        {"AsShipped", 4, 64, {}},
        {"OneBlock", 4, 1, {}},
        {"SmallCaches", 4, 96, {"dcache.size=512", "dcache.ways=2", "llc.size=4KiB", "llc.ways=2"}},
        {"NextToNothing", 4, 64, {"dcache.size=64", "dcache.ways=1", "llc.size=1KiB", "llc.ways=1", "llc.slices=2"}},
        {"ManySms", 32, 48, {"dcache.size=512", "llc.size=4KiB", "llc.ways=2"}},
        {"NarrowNetwork",
         6,
         32,
         {"interconnect.flit_bytes=8", "interconnect.input_flits=1", "interconnect.output_flits=1", "llc.queue=1",
          "dcache.size=512"}},
        {"OneEntry",
         6,
         32,
         {"dcache.mshrs=1", "llc.mshrs=1", "dram.queue=1", "dcache.size=512", "llc.size=4KiB", "llc.ways=2"}},
        {"HashedSlices",
         6,
         96,
         {"llc.slices=16", "llc.slice_index=hashed", "llc.size=16KiB", "llc.ways=2", "dcache.size=1KiB"}},
        {"LinesAsLong", 6, 64, {"llc.line=32", "llc.size=2KiB", "llc.ways=4", "dcache.size=512"}},
        {"LongLinks", 6, 32, {"interconnect.link=40", "dcache.size=512", "llc.size=4KiB", "llc.ways=2"}},
        {"TimedMemory", 6, 96, {"dram.model=timed", "dram.queue=2", "dcache.size=512", "llc.size=4KiB", "llc.ways=2"}},
        {"RandomReplacement",
         6,
         96,
         {"dcache.replacement=random", "llc.replacement=random", "dcache.size=512", "llc.size=8KiB", "llc.ways=8"}},
        {"SlowSlices", 6, 48, {"llc.clock_mhz=130", "dcache.size=512", "llc.size=8KiB", "llc.ways=8"}},
    };
}

INSTANTIATE_TEST_SUITE_P(, CoherenceTraffic, testing::ValuesIn(shapes()),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace heddle::runtime
