// The prefetching of one cache: its prefetcher, the lines that the prefetcher has requested, and their statistics.
#pragma once

#include <memory>

#include "mem/cache/cache_config.h"
#include "mem/cache/prefetcher.h"

namespace heddle::mem {

class Prefetching {
public:
    // Null where the settings' prefetcher requests no lines.
    static std::unique_ptr<Prefetching> make(const CacheConfig& config);

    explicit Prefetching(std::unique_ptr<Prefetcher> prefetcher) : prefetcher_(std::move(prefetcher)) {}

    // The first access of an instruction to a prefetched line, which is there, or on its way (`late`).
    void used(bool late) {
        ++(late ? stats_.late : stats_.useful);
        first_use_ = true;
    }
    // A prefetched line leaves that no instruction has accessed.
    void left_unused() {
        ++stats_.useless;
    }
    // A demand access has looked its line up, after the call of used() for it.
    void access(const CacheAccess& access, bool hit);
    void fill(const CacheAccess& access) {
        prefetcher_->fill(access, queue_);
    }
    // The lines that the prefetcher has requested since the last clear().
    [[nodiscard]] PrefetchQueue& queue() {
        return queue_;
    }
    [[nodiscard]] PrefetchStats& stats() {
        return stats_;
    }

private:
    std::unique_ptr<Prefetcher> prefetcher_;
    PrefetchQueue queue_;
    PrefetchStats stats_;
    bool first_use_ = false; // of the access that is going on
};

} // namespace heddle::mem
