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

MissId MshrFile::find(Address line) const {
    for (MissId miss = 0; miss < entries_.size(); ++miss)
        if (entries_[miss].line == line)
            return miss;
    return kNoMiss;
}

} // namespace heddle::mem
