// Miss status holding registers: the lines that are on their way to a cache, and the accesses that wait for each line.
#pragma once

#include <bit>
#include <cassert>
#include <vector>

#include "mem/cache/tags.h"

namespace heddle::mem {

class MshrFile {
public:
    // `entries`: lines on their way at once; `merges`: accesses that may wait for one line, the first included.
    // 0: as many as come.
    // `indexed`: find() is quick, of a limited number of entries.
    MshrFile(std::uint64_t entries, std::uint64_t merges, bool indexed = false)
        : entries_limit_(entries), merges_limit_(merges),
          buckets_(indexed && entries != 0 ? std::bit_ceil(2 * entries) : 0, kNoMiss) {}

    [[nodiscard]] bool full() const {
        return entries_limit_ != 0 && in_use_ == entries_limit_;
    }
    [[nodiscard]] unsigned in_use() const {
        return in_use_;
    }
    // Takes an entry for a line with one waiting access; not full(). The owner sets way_of() and access().
    MissId allocate(Address line, std::uint32_t waiter) {
        const MissId miss = take();
        const std::uint32_t node = wait(waiter);
        entries_[miss] = {};
        entries_[miss].line = line;
        entries_[miss].head = entries_[miss].tail = node;
        entries_[miss].waiting = 1;
        enter(miss);
        return miss;
    }
    // Takes an entry for a line without a waiting access; not full(). The owner sets way_of() and access().
    MissId allocate(Address line) {
        const MissId miss = take();
        entries_[miss] = {};
        entries_[miss].line = line;
        enter(miss);
        return miss;
    }
    // Whether an entry can be taken and another one is free then.
    [[nodiscard]] bool has_spare() const {
        return entries_limit_ == 0 || in_use_ + 1 < entries_limit_;
    }
    // False when the entry holds as many accesses as it can.
    bool merge(MissId miss, std::uint32_t waiter);
    // The entry of a line, for caches whose tags do not know it; kNoMiss when there is none.
    [[nodiscard]] MissId find(Address line) const {
        return find(line, 0);
    }
    // As find(), an entry whose access is for all of these sectors.
    [[nodiscard]] MissId find(Address line, SectorMask sectors) const;
    [[nodiscard]] Address line_of(MissId miss) const {
        return entries_[miss].line;
    }
    [[nodiscard]] bool is_waited_for(MissId miss) const {
        return entries_[miss].head != kNone;
    }
    [[nodiscard]] LineId& way_of(MissId miss) {
        return entries_[miss].way;
    }
    // The access that missed. It writes when an access that merged writes; it is a prefetch, or bypasses, as long as
    // all accesses that merged are or do.
    [[nodiscard]] CacheAccess& access(MissId miss) {
        return entries_[miss].access;
    }
    // Gives the entry back and calls f(waiter) for each access that waited, in order of arrival. f may allocate.
    template <class F>
    void release(MissId miss, F&& f) {
        std::uint32_t node = entries_[miss].head;
        leave(miss);
        entries_[miss].line = kFree;
        free_entries_.push_back(miss);
        --in_use_;
        while (node != kNone) {
            const Waiter waiter = waiters_[node];
            waiters_[node].next = free_waiter_;
            free_waiter_ = node;
            f(waiter.id);
            node = waiter.next;
        }
    }

    // Calls f(waiter), which does not allocate, for each access of which leaves(waiter) is true, in order of arrival;
    // the others, at least one, go on waiting.
    template <class Leaves, class F>
    void release_some(MissId miss, Leaves&& leaves, F&& f) {
        Entry& entry = entries_[miss];
        std::uint32_t node = entry.head;
        entry.head = kNone;
        while (node != kNone) {
            const std::uint32_t next = waiters_[node].next;
            if (leaves(waiters_[node].id)) {
                f(waiters_[node].id);
                --entry.waiting;
                waiters_[node].next = free_waiter_;
                free_waiter_ = node;
            } else {
                (entry.head == kNone ? entry.head : waiters_[entry.tail].next) = node;
                entry.tail = node;
                waiters_[node].next = kNone;
            }
            node = next;
        }
        assert(entry.head != kNone);
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr Address kFree = ~Address{0};

    struct Entry {
        Address line = kFree;
        LineId way = kNoLine;
        std::uint32_t head = kNone;
        std::uint32_t tail = kNone;
        std::uint32_t waiting = 0;
        CacheAccess access = {};
        MissId next = kNoMiss; // in its bucket
    };
    struct Waiter {
        std::uint32_t id;
        std::uint32_t next;
    };

    [[nodiscard]] std::size_t bucket_of(Address line) const {
        return (line * 0x9e3779b97f4a7c15U >> 32) & (buckets_.size() - 1);
    }
    void enter(MissId miss) {
        if (buckets_.empty())
            return;
        MissId& first = buckets_[bucket_of(entries_[miss].line)];
        entries_[miss].next = first;
        first = miss;
    }
    void leave(MissId miss) {
        if (buckets_.empty())
            return;
        MissId* link = &buckets_[bucket_of(entries_[miss].line)];
        while (*link != miss)
            link = &entries_[*link].next;
        *link = entries_[miss].next;
    }
    MissId take() {
        assert(!full());
        if (free_entries_.empty()) {
            free_entries_.push_back(static_cast<MissId>(entries_.size()));
            entries_.emplace_back();
        }
        const MissId miss = free_entries_.back();
        free_entries_.pop_back();
        ++in_use_;
        return miss;
    }
    std::uint32_t wait(std::uint32_t id) {
        if (free_waiter_ == kNone) {
            waiters_.push_back({id, kNone});
            return static_cast<std::uint32_t>(waiters_.size() - 1);
        }
        const std::uint32_t node = free_waiter_;
        free_waiter_ = waiters_[node].next;
        waiters_[node] = {id, kNone};
        return node;
    }

    std::uint64_t entries_limit_;
    std::uint64_t merges_limit_;
    unsigned in_use_ = 0;
    std::vector<MissId> buckets_; // the newest entry of each; empty: the entries are not indexed
    std::vector<Entry> entries_;
    std::vector<MissId> free_entries_;
    std::vector<Waiter> waiters_;
    std::uint32_t free_waiter_ = kNone;
};

} // namespace heddle::mem
