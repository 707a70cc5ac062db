// The memory behind the SMs' own caches: request network, slices with their part of the last-level cache, DRAM
// channels, reply network. Each runs by its own clock; the memory system keeps core cycles and runs each part when it
// has work.
//
// It runs the windows of cycles that the SMs run, and touches no state of the SMs meanwhile (docs/parallel.md): a
// request that an SM sends in a window enters the network `link` cycles later, so never before the window's end, and a
// reply takes as long on its way back.
#pragma once

#include <memory>
#include <span>

#include "mem/network/config.h"
#include "mem/sm_set.h"
#include "mem/system/slice.h"
#include "stats/tree.h"

namespace heddle::mem {

// Where the cycles of loads went, on the way from an SM's cache to it.
struct PathStats {
    static constexpr std::size_t kBuckets = 24; // bucket b counts latencies from 2^(b-1) up to 2^b - 1; 0 in bucket 0
    std::uint64_t loads = 0;
    std::uint64_t from_memory = 0;
    std::uint64_t total = 0;
    std::uint64_t request_network = 0;
    std::uint64_t slice = 0;
    std::uint64_t memory = 0;
    std::uint64_t reply_network = 0;
    stats::Histogram llc_latency = stats::Histogram(kBuckets);
    stats::Histogram memory_latency = stats::Histogram(kBuckets);
    // By channel
    stats::Histogram channel_bytes, channel_busy;
    // The reply to a load comes to its SM in cycle `at`.
    void count_load(const Transaction& t, Cycle at);
    static std::span<const stats::Statistic<PathStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class MemorySystem {
public:
    MemorySystem() = default;
    virtual ~MemorySystem() = default;
    MemorySystem(const MemorySystem&) = delete;
    MemorySystem& operator=(const MemorySystem&) = delete;

    // Cycles that a message takes between an SM and the network.
    [[nodiscard]] virtual Cycle link() const = 0;
    // Takes what SM `sm` has sent in a window, in order of time.
    virtual void accept(unsigned sm, std::span<const Request> requests) = 0;
    // Runs what is due before cycle `until`.
    virtual void run(Cycle until) = 0;
    // SMs with replies, or with another room() than before the last call.
    [[nodiscard]] virtual SmSet take_news() = 0;
    // The replies to SM `sm`, in order of time; valid until taken().
    [[nodiscard]] virtual std::span<const Reply> replies(unsigned sm) const = 0;
    virtual void taken(unsigned sm) = 0;
    // Flits that the network can take from an SM beyond those on their way to it.
    [[nodiscard]] virtual std::int64_t room(unsigned sm) const = 0;
    // The next cycle in which something happens; kNever when nothing is on its way.
    [[nodiscard]] virtual Cycle next() const = 0;
    // Requests that are on their way or whose reply is.
    [[nodiscard]] virtual std::size_t open_requests() const = 0;
    // The slice that an address lies in.
    [[nodiscard]] virtual const Slice& slice_of(Address address) const = 0;
    // The host has written memory while no kernel runs.
    virtual void host_writes(Address begin, std::uint64_t bytes) = 0;
    virtual void add_statistics(stats::Tree& tree) = 0;
};

// For a machine with an interconnect. `core_mhz`: the SMs' clock; `block`: bytes of a line of their data caches.
[[nodiscard]] std::unique_ptr<MemorySystem> make_memory_system(const config::Machine& machine, unsigned sms,
                                                               double core_mhz, unsigned block);

} // namespace heddle::mem
