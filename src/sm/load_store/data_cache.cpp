#include "sm/load_store/data_cache.h"

#include "mem/system/llc_config.h"
#include "sm/load_store/address_unit.h"

namespace heddle::sm {

using mem::AccessKind;
using mem::Cache;
using mem::CoherentCache;
using mem::Message;
using mem::Requester;
using warp::FlightId;

DataCache::DataCache(const config::Machine& machine, unsigned sm, CachePort& port)
    : config_(dcache_of(machine)), coherent_(machine.get<mem::LlcConfig>().coherence != "none"),
      has_sectors_(config_.sector != 0), write_(write_of(config_.write)), write_local_(write_of(config_.write_local)),
      bypass_(make_bypass(config_, sm)), cache_(config_, sm), port_(port) {
    if (bypass_)
        cache_.let_bypass();
}

std::unique_ptr<mem::Bypass> DataCache::make_bypass(const DCacheConfig& config, unsigned sm) {
    auto bypass = mem::bypasses().make(config.bypass, {config.bypass_rate, sm + 1U});
    return bypass->decides() ? std::move(bypass) : nullptr;
}

DataCache::Write DataCache::write_of(const std::string& name) {
    return name == "back" ? Write::Back : name == "through" ? Write::Through : Write::Evict;
}

DataCache::Write DataCache::policy_of(Address address) const {
    return AddressUnit::is_spilled(address) ? write_local_ : write_;
}

LookUp DataCache::access(const PendingAccess& access, unsigned index, FlightId flight, std::uint64_t& stores_sent,
                         Cycle now) {
    if (access.atomic)
        return request_atomic(access, index, flight, now);
    if (!access.store)
        return load(access, index, access.line[index], flight, now);
    if (config_.ideal)
        return count_hit();
    const Address address = access.line[index] << cache_.line_shift();
    const Write policy = policy_of(address);
    if (policy == Write::Back && config_.write_allocate) {
        const mem::CacheAccess by = access.look_up(index, wanted_of(access, index, address), AccessKind::Store, true);
        if (!has_sectors_)
            return fetch_for_store(flight, by, now);
        write_sectors(access, index, by, now);
        return LookUp::Hit;
    }
    return store(access, index, flight, policy, stores_sent, now);
}

// Where stores do not wait, the line comes without a waiter.
LookUp DataCache::fetch_for_store(FlightId flight, const mem::CacheAccess& by, Cycle now) {
    if (config_.store_waits)
        return look_up(flight, by, now);
    const LookUp outcome = look_up(warp::kNoFlight, by, now);
    return outcome == LookUp::Waits ? LookUp::Hit : outcome;
}

// A store whose data go on to memory, or into a line that is present.
LookUp DataCache::store(const PendingAccess& access, unsigned index, FlightId flight, Write policy,
                        std::uint64_t& stores_sent, Cycle now) {
    const Address address = access.line[index] << cache_.line_shift();
    const mem::CacheAccess by =
        access.look_up(index, wanted_of(access, index, address), AccessKind::Store, policy == Write::Back);
    if (policy == Write::Back && cache_.hits(by))
        return LookUp::Hit;
    if (!port_.memory().has_room())
        return port_.port_full(cache_, address);
    LookUp outcome = LookUp::Hit;
    if (policy == Write::Evict)
        cache_.drop(address);
    else if (policy == Write::Through && config_.write_allocate && has_sectors_)
        write_sectors(access, index, by, now);
    else if (policy == Write::Through && !config_.write_allocate)
        static_cast<void>(cache_.hits(by));
    else if (policy == Write::Through)
        outcome = port_.look_up(cache_, Requester::Data, flight, by, now);
    if (outcome == LookUp::Refused)
        return outcome;
    ++stores_sent;
    port_.memory().write(by, access.bytes[index], carried(access, index),
                         access.sent == kNoStore ? Requester::None : Requester::Store, access.sent, now);
    return outcome;
}

// Data of a store or an atomic operation on the way to memory: sectors go as a whole, with a mask of their bytes.
std::uint64_t DataCache::carried(const PendingAccess& access, unsigned index) const {
    return has_sectors_ ? cache_.bytes_of(access.sectors[index]) : access.bytes[index];
}

Address DataCache::sectors_of(const PendingAccess& access, unsigned index, Address line) const {
    const auto all = static_cast<mem::SectorMask>((1U << config_.line / config_.sector) - 1);
    return mem::with_sectors(line, access.texels ? all : access.sectors[index]);
}

void DataCache::write_sectors(const PendingAccess& access, unsigned index, const mem::CacheAccess& by, Cycle now) {
    const bool whole = access.bytes[index] == cache_.bytes_of(access.sectors[index]);
    port_.write_back(cache_, cache_.write_sectors(by, whole).victim, now);
}

// Atomic operations are done outside the SM: the line leaves the cache first. (A directory makes all caches drop their
// copies.)
LookUp DataCache::request_atomic(const PendingAccess& access, unsigned index, FlightId flight, Cycle now) {
    const Address address = access.line[index] << cache_.line_shift();
    if (!port_.memory().has_room())
        return port_.port_full(cache_, address);
    if (!config_.ideal && !coherent_ && cache_.drop(address)) {
        ++cache_.stats().write_backs;
        port_.write_back(cache_, {true, address}, now);
    }
    const Address wanted = wanted_of(access, index, address);
    port_.memory().atomic(access.look_up(index, wanted, AccessKind::Atomic, true),
                          cache_.bytes_of(mem::sectors_in(wanted)), carried(access, index), access.operations, flight,
                          now);
    return LookUp::Waits;
}

// look_up() of an access that a coherent cache cannot serve alone. `line`: the place of the line, if it is present. A
// store to a line that other caches may have too waits for the permission to write, as it would for the line.
LookUp DataCache::ask_for_line(mem::LineId line, FlightId flight, mem::CacheAccess access, Cycle now) {
    if (!port_.memory().has_room())
        return port_.port_full(cache_, access.address);
    const auto [answer, message] = cache_.ask(line, access, flight);
    switch (answer.result) {
    case Cache::Result::Hit:
        return LookUp::Hit;
    case Cache::Result::Miss:
        tell_put(answer.victim, now);
        port_.memory().ask(access, config_.line, message, answer.miss, now);
        break;
    case Cache::Result::Merged:
        break;
    case Cache::Result::SetReserved:
    case Cache::Result::MshrFull:
    case Cache::Result::MshrMergeFull:
        return port_.refuse(cache_, access.address, answer.result);
    }
    return LookUp::Waits;
}

void DataCache::decide_bypass(const PendingAccess& load, mem::CacheAccess& access) {
    access.local = AddressUnit::is_spilled(access.address);
    access.uncached = load.uncached;
    access.bypass = bypass_->bypasses(access);
    cache_.bypass_stats().accesses += access.bypass ? 1 : 0;
}

void DataCache::prefetch(const mem::CacheAccess& access, LookUp outcome, Cycle now) {
    if (outcome == LookUp::Refused)
        return;
    cache_.tell_prefetcher(access, outcome == LookUp::Hit);
    send_prefetches(now);
}

// A coherent cache prefetches only for loads: copies to read.
void DataCache::send_prefetches(Cycle now) {
    if (!coherent_)
        return port_.send_prefetches(cache_, Requester::Data, now);
    cache_.send_prefetches([&] { return port_.memory().has_room_to_spare(); },
                           [&](const mem::CacheAccess& access, const Cache::Answer& answer) {
                               tell_put(answer.victim, now);
                               port_.memory().ask(access, config_.line, Message::GetS, answer.miss, now);
                           });
}

void DataCache::tell_put(const mem::Victim& victim, Cycle now) {
    if (const Message put = CoherentCache::put(victim); put != Message::None)
        port_.memory().tell(victim.address, config_.line, put, now);
}

void DataCache::answer_probe(const mem::Reply& probe, Cycle now) {
    port_.memory().tell(probe.address, config_.line, cache_.probe(probe.address, probe.message), now);
}

void DataCache::flush(Cycle now) {
    if (config_.flush == "never")
        return;
    cache_.flush([&](Address address) {
        ++cache_.stats().write_backs;
        port_.memory().write_back(address, config_.line, Requester::Store, kNoStore, now);
    });
}

void DataCache::add_statistics(stats::Tree& tree) {
    tree.add_one_of("dcache", cache_.stats());
    if (mem::PrefetchStats* const stats = cache_.prefetch_stats())
        tree.add_one_of("dcache_prefetch", *stats);
    if (bypass_)
        tree.add_one_of("dcache_bypass", cache_.bypass_stats());
    if (coherent_)
        tree.add_one_of("coherence", cache_.coherence());
}

} // namespace heddle::sm
