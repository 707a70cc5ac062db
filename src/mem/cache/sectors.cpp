// Caches whose lines have sectors: a line is there with some of its sectors, each of which is fetched when it is
// needed. Lines take their way when a sector comes.
#include <cassert>

#include "mem/cache/cache.h"

namespace heddle::mem {

// Sectors that are on their way are joined when one entry has all that are missing; else the missing ones are fetched.
Cache::Answer Cache::look_up_sectors(LineId line, CacheAccess access, std::uint32_t waiter) {
    const SectorMask missing = tags_.missing(line, sectors_in(access.address));
    if (missing == 0) {
        tags_.use(line, access);
        ++stats_.hits;
        return {Result::Hit};
    }
    const Address number = access.address >> tags_.line_shift();
    if (const MissId on_its_way = mshrs_.find(number, missing); on_its_way != kNoMiss) {
        const Answer answer = merge(on_its_way, access, waiter);
        if (answer.result == Result::Merged && !access.bypass)
            mshrs_.access(on_its_way).bypass = false;
        return answer;
    }
    if (mshrs_.full()) {
        ++stats_.mshr_full;
        return {Result::MshrFull};
    }
    ++stats_.misses;
    stats_.mshrs_found_in_use += mshrs_.in_use();
    Answer answer{Result::Miss, mshrs_.allocate(number, waiter), {}, missing};
    mshrs_.access(answer.miss) = access;
    mshrs_.access(answer.miss).address = with_sectors(number << tags_.line_shift(), missing);
    bypass_stats_.bypasses += access.bypass ? 1 : 0;
    return answer;
}

Victim Cache::put_in_sectors(MissId miss) {
    const CacheAccess access = mshrs_.access(miss);
    LineId line = tags_.find(access.address);
    Victim victim;
    if (line == kNoLine)
        tags_.fill(line = tags_.reserve(access, miss, victim));
    tags_.put(line, sectors_in(access.address), true, access.writes);
    stats_.write_backs += victim.dirty ? 1 : 0;
    return victim;
}

Cache::Answer Cache::write_sectors(CacheAccess access, bool whole) {
    Answer answer{Result::Hit};
    LineId line = tags_.find(access.address);
    if (line != kNoLine) {
        ++stats_.hits;
        tags_.use(line, access);
    } else {
        ++stats_.misses;
        tags_.fill(line = tags_.reserve(access, kNoMiss, answer.victim));
    }
    tags_.put(line, sectors_in(access.address), whole, access.writes);
    stats_.write_backs += answer.victim.dirty ? 1 : 0;
    return answer;
}

void Cache::resize(std::uint64_t ways) {
    assert(mshrs_.in_use() == 0);
    if (ways == shape_.ways)
        return;
    shape_.bytes = shape_.bytes / shape_.ways * ways;
    shape_.ways = ways;
    tags_.reshape(shape_);
}

} // namespace heddle::mem
