// One slice of memory: its part of the last-level cache, if there is one, and its way to its DRAM channel.
//
//   arrive     a request enters a queue; `latency` ticks later it is looked up, one a tick, in order
//   look-up    a hit answers; a miss takes an MSHR entry and asks the channel. What finds no entry, no way or no
//              room in the channel stands at the head of the queue until one of them is free
//   write      into its line, which is fetched unless all of it is written; answered at the look-up
//   atomic     in its line, a tick an operation on the busiest word; answered after the last
//
// Without a cache all go to the channel and are answered when it has done them. With llc.coherence = "mesi" the slice
// is the home of its lines: once a line is there, its directory has the last word about requests of data caches and
// atomic operations, and a line leaves after its copies (slice_home.cpp, docs/coherence.md).
#pragma once

#include <algorithm>
#include <optional>

#include "base/clock_ratio.h"
#include "base/ring_queue.h"
#include "mem/dram/channel.h"
#include "mem/system/directory.h"
#include "mem/system/interleave.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

struct SliceStats {
    std::uint64_t requests = 0;
    std::uint64_t queueing = 0;
    std::uint64_t stalls = 0;
    std::uint64_t atomic_operations = 0;
    static std::span<const stats::Statistic<SliceStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class Slice {
public:
    // A channel knows requests by their slice's number and, in the lowest bits, the slice's id.
    static constexpr unsigned kIdBits = kTransactionBits;

    // Clocks of the slice and of the channel, beside the core's.
    struct Clocks {
        ClockRatio slice, channel;
    };
    // The data caches whose lines the directory keeps apart; without effect unless the slice is a home.
    struct DataCaches {
        unsigned line; // bytes
        unsigned sms;  // one each
    };
    Slice(unsigned number, const LlcConfig& config, const DataCaches& caches, const Interleave& interleave,
          const Clocks& clocks, Transactions& transactions, DramChannel& channel);

    // All times are core cycles; addresses beyond process() are those within the slice.

    // A home has room reserved for all that SMs can have outstanding: nothing that it waits for stands behind what it
    // cannot take.
    [[nodiscard]] bool has_room() const {
        return directory_ || queue_.size() < capacity_;
    }
    void arrive(TransactionId id, Cycle now);
    // Does what is due. True when a place in the queue has become free.
    bool tick(Cycle now);
    // When tick() has work next; kNever while the slice waits for its channel or for its answers to leave.
    [[nodiscard]] Cycle wake() const {
        return wake_;
    }
    // Whether it waits for something: an MSHR entry, its answers, its channel.
    [[nodiscard]] bool is_blocked() const {
        return blocked_;
    }
    // The channel has done the request `id` of this slice.
    void done(std::uint32_t id, Cycle now);
    // The channel has room again, or answers have left.
    void retry(Cycle now) {
        if (blocked_)
            wake_ = std::min(wake_, now + 1);
    }
    // Answers, in order of time: front() may leave from cycle front_at() on.
    [[nodiscard]] bool has_answer(Cycle now) const {
        return !answers_.empty() && answers_.front().at <= now;
    }
    [[nodiscard]] Cycle next_answer() const {
        return answers_.empty() ? kNever : answers_.front().at;
    }
    [[nodiscard]] TransactionId answer() const {
        return answers_.front().id;
    }
    void take_answer(Cycle now) {
        answers_.pop();
        retry(now);
    }

    [[nodiscard]] SliceStats& stats() {
        return stats_;
    }
    [[nodiscard]] CacheStats* cache_stats() {
        return cache_ ? &cache_->stats() : nullptr;
    }
    [[nodiscard]] PrefetchStats* prefetch_stats() {
        return cache_ ? cache_->prefetch_stats() : nullptr;
    }
    // Null unless the slice is a home.
    [[nodiscard]] const Directory* directory() const {
        return directory_ ? &*directory_ : nullptr;
    }
    [[nodiscard]] CoherenceStats* coherence_stats() {
        return directory_ ? &directory_->stats() : nullptr;
    }
    // The directory's block of an address in_slice() whose line is there.
    [[nodiscard]] std::optional<BlockId> block_of(Address address) const;

private:
    struct Timed {
        Cycle at;
        TransactionId id;
    };
    // Who waits for a line that a write has fetched, and the channel's id for a write that nobody waits for.
    static constexpr std::uint32_t kNobody = (1U << kIdBits) - 1;

    bool process(TransactionId id, Cycle now);
    bool serve(TransactionId id, CacheAccess access, Cycle now);
    // Tells the prefetcher of an access, and sends for what it has asked for by now.
    [[gnu::noinline]] void prefetch(const CacheAccess& access, bool hit, Cycle now);
    bool access(TransactionId id, CacheAccess access, Cycle now);
    bool write(TransactionId id, CacheAccess access, Cycle now);
    // Whether the channel takes what a miss asks of it.
    [[nodiscard]] bool can_fetch() const {
        return evicted_.empty() && channel_.accepts();
    }
    bool no_room();
    bool pass_on(TransactionId id, Cycle now);
    bool fetch(Cache::Answer answer, Address address, Cycle now);
    void write_back(Cycle now);
    void evict(const Victim& victim, Cycle now);
    [[gnu::noinline]] void push(std::uint32_t id, Address address, std::uint64_t bytes, DramUse use,
                                unsigned operations, Cycle now);
    [[gnu::noinline]] void reply(TransactionId id, Cycle at);
    void finish(std::uint32_t waiter, Cycle now);
    void complete(TransactionId id, Cycle now);
    void busy(unsigned ticks, Cycle now);

    // Of a home:
    [[gnu::noinline]] void be_told(TransactionId id, Cycle now);
    [[nodiscard, gnu::noinline]] bool make_room(CacheAccess access, Cycle now);
    void end_recall(Cycle now);
    [[gnu::noinline]] void ask_directory(TransactionId id, Cycle now);
    void go_on(BlockId block, Cycle now);
    void carry_out(BlockId block, const Directory::Turn& turn, Cycle now);
    void probe(BlockId block, const SmSet& sms, Message message, Cycle now);

    unsigned number_;
    std::uint64_t line_;
    Cycle latency_;        // core cycles
    std::size_t capacity_; // of the queue and of the ticks on the way through it
    std::size_t answer_capacity_;
    Interleave interleave_;
    Clocks clocks_;
    Transactions& transactions_;
    DramChannel& channel_;
    std::optional<Cache> cache_;
    unsigned block_;
    std::optional<Directory> directory_; // of a home
    LineId leaving_ = kNoLine;           // the line that the head of the queue waits for: its copies are recalled
    RingQueue<Timed> queue_;
    RingQueue<Timed> answers_;
    RingQueue<Address> evicted_; // dirty lines that wait for the channel
    Cycle free_tick_ = 0;        // the next tick of the slice in which a look-up can be
    Cycle free_ = 0;             // its core cycle
    Cycle wake_ = kNever;
    bool blocked_ = false; // the head of the queue, or an evicted line, waits
    SliceStats stats_;
};

} // namespace heddle::mem
