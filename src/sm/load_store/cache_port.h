// The way of the load/store unit's caches to memory: look-ups that send for what is missing, and why one was refused.
#pragma once

#include "mem/cache/cache.h"
#include "sm/frame/memory_port.h"
#include "warp/flight.h"

namespace heddle::sm {

// What became of a line's look-up.
enum class LookUp : std::uint8_t {
    Hit,     // nothing is waited for
    Waits,   // the line, or its answer, is on its way
    Refused, // it could not be sent for: worth another try when CachePort::refused() may have changed
};

// Why a line could not be sent for.
enum class Refusal : std::uint8_t { None, SetReserved, MshrFull, MshrMergeFull, PortFull };

struct RefusedLine {
    Refusal why = Refusal::None;
    const mem::Cache* cache = nullptr;
    Address address = 0;
    warp::FlightId flight = warp::kNoFlight;
    std::uint16_t index = 0; // of the access's lines
};

class CachePort {
public:
    explicit CachePort(MemoryPort& memory) : memory_(memory) {}

    // Looks a line up in a cache that is not coherent, and sends for it when it is missing. A dirty line that makes
    // room is written back. Prefetches follow.
    [[gnu::noinline]] LookUp look_up(mem::Cache& cache, mem::Requester requester, warp::FlightId flight,
                                     mem::CacheAccess access, Cycle now);

    // Sends for what the prefetcher of a cache that is not coherent has asked for.
    [[gnu::noinline]] void send_prefetches(mem::Cache& cache, mem::Requester requester, Cycle now);

    // Notes why a line was refused; always LookUp::Refused.
    LookUp refuse(const mem::Cache& cache, Address address, mem::Cache::Result why);
    // The same where memory takes no request.
    LookUp port_full(mem::Cache& cache, Address address);
    void write_back(const mem::Cache& cache, const mem::Victim& victim, Cycle now) {
        if (victim.dirty)
            memory_.write_back(victim.address, std::uint64_t{1} << cache.line_shift(), mem::Requester::None, 0, now);
    }

    [[nodiscard]] MemoryPort& memory() {
        return memory_;
    }
    // The last line that was refused; the owner clears `why` before it looks lines up.
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
