#include "mem/cache/prefetching.h"

#include <bit>
#include <utility>

namespace heddle::mem {

std::unique_ptr<Prefetching> Prefetching::make(const CacheConfig& config) {
    auto prefetcher = prefetchers().make(config.prefetch, {static_cast<unsigned>(std::countr_zero(config.line)),
                                                           static_cast<unsigned>(config.prefetch_degree),
                                                           static_cast<unsigned>(config.prefetch_distance)});
    return prefetcher->asks() ? std::make_unique<Prefetching>(std::move(prefetcher)) : nullptr;
}

void Prefetching::access(const CacheAccess& access, bool hit) {
    prefetcher_->access(access, {hit, std::exchange(first_use_, false)}, queue_);
}

} // namespace heddle::mem
