// The messages of MESI between the SMs' data caches and the directory at the last level, and what is counted of them
// (docs/coherence.md).
#pragma once

#include <cstdint>
#include <span>

#include "stats/statistic.h"

namespace heddle::mem {

enum class Message : std::uint8_t {
    None, // a machine without coherence, or a request that the directory does not track
    // Requests of a cache: for a copy to read, for a copy to write, for permission to write the copy that it has.
    GetS,
    GetM,
    Upgrade,
    // Grants of the directory: a copy in this state, or permission to write without data.
    DataS,
    DataE,
    DataM,
    MayWrite,
    // Probes of the directory: the cache has to give up its copy, or to keep it for reading only.
    Invalidate,
    Downgrade,
    // Answers of a cache to a probe: it has no copy (any more), or a shared one; dirty: with the line's data.
    Gone,
    GoneDirty,
    Kept,
    KeptDirty,
    // A cache has evicted a line in state E or M, the latter with its data.
    PutE,
    PutM,
};

// Whether a message of a cache is a notice: it has no answer, and it never waits.
[[nodiscard]] constexpr bool is_told(Message message) {
    return message >= Message::Gone;
}
[[nodiscard]] constexpr bool carries_dirty_data(Message message) {
    return message == Message::GoneDirty || message == Message::KeptDirty || message == Message::PutM;
}
// Messages that exist for coherence only: a machine without coherence sends none of them, or only a write-back.
[[nodiscard]] constexpr bool is_overhead(Message message) {
    return message == Message::Upgrade || message >= Message::MayWrite;
}

// Each counter has one place that counts it: a slice's directory, an SM's data cache, or the networks. The section is
// their sum.
struct CoherenceStats {
    std::uint64_t gets = 0;
    std::uint64_t getm = 0;
    std::uint64_t upgrades = 0;
    std::uint64_t exclusive_grants = 0;
    std::uint64_t invalidations = 0;
    std::uint64_t downgrades = 0;
    std::uint64_t recalls = 0;
    std::uint64_t atomic_recalls = 0;
    std::uint64_t acknowledgements = 0;
    std::uint64_t forwarded = 0;
    std::uint64_t clean_evictions = 0;
    std::uint64_t write_backs = 0;
    std::uint64_t lost_upgrades = 0;
    std::uint64_t write_back_races = 0;
    std::uint64_t early_probes = 0;
    std::uint64_t stale_probes = 0;
    std::uint64_t late_upgrades = 0;
    std::uint64_t waits = 0;
    std::uint64_t wait_cycles = 0;
    std::uint64_t messages = 0;
    std::uint64_t flits = 0;
    // A packet with a message enters a network.
    void count_packet(Message message, unsigned packet_flits) {
        if (is_overhead(message)) [[unlikely]] {
            ++messages;
            flits += packet_flits;
        }
    }
    static std::span<const stats::Statistic<CoherenceStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::mem
