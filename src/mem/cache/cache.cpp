#include "mem/cache/cache.h"

namespace heddle::mem {

namespace {

TagShape shape_of(const CacheConfig& config, std::uint64_t number) {
    return {config.size,
            config.ways,
            config.line,
            config.replacement,
            set_hash(config.index),
            number + 1,
            config.sector == 0 ? 0 : config.line / config.sector};
}

} // namespace

Cache::Cache(const CacheConfig& config, std::uint64_t number)
    : prefetching_(Prefetching::make(config)), tags_(shape_of(config, number), prefetching_.get()),
      mshrs_(config.mshrs, config.merges, config.allocate == "fill"), allocates_on_fill_(config.allocate == "fill"),
      searches_mshrs_(allocates_on_fill_), shape_(shape_of(config, number)) {}

// `line`: find(address).
Cache::Answer Cache::look_up(LineId line, CacheAccess access, std::uint32_t waiter) {
    if (tags_.has_sectors()) [[unlikely]]
        return look_up_sectors(line, access, waiter);
    const Tags::Found found = tags_.access(line, access);
    switch (found.result) {
    case Tags::Result::Hit:
        ++stats_.hits;
        return {Result::Hit};
    case Tags::Result::Pending:
        return merge(tags_.miss_of(found.line), access, waiter);
    case Tags::Result::Full:
        if (bypasses_)
            return miss_or_bypass(access, waiter, false);
        ++stats_.set_reserved;
        return {Result::SetReserved};
    case Tags::Result::Miss:
        break;
    }
    return bypasses_ ? miss_or_bypass(access, waiter, true) : miss(access, waiter);
}

Cache::Answer Cache::merge(MissId miss, CacheAccess access, std::uint32_t waiter) {
    if (is_prefetch(miss)) [[unlikely]]
        join_prefetch(miss, access);
    if (!mshrs_.merge(miss, waiter)) {
        ++stats_.mshr_merge_full;
        return {Result::MshrMergeFull};
    }
    ++stats_.merges;
    mshrs_.access(miss).writes |= access.writes;
    return {Result::Merged, miss};
}

void Cache::join_prefetch(MissId miss, CacheAccess access) {
    prefetching_->used(true);
    mshrs_.access(miss) = access;
}

Cache::Answer Cache::miss(CacheAccess access, std::uint32_t waiter) {
    const Address line = access.address >> tags_.line_shift();
    if (allocates_on_fill_)
        if (const MissId on_its_way = mshrs_.find(line); on_its_way != kNoMiss)
            return merge(on_its_way, access, waiter);
    if (mshrs_.full()) {
        ++stats_.mshr_full;
        return {Result::MshrFull};
    }
    ++stats_.misses;
    stats_.mshrs_found_in_use += mshrs_.in_use();
    Answer answer{Result::Miss, mshrs_.allocate(line, waiter)};
    mshrs_.access(answer.miss) = access;
    bypass_stats_.bypasses += access.bypass ? 1 : 0;
    if (!allocates_on_fill_ && !access.bypass)
        mshrs_.way_of(answer.miss) = tags_.reserve(access, answer.miss, answer.victim);
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
}

// As miss() where accesses may bypass: a line on its way may have no way, and an access may need none.
Cache::Answer Cache::miss_or_bypass(CacheAccess access, std::uint32_t waiter, bool way_free) {
    const MissId on_its_way = mshrs_.find(access.address >> tags_.line_shift());
    if (on_its_way != kNoMiss && mshrs_.access(on_its_way).bypass) {
        const Answer answer = access.bypass ? merge(on_its_way, access, waiter)
                                            : keep(on_its_way, access, waiter, way_free || allocates_on_fill_);
        bypass_stats_.merges += answer.result == Result::Merged ? 1 : 0;
        return answer;
    }
    if (on_its_way == kNoMiss && !way_free && !access.bypass) {
        ++stats_.set_reserved;
        return {Result::SetReserved};
    }
    return miss(access, waiter);
}

// An access that does not bypass joins a line that was to: it gets a way.
Cache::Answer Cache::keep(MissId bypass, CacheAccess access, std::uint32_t waiter, bool way_free) {
    if (!way_free) {
        ++stats_.set_reserved;
        return {Result::SetReserved};
    }
    Answer answer = merge(bypass, access, waiter);
    if (answer.result != Result::Merged)
        return answer;
    ++bypass_stats_.kept;
    mshrs_.access(bypass) = access;
    if (!allocates_on_fill_)
        mshrs_.way_of(bypass) = tags_.reserve(access, bypass, answer.victim);
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
}

Cache::Answer Cache::prefetch(CacheAccess access, bool may_send) {
    PrefetchStats& stats = prefetching_->stats();
    const Address line = access.address >> tags_.line_shift();
    std::uint64_t* dropped = nullptr;
    if (tags_.find(access.address) != kNoLine || (searches_mshrs_ && mshrs_.find(line) != kNoMiss))
        dropped = &stats.dropped_there;
    else if (!may_send)
        dropped = &stats.dropped_port;
    else if (!mshrs_.has_spare())
        dropped = &stats.dropped_mshr;
    else if (!allocates_on_fill_ && !tags_.has_way_for(access.address))
        dropped = &stats.dropped_way;
    if (dropped != nullptr) {
        ++*dropped;
        return {Result::Hit};
    }
    ++stats.issued;
    Answer answer{Result::Miss, mshrs_.allocate(line)};
    mshrs_.access(answer.miss) = access;
    if (!allocates_on_fill_)
        mshrs_.way_of(answer.miss) = tags_.reserve(access, answer.miss, answer.victim);
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
}

Victim Cache::put_copy(CacheAccess access) {
    LineId line = tags_.find(access.address);
    Victim victim;
    if (line == kNoLine) {
        if (!tags_.has_way_for(access.address))
            return {};
        tags_.fill(line = tags_.reserve(access, kNoMiss, victim));
        stats_.write_backs += victim.dirty ? 1 : 0;
    }
    if (tags_.has_sectors())
        tags_.put(line, sectors_in(access.address), true, false);
    return victim;
}

void Cache::tell_fill(MissId miss) {
    if (is_prefetch(miss))
        tags_.mark_prefetched(mshrs_.way_of(miss));
    prefetching_->fill(mshrs_.access(miss));
}

Victim Cache::put_in(MissId miss) {
    if (mshrs_.access(miss).bypass) [[unlikely]]
        return {};
    ++stats_.fills;
    if (tags_.has_sectors()) [[unlikely]]
        return put_in_sectors(miss);
    Victim victim;
    if (allocates_on_fill_)
        mshrs_.way_of(miss) = tags_.reserve(mshrs_.access(miss), miss, victim);
    tags_.fill(mshrs_.way_of(miss));
    if (prefetching_) [[unlikely]]
        tell_fill(miss);
    stats_.write_backs += victim.dirty ? 1 : 0;
    return victim;
}

Cache::Answer Cache::write_line(CacheAccess access) {
    const Tags::Found found = tags_.access(access);
    switch (found.result) {
    case Tags::Result::Hit:
        ++stats_.hits;
        return {Result::Hit};
    case Tags::Result::Pending:
        return overwrite(tags_.miss_of(found.line), access);
    case Tags::Result::Full:
        ++stats_.set_reserved;
        return {Result::SetReserved};
    case Tags::Result::Miss:
        break;
    }
    if (allocates_on_fill_)
        if (const MissId on_its_way = mshrs_.find(access.address >> tags_.line_shift()); on_its_way != kNoMiss)
            return overwrite(on_its_way, access);
    ++stats_.misses;
    Answer answer{Result::Hit};
    tags_.fill(tags_.reserve(access, kNoMiss, answer.victim));
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
}

// A line on its way is overwritten when it comes.
Cache::Answer Cache::overwrite(MissId miss, CacheAccess access) {
    if (is_prefetch(miss)) [[unlikely]]
        join_prefetch(miss, access);
    ++stats_.merges;
    mshrs_.access(miss).writes = true;
    return {Result::Merged, miss};
}

std::span<const stats::Statistic<CacheStats>> CacheStats::statistics() {
    using S = CacheStats;
    static const stats::Statistic<S> table[] = {
        {"hits", &S::hits, "accesses", "line look-ups that hit"},
        {"misses", &S::misses, "accesses", "line look-ups that sent for the line, or wrote all of it"},
        {"merges", &S::merges, "accesses", "line look-ups that joined a line on its way"},
        {"mshrs_found_in_use", &S::mshrs_found_in_use, "lines",
         "lines that misses found on their way, MSHR entries in use, summed over the misses"},
        {"set_reserved", &S::set_reserved, "failures", "look-ups put off because every way of the set was reserved"},
        {"mshr_full", &S::mshr_full, "failures", "look-ups put off because every MSHR entry was taken"},
        {"mshr_merge_full", &S::mshr_merge_full, "failures", "look-ups put off because the line's MSHR entry was full"},
        {"port_full", &S::port_full, "failures", "look-ups put off because the way to memory was full"},
        {"fills", &S::fills, "lines", "lines that came"},
        {"write_backs", &S::write_backs, "lines", "dirty lines written to the next level"},
    };
    return table;
}

std::span<const stats::Formula> CacheStats::formulas() {
    static const stats::Formula table[] = {
        {"hit_rate", "hits", "hits+misses+merges", "share of line look-ups that hit"},
        {"mshr_occupancy", "mshrs_found_in_use", "misses", "lines that a miss found on their way"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::CacheStats, "icache", "instruction caches")
HEDDLE_STATISTICS(heddle::mem::CacheStats, "ccache", "constant caches")
HEDDLE_STATISTICS(heddle::mem::CacheStats, "tcache", "texture caches")
HEDDLE_STATISTICS(heddle::mem::CacheStats, "dcache", "data caches")
HEDDLE_STATISTICS(heddle::mem::CacheStats, "llc", "last-level cache, all slices")
