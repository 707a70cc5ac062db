// An access as a cache, its replacement policy, its prefetcher and its bypass policy see it.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace heddle::mem {

enum class AccessKind : std::uint8_t {
    Load,
    Store,
    Atomic,
    Fetch,     // of instructions
    Prefetch,  // no instruction waits for it
    WriteBack, // a dirty line of the level above
};

// Sectors of a line: bit s, sector s.
using SectorMask = std::uint8_t;

// In a cache with sectors, an access to a line has its sectors in the lowest bits of the address, which the line leaves
// free; so has a request for them.
[[nodiscard]] constexpr Address with_sectors(Address line, SectorMask sectors) {
    return line | sectors;
}
[[nodiscard]] constexpr SectorMask sectors_in(Address address) {
    return address & 15;
}

// Passed by value, in two registers of the host.
struct CacheAccess {
    static constexpr std::uint16_t kNoRequester = 0xffff;

    Address address = 0;
    Pc pc = kNoPc;                          // of the instruction; kNoPc: of none (a write-back)
    std::uint16_t requester = kNoRequester; // in the caches of an SM the issue unit, in the last level the SM
    AccessKind kind = AccessKind::Load;
    bool writes : 1 = false;   // the line is dirty afterwards
    bool first : 1 = true;     // the first line that its instruction touches
    bool bypass : 1 = false;   // a line that is missing does not enter the cache (mem/cache/bypass.h)
    bool local : 1 = false;    // a load of .local memory; set for bypass policies only, as `uncached`
    bool uncached : 1 = false; // with a cache operator that keeps it out of the first level (.cg, .cv, L1::no_allocate)

    // An access for caches whose policies need no more.
    [[nodiscard]] static constexpr CacheAccess to(Address address, bool write) {
        return {.address = address, .kind = write ? AccessKind::Store : AccessKind::Load, .writes = write};
    }
};
static_assert(sizeof(CacheAccess) == 16);

} // namespace heddle::mem
