// What accesses to memory do, by instruction: the part of a profile that the load/store unit counts (docs/profile.md).
//
// In a bundle (mimd) the threads with one PC and kind of access count as one access.
#pragma once

#include <span>
#include <vector>

#include "config/parameter.h"
#include "exec/executor.h"
#include "probe/sm_profile.h"
#include "sm/load_store/pending_access.h"

namespace heddle::sm {

class AccessProfile {
public:
    AccessProfile(probe::SmProfile& profile, const config::Machine& machine);

    // The access of a flight has been prepared.
    void prepared(const warp::Flight& flight, const exec::Access& access, const PendingAccess& pending);
    // The same for a thread of a bundle, and for the bundle when it comes to the load/store unit: the accesses of its
    // threads, and those of them that request a line, for all threads on it.
    void prepared_thread(const warp::Flight& flight, const exec::Access& access, const PendingAccess& pending);
    void bundle(std::span<const PendingAccess* const> threads, std::span<const PendingAccess* const> heads);
    // A line of an access was in the first-level cache, or `level` has delivered it. Stores do not count: they wait for
    // no line.
    void hit(const PendingAccess& pending, unsigned index);
    void came(const PendingAccess& pending, mem::Level level);
    // The registers of a flight have been written.
    void written(warp::FlightId flight, Cycle now);
    // A launch begins: no flight is on its way.
    void begin() {
        issues_.clear();
    }

private:
    // What the threads of one instruction access.
    struct Threads {
        Pc pc = kNoPc;
        unsigned bytes = 0; // of each
        bool store = false, atomic = false;
        bool ascends = false;              // the addresses of `cached`
        std::span<const Address> cached{}; // in the data cache, apart from local memory
        std::span<const Address> shared{}; // offsets in shared memory
        unsigned local = 0;                // threads that access local memory
        unsigned spilled = 0;              // of them, those whose data do not lie on chip
        unsigned lines = 0;                // of the data cache
        unsigned operations = 0;           // of an atomic: most on one word
        unsigned shared_cycles = 0;
    };
    struct Issue {
        Pc pc = kNoPc;
        Cycle at = 0;
    };

    void gather(const PendingAccess& pending, const exec::Access& access);
    void count(const Threads& threads);
    void count_texels(const PendingAccess& pending, const exec::Access& access);
    void count_lines(Pc pc, std::uint64_t asked, std::uint64_t distinct, unsigned lines, unsigned line_bytes);
    void count_bundle(std::span<const PendingAccess* const> threads, std::span<const PendingAccess* const> heads,
                      const PendingAccess& first);
    void await(const warp::Flight& flight);

    probe::SmProfile& profile_;
    const unsigned line_bytes_, texel_line_bytes_;
    const bool caches_constants_; // in a cache of their own
    const std::uint64_t private_bytes_;
    const unsigned shared_banks_;
    std::vector<Issue> issues_; // by flight: accesses whose registers are to be written
};

} // namespace heddle::sm
