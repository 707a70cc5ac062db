// The messages of MESI between the SMs' data caches and the directory at the last level, and what is counted of them
// (docs/coherence.md).
#pragma once

#include <cstdint>
#include <span>

#include "stats/statistic.h"

namespace heddle::mem {

enum class Message : std::uint8_t {
    None, // of a machine, or of a request, that coherence has nothing to do with
    // A cache asks: for a copy to read, for one to write, for leave to write the one it has.
    GetS,
    GetM,
    Upgrade,
    // The directory grants: a copy in this state, or leave to write without data.
    DataS,
    DataE,
    DataM,
    MayWrite,
    // The directory probes copies: they are to go, or to stay for reading only.
    Invalidate,
    Downgrade,
    // A cache answers a probe: it has no copy (any more), or a shared one; dirty: with the line's data.
    Gone,
    GoneDirty,
    Kept,
    KeptDirty,
    // A cache has put out a line in state E or M, the latter with its data.
    PutE,
    PutM,
};

// What a cache tells without asking for anything: nobody answers it, and it is never made to wait.
[[nodiscard]] constexpr bool is_told(Message message) {
    return message >= Message::Gone;
}
[[nodiscard]] constexpr bool carries_dirty_data(Message message) {
    return message == Message::GoneDirty || message == Message::KeptDirty || message == Message::PutM;
}
// Messages that exist for coherence only: a machine without would not send them, or only a write-back.
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
