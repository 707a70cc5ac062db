#include "mem/system/slice.h"

#include <bit>

namespace heddle::mem {
namespace {

// The slice's part of the cache.
CacheConfig part_of(const LlcConfig& config) {
    CacheConfig part = config;
    part.size = config.size / config.slices;
    return part;
}

} // namespace

Slice::Slice(unsigned number, const LlcConfig& config, const DataCaches& caches, const Interleave& interleave,
             const Clocks& clocks, Transactions& transactions, std::vector<DramChannel*> channels)
    : line_(config.line), sector_(config.sector), block_(caches.line), atomic_latency_(config.atomic_latency),
      write_ticks_(static_cast<unsigned>(config.write_ticks)), transactions_(transactions),
      look_ups_(clocks.slice, config.latency, config.queue), answers_(config.queue),
      channel_(number, config.line, interleave, clocks.channel, std::move(channels), config.sector) {
    if (config.size != 0)
        cache_.emplace(part_of(config), number);
    if (config.coherence == "mesi")
        directory_.emplace(part_of(config).size / config.line, static_cast<unsigned>(config.line / caches.line),
                           caches.sms);
}

void Slice::arrive(TransactionId id, Cycle now) {
    Transaction& t = transactions_[id];
    t.arrived = now;
    // From here on the address within the slice: the bits that select the slice would leave most sets of its cache
    // unused.
    t.request.address = channel_.interleave().in_slice(t.request.address);
    if (is_told(t.request.message)) [[unlikely]] {
        take_notice(id, now);
        return;
    }
    queue(id, now);
}

void Slice::queue(TransactionId id, Cycle now) {
    look_ups_.push(id, now);
    if (look_ups_.size() == 1)
        wake_ = std::min(wake_, look_ups_.front_at());
}

bool Slice::arrive_for_copy(TransactionId id, Address mark, Cycle now) {
    Transaction& t = transactions_[id];
    const Address line = t.request.address;
    t.request.address = channel_.interleave().in_slice(line) | mark;
    if (!cache_->hits_if_there(whole_access_of(t))) {
        t.request.address = line;
        return false;
    }
    t.arrived = now;
    queue(id, now);
    return true;
}

void Slice::take_copy(TransactionId id, Address mark, Cycle now) {
    Transaction& t = transactions_[id];
    t.request.address |= mark;
    evict(cache_->put_copy(whole_access_of(t)), now);
    blocked_ |= channel_.has_evicted();
    retry(now);
    answers_.push(id, now);
}

void Slice::put_line(Address line) {
    const auto all = static_cast<SectorMask>(sector_ == 0 ? 0U : (1U << line_ / sector_) - 1);
    static_cast<void>(cache_->put_copy({.address = with_sectors(channel_.interleave().in_slice(line), all)}));
}

bool Slice::tick(Cycle now) {
    if (wake_ > now)
        return false;
    wake_ = kNever;
    blocked_ = false;
    bool freed = false;
    channel_.write_back(now);
    while (!look_ups_.empty() && !blocked_) {
        const LookUpQueue::Entry& head = look_ups_.front();
        if (const Cycle ready = look_ups_.front_at(); ready > now) {
            wake_ = ready;
            break;
        }
        const unsigned ticks = write_ticks_ == 0 ? 1 : ticks_of(transactions_[head.id]);
        if (answers_.full() || !process(head.id, now)) {
            ++stats_.stalls;
            blocked_ = true;
            break;
        }
        ++stats_.requests;
        stats_.queueing += now - head.at;
        look_ups_.pop();
        look_ups_.take_ticks(ticks, now);
        freed = true;
    }
    if (channel_.has_evicted())
        blocked_ = true;
    return freed;
}

unsigned Slice::ticks_of(const Transaction& t) const {
    if (t.request.use() != DramUse::Write)
        return 1;
    return write_ticks_ + static_cast<unsigned>(std::popcount(sectors_in(sectored_access_of(t).address)));
}

bool Slice::process(TransactionId id, Cycle now) {
    if (!cache_)
        return pass_on(id, now);
    if (is_copy(transactions_[id].request.address)) [[unlikely]] { // it was looked up when its request came
        complete(id, now);
        return true;
    }
    const CacheAccess access = whole_access_of(transactions_[id]);
    if (!cache_->prefetches()) [[likely]]
        return serve(id, access, now);
    const bool hit = cache_->is_there(access.address);
    if (!serve(id, access, now))
        return false;
    if (access.kind != AccessKind::WriteBack)
        prefetch(access, hit, now);
    return true;
}

CacheAccess Slice::sectored_access_of(const Transaction& t) const {
    CacheAccess out = access_of(t);
    if (sectors_in(out.address) != 0)
        return out;
    const std::uint64_t in_line = out.address & (line_ - 1);
    const std::uint64_t end = (in_line + t.request.bytes + sector_ - 1) / sector_;
    SectorMask sectors = 0;
    for (std::uint64_t s = in_line / sector_; s < end; ++s)
        sectors = static_cast<SectorMask>(sectors | 1U << s);
    out.address = with_sectors(out.address - in_line, sectors);
    return out;
}

bool Slice::serve(TransactionId id, CacheAccess by, Cycle now) {
    if (!directory_ && cache_->hits_if_there(by)) [[likely]] {
        complete(id, now);
        return true;
    }
    return transactions_[id].request.use() == DramUse::Write ? write(id, by, now) : access(id, by, now);
}

// Prefetches have addresses within the slice, as accesses have here: they stay in the slice.
void Slice::prefetch(const CacheAccess& access, bool hit, Cycle now) {
    cache_->tell_prefetcher(access, hit);
    cache_->send_prefetches(
        [&] { return channel_.can_fetch(); },
        [&](const CacheAccess& line, const Cache::Answer& answer) { fetch(answer, line.address, now); });
}

bool Slice::pass_on(TransactionId id, Cycle now) {
    if (!channel_.accepts())
        return false;
    Transaction& t = transactions_[id];
    t.missed = now;
    t.from_memory = true;
    channel_.push(id, t.request.address, t.request.bytes, t.request.use(), t.request.operations, now);
    return true;
}

// A read, or an atomic, which writes too: done when its line is there.
bool Slice::access(TransactionId id, CacheAccess access, Cycle now) {
    Transaction& t = transactions_[id];
    if (!channel_.can_fetch()) {
        if (!cache_->hits(access))
            return no_room();
        finish(id, now);
        return true;
    }
    if (directory_ && !make_room(access, now))
        return false;
    const Cache::Answer answer = cache_->look_up(access, id);
    if (answer.result == Cache::Result::Hit) {
        finish(id, now);
        return true;
    }
    if (!fetch(answer, access.address, now))
        return false;
    t.from_memory = true;
    t.missed = now;
    return true;
}

bool Slice::write_sectors(TransactionId id, CacheAccess access, Cycle now) {
    if (!channel_.can_fetch() && cache_->find(access.address) == kNoLine) // a dirty line may have to leave
        return no_room();
    const unsigned bytes = transactions_[id].request.bytes;
    evict(
        cache_
            ->write_sectors(access, bytes == sector_ * static_cast<unsigned>(std::popcount(sectors_in(access.address))))
            .victim,
        now);
    reply(id, now);
    return true;
}

bool Slice::write(TransactionId id, CacheAccess access, Cycle now) {
    if (sector_ != 0) [[unlikely]]
        return write_sectors(id, access, now);
    if (!cache_->hits(access)) {
        if (!channel_.can_fetch())
            return no_room();
        const Cache::Answer answer = transactions_[id].request.bytes == line_
                                         ? cache_->write_line(access)
                                         : cache_->look_up(access, ChannelPort::kNoWaiter);
        if (!fetch(answer, access.address, now))
            return false;
    }
    reply(id, now);
    return true;
}

bool Slice::no_room() {
    ++cache_->stats().port_full;
    return false;
}

// Fetches and evicts lines after a look-up that found no line; false when the access has to be tried again.
bool Slice::fetch(Cache::Answer answer, Address address, Cycle now) {
    switch (answer.result) {
    case Cache::Result::Miss:
        channel_.fetch(answer.miss, address, now, answer.sectors);
        evict(answer.victim, now);
        return true;
    case Cache::Result::Hit: // a whole line was written
        evict(answer.victim, now);
        return true;
    case Cache::Result::Merged:
        return true;
    case Cache::Result::SetReserved:
    case Cache::Result::MshrFull:
    case Cache::Result::MshrMergeFull:
        break;
    }
    return false;
}

void Slice::evict(const Victim& victim, Cycle now) {
    if (!victim.dirty)
        return;
    channel_.evict(victim);
    channel_.write_back(now);
}

void Slice::done(std::uint32_t id, Cycle now) {
    if (!cache_) {
        reply(id, now);
    } else {
        evict(cache_->fill(id, [&](std::uint32_t waiter) { finish(waiter, now); }), now);
        blocked_ |= channel_.has_evicted();
    }
    retry(now);
}

// The line of an access is there.
void Slice::finish(std::uint32_t waiter, Cycle now) {
    if (waiter == ChannelPort::kNoWaiter)
        return;
    if (directory_)
        request_block(waiter, now);
    else
        complete(waiter, now);
}

void Slice::complete(TransactionId id, Cycle now) {
    const Request& request = transactions_[id].request;
    if (request.use() != DramUse::Atomic)
        return reply(id, now);
    stats_.atomic_operations += request.operations;
    look_ups_.take_ticks(request.operations, now);
    reply(id, look_ups_.free_at() + atomic_latency_);
}

void Slice::reply(TransactionId id, Cycle at) {
    Transaction& t = transactions_[id];
    if (t.request.requester == Requester::None) {
        transactions_.close(id);
        return;
    }
    t.answered = at;
    answers_.push(id, at);
}

std::span<const stats::Statistic<SliceStats>> SliceStats::statistics() {
    using S = SliceStats;
    static const stats::Statistic<S> table[] = {
        {"requests", &S::requests, "requests", "requests that were looked up, or passed to the channel"},
        {"queueing", &S::queueing, "cycles", "core cycles that they waited beyond the latency, summed"},
        {"stalls", &S::stalls, "times",
         "times that a slice had to wait for an entry, a way, its channel or its answers"},
        {"atomic_operations", &S::atomic_operations, "operations", "atomic operations on one word after another"},
    };
    return table;
}

std::span<const stats::Formula> SliceStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_queueing", "queueing", "requests", "core cycles that a request waited beyond the latency"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::SliceStats, "slices", "slices of memory: requests of all SMs")
