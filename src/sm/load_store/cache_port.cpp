#include "sm/load_store/cache_port.h"

namespace heddle::sm {

using mem::Cache;

LookUp CachePort::look_up(Cache& cache, mem::Requester requester, warp::FlightId flight, mem::CacheAccess access,
                          Cycle now) {
    if (!memory_.has_room())
        return cache.hits(access) ? LookUp::Hit : port_full(cache, access.address);
    const Cache::Answer answer = cache.look_up(access, flight);
    if (answer.result == Cache::Result::Hit)
        return LookUp::Hit;
    if (answer.result == Cache::Result::Miss) {
        write_back(cache, answer.victim, now);
        memory_.read(access, std::uint64_t{1} << cache.line_shift(), requester, answer.miss, now);
    } else if (answer.result != Cache::Result::Merged) {
        return refuse(cache, access.address, answer.result);
    }
    return LookUp::Waits;
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
