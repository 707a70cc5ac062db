// A cache of constants or of texels: loads only.
#pragma once

#include "sm/load_store/cache_port.h"
#include "sm/load_store/pending_access.h"

namespace heddle::sm {

class ReadOnlyCache {
public:
    // `sm`: the SM's number. `requester`: the name of the cache in memory's answers.
    ReadOnlyCache(const mem::CacheConfig& config, unsigned sm, mem::Requester requester, CachePort& port)
        : cache_(config, sm), port_(port), requester_(requester), latency_(static_cast<std::uint16_t>(config.latency)) {
    }

    // Reads line `index` of an access; `line`: the line's number, address >> line_shift().
    LookUp load(const PendingAccess& access, unsigned index, Address line, warp::FlightId flight, Cycle now) {
        const Address address = line << cache_.line_shift();
        if (cache_.hits_again(address))
            return LookUp::Hit;
        return port_.look_up(cache_, requester_, flight, access.look_up(index, address, mem::AccessKind::Load, false),
                             now);
    }
    // As mem::Cache::fill().
    template <class F>
    void fill(mem::MissId miss, F&& waiter, Cycle now) {
        cache_.fill(miss, waiter);
        if (cache_.prefetches()) [[unlikely]]
            port_.send_prefetches(cache_, requester_, now);
    }
    void flush() {
        cache_.flush([](Address) {});
    }

    [[nodiscard]] unsigned line_shift() const {
        return cache_.line_shift();
    }
    [[nodiscard]] std::uint16_t latency() const {
        return latency_;
    }
    [[nodiscard]] const mem::Cache& cache() const {
        return cache_;
    }
    // `cache`, `prefetch`: the names of its sections of statistics.
    void add_statistics(stats::Tree& tree, const char* cache, const char* prefetch) {
        tree.add_one_of(cache, cache_.stats());
        if (mem::PrefetchStats* const stats = cache_.prefetch_stats())
            tree.add_one_of(prefetch, *stats);
    }

private:
    mem::Cache cache_;
    CachePort& port_;
    mem::Requester requester_;
    std::uint16_t latency_;
};

} // namespace heddle::sm
