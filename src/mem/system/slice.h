// One slice of memory: its part of the last-level cache, if there is one, and its way to its DRAM channel.
//
//   arrive     a request enters a queue; `latency` ticks later it is looked up, one a tick, in order
//   look-up    a hit is answered; a miss takes an MSHR entry, and the channel fetches the line. A request that finds no
//              entry, no way or no room in the channel stays at the head of the queue until one of them is free
//   write      into its line, which is fetched unless all of it is written; answered at the look-up. With
//              l2.write_ticks it takes a tick for each sector, too
//   atomic     in its line, a tick for each operation on the busiest word; answered `atomic_latency` cycles after the
//              last one
//
// Without a cache all requests go to the channel and are answered when the channel has done them. With
// llc.coherence = "mesi" the slice is the home of its lines: its directory decides about requests of data caches and
// about atomic operations once their line is there, and a line leaves after its copies (slice_home.cpp,
// docs/coherence.md).
#pragma once

#include <algorithm>
#include <optional>

#include "mem/system/answer_queue.h"
#include "mem/system/channel_port.h"
#include "mem/system/directory.h"
#include "mem/system/look_up_queue.h"

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
    static constexpr unsigned kIdBits = ChannelPort::kIdBits;

    // Clocks of the slice and of the channel, beside the core's.
    struct Clocks {
        ClockRatio slice, channel;
    };
    // The data caches whose lines the directory tracks; without effect unless the slice is a home.
    struct DataCaches {
        unsigned line; // bytes
        unsigned sms;  // one each
    };
    Slice(unsigned number, const LlcConfig& config, const DataCaches& caches, const Interleave& interleave,
          const Clocks& clocks, Transactions& transactions, std::vector<DramChannel*> channels);

    // All times are core cycles; addresses beyond process() are those within the slice.

    // A home has room for all requests that the SMs can have outstanding, so that no message that it waits for is
    // behind a request that it cannot take.
    [[nodiscard]] bool has_room() const {
        return directory_ || look_ups_.has_room();
    }
    void arrive(TransactionId id, Cycle now);
    // A read of a line of another partition comes to the slice that stands for the line's own (partitions.h). False
    // when no copy is there: nothing has changed.
    [[nodiscard]] bool arrive_for_copy(TransactionId id, Address mark, Cycle now);
    // Such a read comes back with its line, of which the slice keeps a copy, and is answered from here.
    void take_copy(TransactionId id, Address mark, Cycle now);
    // The host has written a line. Lines that make room for it leave no trace.
    void put_line(Address line);
    // A line of another partition is written; `copy`: its address in its own slice, and its mark.
    void drop_copy(Address copy) {
        cache_->drop(copy);
    }
    // Runs the look-ups that are due. True when a place in the queue has become free.
    bool tick(Cycle now);
    // When tick() has work next; kNever while the slice waits for its channel or for its answers to leave.
    [[nodiscard]] Cycle wake() const {
        return wake_;
    }
    // Whether the slice waits for an MSHR entry, for its answers to leave, or for its channel.
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
    // Answers, in order of time: the first, answer(), may leave from cycle next_answer() on.
    [[nodiscard]] bool has_answer(Cycle now) const {
        return answers_.is_due(now);
    }
    [[nodiscard]] Cycle next_answer() const {
        return answers_.next();
    }
    [[nodiscard]] TransactionId answer() const {
        return answers_.front();
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
    void queue(TransactionId id, Cycle now);
    bool process(TransactionId id, Cycle now);
    bool serve(TransactionId id, CacheAccess access, Cycle now);
    // The prefetcher learns of an access, and the lines that it has requested by now are fetched.
    [[gnu::noinline]] void prefetch(const CacheAccess& access, bool hit, Cycle now);
    bool access(TransactionId id, CacheAccess access, Cycle now);
    bool write(TransactionId id, CacheAccess access, Cycle now);
    bool no_room();
    bool pass_on(TransactionId id, Cycle now);
    bool fetch(Cache::Answer answer, Address address, Cycle now);
    void evict(const Victim& victim, Cycle now);
    [[gnu::noinline]] void reply(TransactionId id, Cycle at);
    void finish(std::uint32_t waiter, Cycle now);
    void complete(TransactionId id, Cycle now);

    // Of a home:
    [[gnu::noinline]] void take_notice(TransactionId id, Cycle now);
    [[nodiscard, gnu::noinline]] bool make_room(CacheAccess access, Cycle now);
    void end_recall(Cycle now);
    [[gnu::noinline]] void request_block(TransactionId id, Cycle now);
    void go_on(BlockId block, Cycle now);
    void carry_out(BlockId block, const Directory::Turn& turn, Cycle now);
    void probe(BlockId block, const SmSet& sms, Message message, Cycle now);

    // The access of a transaction; in a cache with sectors it names those that it wants.
    [[nodiscard]] CacheAccess whole_access_of(const Transaction& t) const {
        return sector_ == 0 ? access_of(t) : sectored_access_of(t);
    }
    [[nodiscard]] CacheAccess sectored_access_of(const Transaction& t) const;
    [[nodiscard]] bool write_sectors(TransactionId id, CacheAccess access, Cycle now);
    // Ticks of a look-up, with those of its data where writes take more.
    [[nodiscard, gnu::noinline]] unsigned ticks_of(const Transaction& t) const;

    std::uint64_t line_;   // bytes
    std::uint64_t sector_; // bytes; 0: lines come as a whole
    unsigned block_;       // bytes
    Cycle atomic_latency_; // core cycles
    unsigned write_ticks_;
    Transactions& transactions_;
    LookUpQueue look_ups_;
    AnswerQueue answers_;
    ChannelPort channel_;
    std::optional<Cache> cache_;
    std::optional<Directory> directory_; // of a home
    LineId leaving_ = kNoLine;           // the line that the head of the queue waits for: its copies are recalled
    Cycle wake_ = kNever;
    bool blocked_ = false; // the head of the queue, or an evicted line, waits
    SliceStats stats_;
};

} // namespace heddle::mem
