// A cache between a test, which plays memory, and accesses, with its prefetches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mem/cache/cache.h"

namespace heddle::mem {

// Two sets of two ways, lines of 64 bytes: 0, 128, 256, ... share set 0.
inline CacheConfig small(std::string prefetch) {
    CacheConfig config;
    config.size = 256;
    config.ways = 2;
    config.line = 64;
    config.prefetch = std::move(prefetch);
    return config;
}

template <class C = Cache>
class PrefetchRig {
public:
    explicit PrefetchRig(const CacheConfig& config) : cache(config) {}

    // A load and what follows it; the lines that are sent for, the load's own first.
    std::vector<Address> load(Address address, CacheAccess by = {}) {
        by.address = address;
        const Cache::Answer answer = cache.look_up(by, 7);
        std::vector<Address> sent;
        last = answer.result;
        if (answer.result == Cache::Result::Miss) {
            open[address & ~Address{63}] = answer.miss;
            sent.push_back(address & ~Address{63});
        }
        if (answer.result <= Cache::Result::Miss && cache.prefetches()) {
            cache.tell_prefetcher(by, answer.result == Cache::Result::Hit);
            send(sent);
        }
        return sent;
    }
    void send(std::vector<Address>& sent) {
        cache.send_prefetches([&] { return may_send; },
                              [&](const CacheAccess& access, const Cache::Answer& answer) {
                                  EXPECT_EQ(access.kind, AccessKind::Prefetch);
                                  open[access.address & ~Address{63}] = answer.miss;
                                  sent.push_back(access.address & ~Address{63});
                              });
    }
    // The line comes; how many accesses waited.
    unsigned come(Address line) {
        unsigned waited = 0;
        cache.fill(open.at(line), [&](std::uint32_t) { ++waited; });
        open.erase(line);
        return waited;
    }
    const PrefetchStats& stats() {
        return *cache.prefetch_stats();
    }

    C cache;
    bool may_send = true;
    Cache::Result last = Cache::Result::Hit;
    std::map<Address, MissId> open;
};

} // namespace heddle::mem
