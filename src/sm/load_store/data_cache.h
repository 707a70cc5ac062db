// The L1 data cache: what a load, a store and an atomic operation do to one of its lines, and the requests that they
// send to memory. It follows the write policies of [dcache], or the MESI protocol with llc.coherence
// (docs/coherence.md).
#pragma once

#include <memory>

#include "mem/cache/bypass.h"
#include "mem/cache/coherent.h"
#include "sm/frame/core_config.h"
#include "sm/load_store/cache_port.h"
#include "sm/load_store/pending_access.h"

namespace heddle::sm {

class DataCache {
public:
    // `sm`: its number.
    DataCache(const config::Machine& machine, unsigned sm, CachePort& port);

    // Accesses line `index` of an access. `stores_sent` counts stores that are sent on to memory.
    LookUp access(const PendingAccess& access, unsigned index, warp::FlightId flight, std::uint64_t& stores_sent,
                  Cycle now);
    // Reads line `index` of an access; `line`: the line's number.
    LookUp load(const PendingAccess& access, unsigned index, Address line, warp::FlightId flight, Cycle now) {
        if (config_.ideal)
            return count_hit();
        const Address address = line << cache_.line_shift();
        if (cache_.hits_again(address))
            return LookUp::Hit;
        const Address wanted = wanted_of(access, index, address);
        return look_up_load(access, flight, access.look_up(index, wanted, mem::AccessKind::Load, false), now);
    }

    // Whether a store to the address is sent on to memory. Memory then answers when it is done.
    [[nodiscard]] bool sends_stores(Address address) const {
        return policy_of(address) != Write::Back;
    }
    // Whether any stores may be sent on to memory.
    [[nodiscard]] bool may_send_stores() const {
        return write_ != Write::Back || write_local_ != Write::Back || !config_.write_allocate;
    }

    // A line has come, or the permission to write one. Calls waiter(flight) for each access that waited and is done;
    // is_store(flight) tells stores from loads.
    template <class IsStore, class F>
    void fill(const mem::Reply& reply, Cycle now, IsStore&& is_store, F&& waiter) {
        fill_cycle_ = config_.fill_port ? now : kNever;
        if (coherent_)
            take_grant(reply, now, is_store, waiter);
        else
            port_.write_back(cache_, cache_.fill(reply.id, waiter), now);
        if (cache_.prefetches()) [[unlikely]]
            send_prefetches(now);
    }
    // Whether a fill occupies the write port in cycle `now`.
    [[nodiscard]] bool is_filled(Cycle now) const {
        return fill_cycle_ == now;
    }
    // Answers a probe of the directory in the cycle in which it comes, without use of the cache's ports (assumed).
    [[gnu::noinline]] void answer_probe(const mem::Reply& probe, Cycle now);
    // Gives the cache, which is empty, so many of its bytes.
    void resize(std::uint64_t bytes) {
        cache_.resize(bytes / (config_.size / config_.ways));
    }
    // An acquire: what comes behind it must not find the data that were there before. Dirty lines stay: their bytes are
    // those of the SM itself.
    void drop_clean() {
        cache_.drop_clean();
    }
    // At the end of a kernel, where the machine empties the cache then: dirty lines are written to memory.
    void flush(Cycle now);

    [[nodiscard]] const DCacheConfig& config() const {
        return config_;
    }
    [[nodiscard]] bool is_coherent() const {
        return coherent_;
    }
    [[nodiscard]] unsigned line_shift() const {
        return cache_.line_shift();
    }
    [[nodiscard]] const mem::Cache& cache() const {
        return cache_;
    }
    void add_statistics(stats::Tree& tree);

private:
    enum class Write : std::uint8_t { Back, Through, Evict };
    static Write write_of(const std::string& name);
    static std::unique_ptr<mem::Bypass> make_bypass(const DCacheConfig& config, unsigned sm);

    [[nodiscard]] Write policy_of(Address address) const;
    LookUp count_hit() {
        ++cache_.stats().hits;
        return LookUp::Hit;
    }
    LookUp look_up(warp::FlightId flight, mem::CacheAccess access, Cycle now) {
        if (!coherent_)
            return port_.look_up(cache_, mem::Requester::Data, flight, access, now);
        const mem::LineId line = cache_.find(access.address);
        const LookUp outcome = cache_.does(line, access) ? LookUp::Hit : ask_for_line(line, flight, access, now);
        if (cache_.prefetches()) [[unlikely]]
            prefetch(access, outcome, now);
        return outcome;
    }
    // look_up() of a load, which may bypass the cache.
    LookUp look_up_load(const PendingAccess& load, warp::FlightId flight, mem::CacheAccess access, Cycle now) {
        if (bypass_) [[unlikely]]
            decide_bypass(load, access);
        return look_up(flight, access, now);
    }
    [[gnu::noinline]] void decide_bypass(const PendingAccess& load, mem::CacheAccess& access);
    // What an access wants of line `index`, whose first byte is at `line`: of a cache with sectors also which of them.
    [[nodiscard]] Address wanted_of(const PendingAccess& access, unsigned index, Address line) const {
        return has_sectors_ ? sectors_of(access, index, line) : line;
    }
    [[nodiscard]] std::uint64_t carried(const PendingAccess& access, unsigned index) const;
    [[nodiscard]] Address sectors_of(const PendingAccess& access, unsigned index, Address line) const;
    // A store of bytes into sectors.
    void write_sectors(const PendingAccess& access, unsigned index, const mem::CacheAccess& by, Cycle now);
    void tell_put(const mem::Victim& victim, Cycle now);
    // Prefetches of a coherent cache after an access.
    [[gnu::noinline]] void prefetch(const mem::CacheAccess& access, LookUp outcome, Cycle now);
    [[gnu::noinline]] void send_prefetches(Cycle now);
    LookUp fetch_for_store(warp::FlightId flight, const mem::CacheAccess& by, Cycle now);
    [[gnu::noinline]] LookUp store(const PendingAccess& access, unsigned index, warp::FlightId flight, Write policy,
                                   std::uint64_t& stores_sent, Cycle now);
    [[gnu::noinline]] LookUp request_atomic(const PendingAccess& access, unsigned index, warp::FlightId flight,
                                            Cycle now);
    [[gnu::noinline]] LookUp ask_for_line(mem::LineId line, warp::FlightId flight, mem::CacheAccess access, Cycle now);

    // Stores that joined the miss of a load need a permission to write when other caches have the line too.
    template <class IsStore, class F>
    void take_grant(const mem::Reply& grant, Cycle now, IsStore&& is_store, F&& waiter) {
        const auto address = mem::CacheAccess::to(cache_.line_of(grant.id), true);
        if (cache_.granted(grant.id, grant.message, is_store, waiter))
            port_.memory().ask(address, config_.line, mem::Message::Upgrade, grant.id, now);
    }

    const DCacheConfig config_;
    const bool coherent_; // llc.coherence = "mesi"
    const bool has_sectors_;
    const Write write_;
    const Write write_local_;
    const std::unique_ptr<mem::Bypass> bypass_; // null: no load bypasses the cache
    mem::CoherentCache cache_;                  // used as a plain cache where it is not coherent
    CachePort& port_;
    Cycle fill_cycle_ = kNever; // the cycle in which a fill occupies the write port
};

} // namespace heddle::sm
