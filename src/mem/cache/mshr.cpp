#include "mem/cache/mshr.h"

namespace heddle::mem {

bool MshrFile::merge(MissId miss, std::uint32_t waiter) {
    Entry& entry = entries_[miss];
    if (merges_limit_ != 0 && entry.waiting == merges_limit_)
        return false;
    const std::uint32_t node = wait(waiter);
    (entry.head == kNone ? entry.head : waiters_[entry.tail].next) = node;
    entry.tail = node;
    ++entry.waiting;
    return true;
}

MissId MshrFile::find(Address line, SectorMask sectors) const {
    const auto is_it = [&](const Entry& entry) {
        return entry.line == line && (sectors & ~sectors_in(entry.access.address)) == 0;
    };
    if (!buckets_.empty()) {
        MissId miss = buckets_[bucket_of(line)];
        while (miss != kNoMiss && !is_it(entries_[miss]))
            miss = entries_[miss].next;
        return miss;
    }
    for (MissId miss = 0; miss < entries_.size(); ++miss)
        if (is_it(entries_[miss]))
            return miss;
    return kNoMiss;
}

} // namespace heddle::mem
