// Random traffic through memory hierarchies of many shapes: nothing is lost, doubled or early, and the counters add up.

#include <map>
#include <numeric>
#include <ostream>
#include <random>

#include "mem/network/gpc_config.h"
#include "memory_system_rig.h"

namespace heddle::mem {
namespace {

struct Shape {
    std::string name;
    unsigned sms;
    unsigned line; // of an SM's cache, bytes
    std::vector<std::string> settings;
};

void PrintTo(const Shape& shape, std::ostream* out) { // for GoogleTest
    *out << shape.name;
}

// What the counters have to say in the end.
struct Totals {
    std::uint64_t requests = 0, answered = 0, loads = 0;
    std::uint64_t reads = 0, writes = 0, atomics = 0;                // requests
    std::uint64_t read_bytes = 0, write_bytes = 0, atomic_bytes = 0; // that memory transfers for them
};

// An SM that sends at random within its credits, with a bounded number of requests outstanding.
class TrafficSm {
public:
    TrafficSm(unsigned number, unsigned line, const InterconnectConfig& network, Totals& totals)
        : number_(number), line_(line), packets_(network), totals_(totals), random_(number + 1),
          flits_left_(static_cast<std::int64_t>(network.input_flits)) {}

    void run(Cycle now, Cycle end, HierarchyRig& rig, unsigned& left) {
        const bool quiet = draw(8) == 0;
        for (; now < end; ++now)
            while (left > 0 && !quiet && flits_left_ > 0 && sent_.size() < 40 && draw(3) == 0) {
                --left;
                const Request request = next(now);
                flits_left_ -= packets_.flits(request.carried);
                rig.send(number_, request);
            }
    }
    void set_room(std::int64_t flits) {
        flits_left_ = flits;
    }
    void take(const Reply& reply, Cycle link) {
        const auto request = sent_.find(reply.id);
        ASSERT_NE(request, sent_.end()) << "a reply that nobody waits for: SM " << number_ << ", " << reply.id;
        EXPECT_EQ(reply.requester, request->second.requester);
        EXPECT_GE(reply.at, request->second.sent + 2 * link);
        EXPECT_GE(reply.at, last_reply_) << "replies out of order";
        last_reply_ = reply.at;
        sent_.erase(request);
    }
    [[nodiscard]] std::size_t waiting() const {
        return sent_.size();
    }

private:
    unsigned draw(unsigned n) {
        return static_cast<unsigned>(random_() % n);
    }
    // Lines of all SMs, some of them much liked.
    Address line_address() {
        const Address region = draw(4) == 0 ? 1 << 20 : 4096;
        return (random_() % region) / line_ * line_;
    }
    Request next(Cycle now) {
        Request request{.address = line_address(), .sent = now, .id = next_id_++};
        const auto part = static_cast<std::uint16_t>(line_ / 4 * (1 + draw(4)));
        ++totals_.requests;
        switch (draw(4)) {
        case 0:
            request.bytes = request.carried = part;
            request.kind = AccessKind::Store;
            request.requester = draw(2) == 0 ? Requester::Store : Requester::None;
            ++totals_.writes;
            totals_.write_bytes += request.bytes;
            break;
        case 1:
            request.bytes = static_cast<std::uint16_t>(line_);
            request.carried = static_cast<std::uint16_t>(4 * (1 + draw(16)));
            request.kind = AccessKind::Atomic;
            request.requester = Requester::Atomic;
            request.operations = static_cast<std::uint8_t>(1 + draw(32));
            ++totals_.atomics;
            totals_.atomic_bytes += request.bytes;
            break;
        default:
            const Requester requester[] = {Requester::Data, Requester::Constant, Requester::Instruction};
            request.bytes = part;
            request.kind = AccessKind::Load;
            request.requester = requester[draw(3)];
            totals_.loads += request.requester == Requester::Instruction ? 0 : 1;
            ++totals_.reads;
            totals_.read_bytes += request.bytes;
        }
        if (request.requester != Requester::None) {
            ++totals_.answered;
            sent_.emplace(request.id, request);
        }
        return request;
    }

    unsigned number_;
    unsigned line_;
    PacketSize packets_;
    Totals& totals_;
    std::mt19937_64 random_;
    std::int64_t flits_left_;
    std::uint32_t next_id_ = 0;
    std::map<std::uint32_t, Request> sent_;
    Cycle last_reply_ = 0;
};

class Traffic : public testing::TestWithParam<Shape> {
protected:
    static constexpr unsigned kRequests = 6000;
    static constexpr Cycle kLimit = 20'000'000;

    struct Outcome {
        Totals totals;
        std::vector<HierarchyRig::Got> got;
    };

    // Sends everything and waits until nothing is on its way.
    static Outcome run(HierarchyRig& rig, const InterconnectConfig& network) {
        Outcome out;
        std::vector<TrafficSm> sms;
        for (unsigned sm = 0; sm < GetParam().sms; ++sm)
            sms.emplace_back(sm, GetParam().line, network, out.totals);
        unsigned left = kRequests;
        std::size_t taken = 0;
        while (rig.now < kLimit && (left > 0 || rig.memory_system.next() != kNever)) {
            const Cycle end = rig.now + rig.memory_system.link();
            for (TrafficSm& sm : sms)
                sm.run(rig.now, end, rig, left);
            rig.window(end);
            for (; taken < rig.got.size(); ++taken)
                sms[rig.got[taken].sm].take(rig.got[taken].reply, rig.memory_system.link());
            for (unsigned sm = 0; sm < sms.size(); ++sm)
                sms[sm].set_room(rig.memory_system.room(sm));
        }
        EXPECT_EQ(left, 0U) << "no progress";
        for (const TrafficSm& sm : sms)
            EXPECT_EQ(sm.waiting(), 0U) << "requests without a reply";
        out.got = rig.got;
        return out;
    }
    static InterconnectConfig network_of(const Shape& shape) {
        return request_network(config::Machine::defaults(shape.settings));
    }
};

TEST_P(Traffic, EveryRequestHasOneReplyAndTheCountersAddUp) {
    const Shape& shape = GetParam();
    HierarchyRig rig(shape.settings, shape.sms);
    const Totals totals = run(rig, network_of(shape)).totals;

    EXPECT_EQ(rig.memory_system.open_requests(), 0U);
    for (unsigned sm = 0; sm < shape.sms; ++sm)
        EXPECT_EQ(rig.memory_system.room(sm), static_cast<std::int64_t>(network_of(shape).input_flits));
    EXPECT_EQ(totals.requests, kRequests);
    EXPECT_EQ(rig.counter("request_network.packets"), totals.requests);
    EXPECT_EQ(rig.counter("slices.requests"), totals.requests);
    EXPECT_EQ(rig.counter("reply_network.packets"), totals.answered);
    EXPECT_EQ(rig.got.size(), totals.answered);
    EXPECT_EQ(rig.counter("memory_path.loads"), totals.loads);
    EXPECT_EQ(rig.counter("memory_path.request_network") + rig.counter("memory_path.slice") +
                  rig.counter("memory_path.memory") + rig.counter("memory_path.reply_network"),
              rig.counter("memory_path.total"));

    const auto machine = config::Machine::defaults(shape.settings);
    const stats::Snapshot all = rig.tree.snapshot();
    const stats::Histogram& channels = all.histogram("memory_path.channel_bytes");
    EXPECT_EQ(std::accumulate(channels.begin(), channels.end(), std::uint64_t{0}), rig.counter("dram.bytes"));
    if (const auto llc = machine.get<LlcConfig>(); llc.size != 0) {
        EXPECT_EQ(rig.counter("llc.hits") + rig.counter("llc.misses") + rig.counter("llc.merges"), totals.requests);
        EXPECT_EQ(rig.counter("dram.reads"), rig.counter("llc.fills"));
        EXPECT_EQ(rig.counter("dram.writes"), rig.counter("llc.write_backs"));
        EXPECT_EQ(rig.counter("dram.atomics"), 0U);
        EXPECT_EQ(rig.counter("dram.bytes"), (rig.counter("llc.fills") + rig.counter("llc.write_backs")) * llc.line);
    } else {
        // Timed memory moves an atomic's bytes to its atomic unit and back.
        const unsigned ways = machine.get<DramConfig>().model == "timed" ? 2 : 1;
        EXPECT_EQ(rig.counter("dram.reads"), totals.reads);
        EXPECT_EQ(rig.counter("dram.writes"), totals.writes);
        EXPECT_EQ(rig.counter("dram.atomics"), totals.atomics);
        EXPECT_EQ(rig.counter("dram.bytes"), totals.read_bytes + totals.write_bytes + ways * totals.atomic_bytes);
    }
}

bool same(const HierarchyRig::Got& a, const HierarchyRig::Got& b) {
    return a.sm == b.sm && a.reply.at == b.reply.at && a.reply.id == b.reply.id &&
           a.reply.requester == b.reply.requester;
}

TEST_P(Traffic, TwiceIsTheSame) {
    const auto once = [&] {
        HierarchyRig rig(GetParam().settings, GetParam().sms);
        return run(rig, network_of(GetParam())).got;
    };
    const auto first = once();
    const auto second = once();
    EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin(), second.end(), same));
}

// Traffic of SMs that ignore credits: packets wait on the links.
TEST_P(Traffic, WindowsAndTheOrderOfSmsInThemChangeNothing) {
    const auto replies = [&](Cycle window, bool descending) {
        HierarchyRig rig(GetParam().settings, GetParam().sms);
        rig.descending = descending;
        std::mt19937 random(5);
        for (unsigned sm = 0; sm < GetParam().sms; ++sm) {
            Cycle sent = 0;
            for (std::uint32_t id = 0; id < 300; ++id) {
                sent += random() % 3 == 0 ? random() % 200 : random() % 3;
                const Address address = random() % 512 * GetParam().line;
                if (random() % 3 == 0)
                    rig.write(sm, sent, address, id, static_cast<std::uint16_t>(GetParam().line / 2));
                else
                    rig.read(sm, sent, address, id, static_cast<std::uint16_t>(GetParam().line));
            }
        }
        while (rig.got.size() < std::size_t{300} * GetParam().sms && rig.now < kLimit)
            rig.window(rig.now + std::min(window, rig.memory_system.link()));
        std::stable_sort(rig.got.begin(), rig.got.end(), [](const auto& a, const auto& b) { return a.sm < b.sm; });
        return rig.got;
    };
    const auto first = replies(kNever, false); // windows of a link's length
    EXPECT_EQ(first.size(), std::size_t{300} * GetParam().sms);
    for (const auto& other : {replies(1, false), replies(3, true)})
        EXPECT_TRUE(std::equal(first.begin(), first.end(), other.begin(), other.end(), same));
}

std::vector<Shape> shapes() {
    const std::vector<std::string> llc = {"llc.size=32KiB", "llc.ways=4", "llc.latency=8"};
    const std::vector<std::string> timed = {"dram.model=timed", "dram.banks=16"};
    const std::vector<std::string> gtx480 = {
        "llc.size=384KiB",       "llc.ways=16",        "llc.slices=12",        "llc.latency=30",
        "llc.mshrs=32",          "llc.merges=4",       "llc.clock_mhz=700",    "llc.slice_index=hashed",
        "dram.channels=6",       "dram.clock_mhz=924", "dram.starvation=1000", "interconnect.clock_mhz=700",
        "interconnect.speedup=2"};
    const std::vector<std::string> tiny = {"interconnect.input_flits=1", "interconnect.output_flits=1", "llc.queue=1",
                                           "dram.queue=1"};
    const std::vector<std::string> few = {"llc.mshrs=1", "llc.merges=1"};
    const auto join = [](std::initializer_list<std::vector<std::string>> lists) {
        std::vector<std::string> out;
        for (const std::vector<std::string>& list : lists)
            out.insert(out.end(), list.begin(), list.end());
        return out;
    };
    return {
        {"Direct", 1, 128, {}},
        {"DirectMany", 15, 128, {"llc.slices=6", "dram.channels=3", "interconnect.allocator=pim"}},
        {"DirectTimed", 4, 64, join({timed, {"llc.slices=4", "dram.channels=4", "dram.scheduler=fcfs"}})},
        {"DirectTimedStarving", 8, 128,
         join({timed, {"dram.starvation=200", "dram.clock_mhz=3000", "dram.page=closed"}})},
        {"DirectTiny", 3, 128, join({tiny, timed, {"interconnect.allocator=ideal"}})},
        {"Llc", 1, 128, llc},
        {"LlcMany", 15, 128, join({llc, {"llc.slices=4", "dram.channels=2", "interconnect.iterations=2"}})},
        {"LlcTiny", 4, 128, join({llc, tiny, few, {"llc.slices=2"}})},
        {"LlcTinyTimed", 4, 128, join({llc, tiny, few, timed, {"interconnect.allocator=pim"}})},
        {"LlcLarge", 8, 64,
         join({llc,
               timed,
               {"interconnect.input_flits=4096", "interconnect.output_flits=4096", "llc.queue=1024", "dram.queue=0",
                "dram.model=simple", "llc.line=256", "interconnect.allocator=ideal"}})},
        {"LlcOnFill", 6, 128,
         join({llc,
               timed,
               {"llc.allocate=fill", "llc.mshrs=8", "llc.merges=4", "llc.replacement=random", "llc.index=hashed",
                "llc.slices=2", "dram.queue=2"}})},
        {"LlcOneSet", 6, 128, join({timed, {"llc.size=2KiB", "llc.ways=8", "llc.slices=2", "dram.scheduler=fcfs"}})},
        {"Gtx480", 15, 128, join({gtx480, timed})},
        {"Clocks", 5, 128,
         join({llc,
               timed,
               {"llc.slices=2", "interconnect.clock_mhz=2900", "llc.clock_mhz=333", "dram.clock_mhz=77", "llc.queue=2",
                "dram.starvation=50"}})},
        {"SlowNetwork", 5, 128, join({llc, {"interconnect.clock_mhz=130", "llc.clock_mhz=1700", "llc.slices=2"}})},
        {"FarAlarms",
         5,
         128,
         {"llc.size=32KiB", "llc.latency=5000", "dram.row_conflict=9000", "llc.slices=2", "interconnect.link=50"}},
        {"ChannelsOfASlice", 6, 128,
         join({llc,
               timed,
               {"llc.slices=2", "dram.channels=6", "dram.queue=2", "llc.slice_index=hashed", "llc.allocate=fill",
                "llc.mshrs=8", "llc.merges=4"}})},
        {"Gpcs", 8, 128,
         join({llc,
               {"llc.slices=4", "gpc.sms=4 2 2", "gpc.answers=1.7", "gpc.requests=1", "gpc.tpc_requests=1.09",
                "gpc.tpc_answers=1.5"}})},
        {"NarrowRequests", 8, 128,
         join({llc, {"llc.slices=4", "gpc.sms=4 4", "gpc.request_bytes=40", "interconnect.flit_bytes=136"}})},
        {"Partitions", 8, 128,
         join({llc,
               timed,
               {"llc.slices=4", "l2.partitions=2", "l2.partition_sms=2", "l2.far_latency=37", "l2.copies=true",
                "l2.atomic_latency=40", "llc.queue=2"}})},
        {"ShortLinks", 5, 128,
         join({llc, timed, {"interconnect.link=1", "interconnect.header_bytes=0", "llc.slices=2"}})},
    };
}

INSTANTIATE_TEST_SUITE_P(, Traffic, testing::ValuesIn(shapes()), [](const auto& info) { return info.param.name; });

} // namespace
} // namespace heddle::mem
