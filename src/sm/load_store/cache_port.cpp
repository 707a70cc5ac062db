#include "sm/load_store/cache_port.h"

namespace heddle::sm {

using mem::Cache;

LookUp CachePort::look_up(Cache& cache, mem::Requester requester, warp::FlightId flight, mem::CacheAccess access,
                          Cycle now) {
    if (!memory_.has_room())
        return cache.hits(access) ? LookUp::Hit : port_full(cache, access.address);
    const Cache::Answer answer = cache.look_up(access, flight);
    switch (answer.result) {
    case Cache::Result::Hit:
        break;
    case Cache::Result::Miss:
        write_back(cache, answer.victim, now);
        if (answer.sectors != 0) [[unlikely]]
            access.address = mem::with_sectors(access.address & ~Address{15}, answer.sectors);
        memory_.read(access, cache.bytes_of(answer.sectors), requester, answer.miss, now);
        break;
    case Cache::Result::Merged:
        write_back(cache, answer.victim, now);
        break;
    case Cache::Result::SetReserved:
    case Cache::Result::MshrFull:
    case Cache::Result::MshrMergeFull:
        return refuse(cache, access.address, answer.result);
    }
    const bool hit = answer.result == Cache::Result::Hit;
    if (cache.prefetches()) [[unlikely]] {
        cache.tell_prefetcher(access, hit);
        send_prefetches(cache, requester, now);
    }
    return hit ? LookUp::Hit : LookUp::Waits;
}

void CachePort::send_prefetches(Cache& cache, mem::Requester requester, Cycle now) {
    cache.send_prefetches([&] { return memory_.has_room_to_spare(); },
                          [&](const mem::CacheAccess& access, const Cache::Answer& answer) {
                              write_back(cache, answer.victim, now);
                              memory_.read(access, std::uint64_t{1} << cache.line_shift(), requester, answer.miss, now);
                          });
}

LookUp CachePort::refuse(const Cache& cache, Address address, Cache::Result why) {
    const Refusal refusal = why == Cache::Result::SetReserved ? Refusal::SetReserved
                            : why == Cache::Result::MshrFull  ? Refusal::MshrFull
                                                              : Refusal::MshrMergeFull;
    refused_ = {refusal, &cache, address};
    return LookUp::Refused;
}

LookUp CachePort::port_full(Cache& cache, Address address) {
    ++cache.stats().port_full;
    refused_ = {Refusal::PortFull, &cache, address};
    return LookUp::Refused;
}

} // namespace heddle::sm
