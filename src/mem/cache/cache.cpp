#include "mem/cache/cache.h"

#include <bit>

#include <fmt/format.h>

namespace heddle::mem {

std::vector<std::string> CacheConfig::shape_problems(std::string_view section) const {
    std::vector<std::string> out;
    if (size % (line * ways) != 0 || !std::has_single_bit(size / (line * ways)))
        out.push_back(
            fmt::format("{0}.size = {1} is not a power of two of sets: {0}.ways = {2} lines of {0}.line = {3} "
                        "bytes a set make {4} bytes",
                        section, size, ways, line, ways * line));
    if (allocate == "fill" && mshrs == 0)
        out.push_back(fmt::format("{0}.allocate = 'fill' needs a number of {0}.mshrs: they are searched", section));
    if (out.empty()) {
        const ReplacementShape shape{static_cast<unsigned>(size / (line * ways)), static_cast<unsigned>(ways)};
        if (const std::string why = replacements().make(replacement, shape)->objection(); !why.empty())
            out.push_back(fmt::format("{0}.replacement = '{1}' cannot serve {0}.ways = {2}: {3}", section, replacement,
                                      ways, why));
    }
    return out;
}

Cache::Cache(const CacheConfig& config, std::uint64_t number)
    : tags_({config.size, config.ways, config.line, config.replacement, config.index == "hashed", number + 1}),
      mshrs_(config.mshrs, config.merges), allocates_on_fill_(config.allocate == "fill") {}

// `line`: find(address).
Cache::Answer Cache::look_up(LineId line, CacheAccess access, std::uint32_t waiter) {
    const Tags::Found found = tags_.access(line, access);
    switch (found.result) {
    case Tags::Result::Hit:
        ++stats_.hits;
        return {Result::Hit};
    case Tags::Result::Pending:
        return merge(tags_.miss_of(found.line), access.writes, waiter);
    case Tags::Result::Full:
        ++stats_.set_reserved;
        return {Result::SetReserved};
    case Tags::Result::Miss:
        break;
    }
    return miss(access, waiter);
}

Cache::Answer Cache::merge(MissId miss, bool write, std::uint32_t waiter) {
    if (!mshrs_.merge(miss, waiter)) {
        ++stats_.mshr_merge_full;
        return {Result::MshrMergeFull};
    }
    ++stats_.merges;
    mshrs_.access(miss).writes |= write;
    return {Result::Merged, miss};
}

Cache::Answer Cache::miss(CacheAccess access, std::uint32_t waiter) {
    const Address line = access.address >> tags_.line_shift();
    if (allocates_on_fill_)
        if (const MissId on_its_way = mshrs_.find(line); on_its_way != kNoMiss)
            return merge(on_its_way, access.writes, waiter);
    if (mshrs_.full()) {
        ++stats_.mshr_full;
        return {Result::MshrFull};
    }
    ++stats_.misses;
    stats_.mshrs_found_in_use += mshrs_.in_use();
    Answer answer{Result::Miss, mshrs_.allocate(line, waiter)};
    mshrs_.access(answer.miss) = access;
    if (!allocates_on_fill_)
        mshrs_.way_of(answer.miss) = tags_.reserve(access, answer.miss, answer.victim);
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
}

Victim Cache::put_in(MissId miss) {
    ++stats_.fills;
    Victim victim;
    if (allocates_on_fill_)
        mshrs_.way_of(miss) = tags_.reserve(mshrs_.access(miss), miss, victim);
    tags_.fill(mshrs_.way_of(miss));
    stats_.write_backs += victim.dirty ? 1 : 0;
    return victim;
}

Cache::Answer Cache::write_line(CacheAccess access) {
    const Tags::Found found = tags_.access(access);
    switch (found.result) {
    case Tags::Result::Hit:
        ++stats_.hits;
        return {Result::Hit};
    case Tags::Result::Pending: // what is on its way is overwritten when it comes
        ++stats_.merges;
        return {Result::Merged, tags_.miss_of(found.line)};
    case Tags::Result::Full:
        ++stats_.set_reserved;
        return {Result::SetReserved};
    case Tags::Result::Miss:
        break;
    }
    if (allocates_on_fill_)
        if (const MissId on_its_way = mshrs_.find(access.address >> tags_.line_shift()); on_its_way != kNoMiss) {
            ++stats_.merges;
            mshrs_.access(on_its_way).writes = true;
            return {Result::Merged, on_its_way};
        }
    ++stats_.misses;
    Answer answer{Result::Hit};
    tags_.fill(tags_.reserve(access, kNoMiss, answer.victim));
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
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
