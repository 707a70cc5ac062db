#include "mem/system/slice.h"

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
             const Clocks& clocks, Transactions& transactions, DramChannel& channel)
    : number_(number), line_(config.line), latency_(clocks.slice.core_cycle(config.latency)),
      capacity_(config.queue + config.latency), answer_capacity_(config.queue), interleave_(interleave),
      clocks_(clocks), transactions_(transactions), channel_(channel), block_(caches.line) {
    if (config.size != 0)
        cache_.emplace(part_of(config), number);
    if (config.coherence == "mesi")
        directory_.emplace(part_of(config).size / config.line, static_cast<unsigned>(config.line / caches.line),
                           caches.sms);
}

void Slice::arrive(TransactionId id, Cycle now) {
    Transaction& t = transactions_[id];
    t.arrived = now;
    // From here on the slice's own address: the bits that chose the slice would leave most sets of its cache unused.
    t.request.address = interleave_.in_slice(t.request.address);
    if (is_told(t.request.message)) [[unlikely]] {
        be_told(id, now);
        return;
    }
    queue_.push({now + latency_, id});
    if (queue_.size() == 1)
        wake_ = std::min(wake_, std::max(now + latency_, free_));
}

bool Slice::tick(Cycle now) {
    if (wake_ > now)
        return false;
    wake_ = kNever;
    blocked_ = false;
    bool freed = false;
    write_back(now);
    while (!queue_.empty() && !blocked_) {
        const Timed& head = queue_.front();
        const Cycle ready = std::max(head.at, free_);
        if (ready > now) {
            wake_ = ready;
            break;
        }
        if (answers_.size() >= answer_capacity_ || !process(head.id, now)) {
            ++stats_.stalls;
            blocked_ = true;
            break;
        }
        ++stats_.requests;
        stats_.queueing += now - head.at;
        queue_.pop();
        busy(1, now);
        freed = true;
    }
    if (!evicted_.empty())
        blocked_ = true;
    return freed;
}

// Look-ups go on `ticks` ticks later.
void Slice::busy(unsigned ticks, Cycle now) {
    free_tick_ = std::max(free_tick_, clocks_.slice.tick_from(now)) + ticks;
    free_ = clocks_.slice.core_cycle(free_tick_);
}

bool Slice::process(TransactionId id, Cycle now) {
    if (!cache_)
        return pass_on(id, now);
    const CacheAccess access = access_of(transactions_[id]);
    if (!cache_->prefetches()) [[likely]]
        return serve(id, access, now);
    const bool hit = cache_->is_there(access.address);
    if (!serve(id, access, now))
        return false;
    if (access.kind != AccessKind::WriteBack)
        prefetch(access, hit, now);
    return true;
}

bool Slice::serve(TransactionId id, CacheAccess by, Cycle now) {
    if (!directory_ && cache_->hits_if_there(by)) [[likely]] {
        complete(id, now);
        return true;
    }
    return transactions_[id].request.use() == DramUse::Write ? write(id, by, now) : access(id, by, now);
}

// The addresses of prefetches are the slice's own, as those of accesses are here: they stay in the slice.
void Slice::prefetch(const CacheAccess& access, bool hit, Cycle now) {
    cache_->tell_prefetcher(access, hit);
    cache_->send_prefetches(
        [&] { return can_fetch(); },
        [&](const CacheAccess& line, const Cache::Answer& answer) { fetch(answer, line.address, now); });
}

bool Slice::pass_on(TransactionId id, Cycle now) {
    if (!channel_.accepts())
        return false;
    Transaction& t = transactions_[id];
    t.missed = now;
    t.from_memory = true;
    push(id, t.request.address, t.request.bytes, t.request.use(), t.request.operations, now);
    return true;
}

// A read, or an atomic, which writes too: done when its line is there.
bool Slice::access(TransactionId id, CacheAccess access, Cycle now) {
    Transaction& t = transactions_[id];
    if (!can_fetch()) {
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

bool Slice::write(TransactionId id, CacheAccess access, Cycle now) {
    if (!cache_->hits(access)) {
        if (!can_fetch())
            return no_room();
        const Cache::Answer answer =
            transactions_[id].request.bytes == line_ ? cache_->write_line(access) : cache_->look_up(access, kNobody);
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

// Does what an answer of the cache other than a hit asks for; false when the access has to be tried again.
bool Slice::fetch(Cache::Answer answer, Address address, Cycle now) {
    switch (answer.result) {
    case Cache::Result::Miss:
        push(answer.miss, address & ~(line_ - 1), line_, DramUse::Read, 1, now);
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
    evicted_.push(victim.address);
    write_back(now);
}

void Slice::write_back(Cycle now) {
    while (!evicted_.empty() && channel_.accepts())
        push(kNobody, evicted_.pop(), line_, DramUse::Write, 1, now);
}

void Slice::push(std::uint32_t id, Address address, std::uint64_t bytes, DramUse use, unsigned operations, Cycle now) {
    assert(id <= kNobody);
    channel_.push({.id = (number_ << kIdBits) | id,
                   .address = interleave_.in_channel(address, number_),
                   .bytes = static_cast<std::uint32_t>(bytes),
                   .use = use,
                   .operations = operations,
                   .silent = id == kNobody},
                  clocks_.channel.tick_before(now));
}

void Slice::done(std::uint32_t id, Cycle now) {
    if (!cache_) {
        reply(id, now);
    } else {
        evict(cache_->fill(id, [&](std::uint32_t waiter) { finish(waiter, now); }), now);
        blocked_ |= !evicted_.empty();
    }
    retry(now);
}

// The line of an access is there.
void Slice::finish(std::uint32_t waiter, Cycle now) {
    if (waiter == kNobody)
        return;
    if (directory_)
        ask_directory(waiter, now);
    else
        complete(waiter, now);
}

void Slice::complete(TransactionId id, Cycle now) {
    const Request& request = transactions_[id].request;
    if (request.use() != DramUse::Atomic)
        return reply(id, now);
    stats_.atomic_operations += request.operations;
    busy(request.operations, now);
    reply(id, free_);
}

void Slice::reply(TransactionId id, Cycle at) {
    Transaction& t = transactions_[id];
    if (t.request.requester == Requester::None) {
        transactions_.close(id);
        return;
    }
    t.answered = at;
    answers_.push_sorted({at, id}, [](const Timed& a, const Timed& b) { return a.at < b.at; });
}

std::span<const stats::Statistic<SliceStats>> SliceStats::statistics() {
    using S = SliceStats;
    static const stats::Statistic<S> table[] = {
        {"requests", &S::requests, "requests", "requests that were looked up or passed on"},
        {"queueing", &S::queueing, "cycles", "core cycles that they waited at the head of their turn, summed"},
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
