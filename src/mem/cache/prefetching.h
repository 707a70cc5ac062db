// The prefetching of one cache: its prefetcher, what that has asked for, and what became of it.
#pragma once

#include <memory>

#include "mem/cache/cache_config.h"
#include "mem/cache/prefetcher.h"

namespace heddle::mem {

class Prefetching {
public:
    // Null where the settings' prefetcher asks for nothing.
    static std::unique_ptr<Prefetching> make(const CacheConfig& config);

    explicit Prefetching(std::unique_ptr<Prefetcher> prefetcher) : prefetcher_(std::move(prefetcher)) {}

    // An instruction is the first to ask for a prefetched line, which is there or on its way.
    void used(bool late) {
        ++(late ? stats_.late : stats_.useful);
        first_use_ = true;
    }
    // A line leaves that nobody has asked for.
    void left_unused() {
        ++stats_.useless;
    }
    // A demand access has looked its line up; used() has been told of it.
    void access(const CacheAccess& access, bool hit);
    void fill(const CacheAccess& access) {
        prefetcher_->fill(access, queue_);
    }
    // What has been asked for since the last clear().
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
