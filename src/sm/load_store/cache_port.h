// The path from the caches of the load/store unit to memory: look-ups that request a missing line, and the reason for
// the last refusal.
#pragma once

#include "mem/cache/cache.h"
#include "sm/frame/memory_port.h"
#include "warp/flight.h"

namespace heddle::sm {

// The result of a line's look-up.
enum class LookUp : std::uint8_t {
    Hit,     // the access does not wait
    Waits,   // the line, or the answer to a store, is on its way
    Refused, // no request could be sent; may succeed when CachePort::refused() may have changed
};

// Why a line could not be requested.
enum class Refusal : std::uint8_t { None, SetReserved, MshrFull, MshrMergeFull, PortFull };

struct RefusedLine {
    Refusal why = Refusal::None;
    const mem::Cache* cache = nullptr;
    Address address = 0;
    warp::FlightId flight = warp::kNoFlight;
    std::uint16_t index = 0; // index among the lines of the access
};

class CachePort {
public:
    explicit CachePort(MemoryPort& memory) : memory_(memory) {}

    // Looks a line up in a cache that is not coherent, and requests it when it is missing. A dirty line that is
    // replaced is written back. Prefetches follow.
    [[gnu::noinline]] LookUp look_up(mem::Cache& cache, mem::Requester requester, warp::FlightId flight,
                                     mem::CacheAccess access, Cycle now);

    // Sends the pending prefetches of a cache that is not coherent.
    [[gnu::noinline]] void send_prefetches(mem::Cache& cache, mem::Requester requester, Cycle now);

    // Notes the reason of a refusal. Returns LookUp::Refused.
    LookUp refuse(const mem::Cache& cache, Address address, mem::Cache::Result why);
    // Notes that memory takes no request. Returns LookUp::Refused.
    LookUp port_full(mem::Cache& cache, Address address);
    void write_back(const mem::Cache& cache, const mem::Victim& victim, Cycle now) {
        if (victim.dirty)
            memory_.write_back(victim, cache.bytes_of(victim.sectors), mem::Requester::None, 0, now);
    }

    [[nodiscard]] MemoryPort& memory() {
        return memory_;
    }
    // The last line that was refused. The owner clears `why` before it looks lines up.
    [[nodiscard]] RefusedLine& refused() {
        return refused_;
    }
    [[nodiscard]] const RefusedLine& refused() const {
        return refused_;
    }

private:
    MemoryPort& memory_;
    RefusedLine refused_;
};

} // namespace heddle::sm
