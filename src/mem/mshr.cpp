#include "mem/mshr.h"

namespace heddle::mem {

std::uint32_t MshrFile::wait(std::uint32_t who) {
    if (free_waiter_ == kNone) {
        waiters_.push_back({who, kNone});
        return static_cast<std::uint32_t>(waiters_.size() - 1);
    }
    const std::uint32_t node = free_waiter_;
    free_waiter_ = waiters_[node].next;
    waiters_[node] = {who, kNone};
    return node;
}

MissId MshrFile::allocate(Address line, std::uint32_t waiter) {
    assert(!full());
    if (free_entries_.empty()) {
        free_entries_.push_back(static_cast<MissId>(entries_.size()));
        entries_.emplace_back();
    }
    const MissId miss = free_entries_.back();
    free_entries_.pop_back();
    ++in_use_;
    const std::uint32_t node = wait(waiter);
    entries_[miss] = {line, kNoLine, node, node, 1, false};
    return miss;
}

bool MshrFile::merge(MissId miss, std::uint32_t waiter) {
    Entry& entry = entries_[miss];
    if (merges_limit_ != 0 && entry.waiting == merges_limit_)
        return false;
    const std::uint32_t node = wait(waiter);
    waiters_[entry.tail].next = node;
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
