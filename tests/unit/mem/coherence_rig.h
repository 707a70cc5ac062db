// Data caches of several SMs and the slice that is their home. The test is core, network and memory: it says what is
// accessed, and which message, of those that are first in their queue, comes next. So any order that the networks may
// deliver in can be made. Values are versions: each store and atomic operation makes a new one of its block, and data
// on the way carry the one that they were read with.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "mem/cache/coherent.h"
#include "slice_rig.h"

namespace heddle::mem {

class CoherenceRig {
public:
    static constexpr unsigned kBlock = SliceRig::kBlock;
    static constexpr unsigned kLlcLine = 128;
    enum class Kind : std::uint8_t { Load, Store, Atomic };
    using AccessId = std::uint32_t;

    // `llc_lines` lines of four blocks each, `llc_ways` a set; caches of `lines` blocks.
    struct Shape {
        unsigned sms = 2;
        unsigned lines = 8, ways = 2, mshrs = 4;
        unsigned llc_lines = 8, llc_ways = 2, llc_mshrs = 4;
        std::string replacement = "lru"; // of all of them
        unsigned queue = 4;
    };
    explicit CoherenceRig(const Shape& shape)
        : home(llc_config(shape)), up_(shape.sms), down_(shape.sms), copy_(shape.sms) {
        CacheConfig config;
        config.size = std::uint64_t{shape.lines} * kBlock;
        config.ways = shape.ways;
        config.line = kBlock;
        config.mshrs = shape.mshrs;
        config.replacement = shape.replacement;
        for (unsigned sm = 0; sm < shape.sms; ++sm)
            caches.emplace_back(config, sm);
    }

    // An SM accesses an address. is_done() of the result: whether the access has been performed. Nothing when the cache
    // could not take it: then nothing happened.
    std::optional<AccessId> access(unsigned sm, Kind kind, Address address) {
        const auto id = static_cast<AccessId>(accesses_.size());
        accesses_.push_back({sm, kind, address, false});
        if (kind == Kind::Atomic) {
            send(sm, {.address = address,
                      .id = id,
                      .bytes = kBlock,
                      .carried = 4,
                      .kind = AccessKind::Atomic,
                      .requester = Requester::Atomic});
            return id;
        }
        const auto [answer, message] = caches[sm].access(CacheAccess::to(address, kind == Kind::Store), id);
        switch (answer.result) {
        case Cache::Result::Hit:
            perform(id);
            return id;
        case Cache::Result::Merged:
            return id;
        case Cache::Result::Miss:
            if (const Message put = CoherentCache::put(answer.victim); put != Message::None)
                tell(sm, answer.victim.address, put);
            ask(sm, address, message, answer.miss);
            return id;
        default:
            accesses_.pop_back();
            return std::nullopt;
        }
    }
    std::optional<AccessId> load(unsigned sm, Address address) {
        return access(sm, Kind::Load, address);
    }
    std::optional<AccessId> store(unsigned sm, Address address) {
        return access(sm, Kind::Store, address);
    }
    [[nodiscard]] bool is_done(std::optional<AccessId> id) const {
        return id && accesses_[*id].done;
    }

    // The first message of an SM comes to the home, or that of the home to the SM. False when there is none.
    bool deliver_up(unsigned sm) {
        if (up_[sm].empty() || !home.slice.has_room())
            return false;
        const Up message = up_[sm].front();
        up_[sm].pop_front();
        if (carries_dirty_data(message.request.message))
            llc_[block(message.request.address)] = message.version;
        const TransactionId id = home.transactions.open(message.request, sm, 0);
        if (message.request.use() == DramUse::Atomic)
            atomics_.insert(id);
        home.slice.arrive(id, now);
        look_at_home();
        return true;
    }
    bool deliver_down(unsigned sm) {
        if (down_[sm].empty())
            return false;
        const Down message = down_[sm].front();
        down_[sm].pop_front();
        if (message.requester == Requester::Probe)
            tell(sm, message.address, caches[sm].probe(message.address, message.message));
        else if (message.requester == Requester::Atomic)
            accesses_[message.id].done = true;
        else
            take_grant(sm, message);
        return true;
    }
    [[nodiscard]] Message first_up(unsigned sm) const {
        return up_[sm].empty() ? Message::None : up_[sm].front().request.message;
    }
    [[nodiscard]] Message first_down(unsigned sm) const {
        return down_[sm].empty() ? Message::None : down_[sm].front().message;
    }
    // The home works for a cycle.
    void tick() {
        ++now;
        if (home.slice.wake() <= now)
            home.slice.tick(now);
        look_at_home();
    }
    // Whether memory takes requests.
    void set_room(bool room) {
        const bool more = room && home.channel.room == 0;
        home.channel.room = room ? 1'000'000 : 0;
        if (more)
            home.slice.retry(now);
    }
    // Memory performs the oldest request.
    bool memory_does() {
        if (fetching_.empty())
            return false;
        const std::size_t n = fetching_.front();
        fetching_.pop_front();
        const Address line = home.channel.pushed[n].request.address;
        for (Address a = line; a < line + kLlcLine; a += kBlock)
            llc_[block(a)] = memory_[block(a)];
        home.done(n, now);
        look_at_home();
        return true;
    }
    // The home does all that it can without further messages.
    void settle_home() {
        for (unsigned i = 0; i < 200; ++i) {
            tick();
            memory_does();
        }
    }
    // Messages come, of one SM after another, until there are none.
    void settle() {
        for (bool any = true; any;) {
            any = false;
            settle_home();
            for (unsigned sm = 0; sm < caches.size(); ++sm)
                while (deliver_up(sm) || deliver_down(sm))
                    any = true;
            settle_home();
            for (unsigned sm = 0; sm < caches.size(); ++sm)
                any |= !up_[sm].empty() || !down_[sm].empty();
        }
    }

    [[nodiscard]] Mesi state(unsigned sm, Address address) const {
        return caches[sm].state(address);
    }
    [[nodiscard]] std::string states(Address address) const { // a letter an SM
        std::string out;
        for (const CoherentCache& cache : caches)
            out += "ISEM"[static_cast<std::size_t>(cache.state(address))];
        return out;
    }
    [[nodiscard]] CoherenceStats& directory() {
        return *home.slice.coherence_stats();
    }
    // One writer or many readers, each copy in the last level and known to the directory.
    void check(Address address) const {
        unsigned copies = 0, owners = 0;
        const std::optional<BlockId> at = home.slice.block_of(address);
        for (unsigned sm = 0; sm < caches.size(); ++sm) {
            const Mesi state = caches[sm].state(address);
            if (state == Mesi::Invalid)
                continue;
            ++copies;
            owners += state == Mesi::Shared ? 0 : 1;
            ASSERT_TRUE(at) << "a copy of what the last level does not have: " << address << ", SM " << sm;
            ASSERT_TRUE(home.slice.directory()->holders(*at).contains(sm)) << address << ", SM " << sm;
        }
        ASSERT_LE(owners, 1U) << address << ": " << states(address);
        ASSERT_TRUE(owners == 0 || copies == 1) << address << ": " << states(address);
    }
    // Nothing is on its way or waits, and each block's value is where it should be.
    void check_end() {
        for (const Access& access : accesses_)
            EXPECT_TRUE(access.done) << "an access without an answer: SM " << access.sm << ", " << access.address;
        for (unsigned sm = 0; sm < caches.size(); ++sm) {
            EXPECT_TRUE(up_[sm].empty() && down_[sm].empty());
            EXPECT_EQ(caches[sm].lines_on_their_way(), 0U);
        }
        EXPECT_EQ(home.transactions.open_count(), 0U);
        EXPECT_EQ(home.slice.directory()->busy_blocks(), 0U);
        for (const auto& [b, version] : newest_) {
            std::uint64_t value = home.slice.block_of(b * kBlock) ? llc_[b] : memory_[b];
            for (unsigned sm = 0; sm < caches.size(); ++sm)
                if (state(sm, b * kBlock) == Mesi::Modified)
                    value = copy_[sm][b];
            EXPECT_EQ(value, version) << "block " << b;
        }
    }

    SliceRig home;
    std::vector<CoherentCache> caches;
    Cycle now = 0;
    std::uint64_t performed = 0;

private:
    struct Access {
        unsigned sm;
        Kind kind;
        Address address;
        bool done;
    };
    struct Up {
        Request request;
        std::uint64_t version;
    };
    struct Down {
        Requester requester;
        Message message;
        std::uint32_t id;
        Address address;
        std::uint64_t version;
    };

    static LlcConfig llc_config(const Shape& shape) {
        LlcConfig config;
        config.size = std::uint64_t{shape.llc_lines} * kLlcLine;
        config.ways = shape.llc_ways;
        config.line = kLlcLine;
        config.latency = 1;
        config.mshrs = shape.llc_mshrs;
        config.queue = shape.queue;
        config.replacement = shape.replacement;
        config.coherence = "mesi";
        return config;
    }
    static Address block(Address address) {
        return address / kBlock;
    }
    void send(unsigned sm, const Request& request, std::uint64_t version = 0) {
        up_[sm].push_back({request, version});
    }
    void ask(unsigned sm, Address address, Message message, MissId miss) {
        send(sm, {.address = address,
                  .id = miss,
                  .bytes = kBlock,
                  .kind = AccessKind::Load,
                  .requester = Requester::Data,
                  .message = message});
    }
    void tell(unsigned sm, Address address, Message message) {
        send(sm,
             {.address = address,
              .bytes = kBlock,
              .carried = static_cast<std::uint16_t>(carries_dirty_data(message) ? kBlock : 0),
              .kind = AccessKind::Store,
              .requester = Requester::None,
              .message = message},
             copy_[sm][block(address)]);
    }
    void perform(AccessId id) {
        Access& access = accesses_[id];
        const Address b = block(access.address);
        ASSERT_FALSE(access.done) << "performed twice";
        access.done = true;
        ++performed;
        ASSERT_EQ(copy_[access.sm][b], newest_[b]) << "an old value: block " << b << ", SM " << access.sm;
        if (access.kind == Kind::Load)
            return;
        ASSERT_EQ(state(access.sm, access.address), Mesi::Modified);
        copy_[access.sm][b] = ++newest_[b];
    }
    void take_grant(unsigned sm, const Down& grant) {
        CoherentCache& cache = caches[sm];
        const Address address = cache.line_of(grant.id);
        ASSERT_EQ(block(address), block(grant.address));
        if (grant.message != Message::MayWrite)
            copy_[sm][block(address)] = grant.version;
        const bool asks_on = cache.granted(
            grant.id, grant.message, [&](std::uint32_t id) { return accesses_[id].kind == Kind::Store; },
            [&](std::uint32_t id) { perform(id); });
        if (asks_on)
            ask(sm, address, Message::Upgrade, grant.id);
    }
    // What has come of the home's work: atomic operations that were done, traffic with memory, messages to SMs.
    void look_at_home() {
        for (auto atomic = atomics_.begin(); atomic != atomics_.end();) {
            const Transaction& t = home.transactions[*atomic];
            if (t.answered == 0) {
                ++atomic;
                continue;
            }
            const Address b = block(t.request.address);
            EXPECT_EQ(llc_[b], newest_[b]) << "an atomic operation on an old value: block " << b;
            llc_[b] = ++newest_[b];
            ++performed;
            atomic = atomics_.erase(atomic);
        }
        for (; seen_ < home.channel.pushed.size(); ++seen_) {
            const DramRequest& request = home.channel.pushed[seen_].request;
            if (request.use == DramUse::Read)
                fetching_.push_back(seen_);
            else
                for (Address a = request.address; a < request.address + kLlcLine; a += kBlock)
                    memory_[block(a)] = llc_[block(a)];
        }
        while (home.slice.has_answer(now)) {
            const TransactionId id = home.slice.answer();
            const Transaction& t = home.transactions[id];
            const bool probe = t.request.requester == Requester::Probe;
            down_[t.sm].push_back({t.request.requester, probe ? t.request.message : t.grant, t.request.id,
                                   t.request.address, llc_[block(t.request.address)]});
            home.slice.take_answer(now);
            home.transactions.close(id);
        }
    }

    std::vector<Access> accesses_;
    std::vector<std::deque<Up>> up_;
    std::vector<std::deque<Down>> down_;
    std::vector<std::map<Address, std::uint64_t>> copy_; // [SM][block]: version of the SM's copy
    std::map<Address, std::uint64_t> llc_, memory_, newest_;
    std::set<TransactionId> atomics_; // not yet done
    std::deque<std::size_t> fetching_;
    std::size_t seen_ = 0;
};

} // namespace heddle::mem
