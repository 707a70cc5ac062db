// Main memory with banks, open row buffers and a shared data bus, served first come first served (LWM11 Table 1).
//
// Commands of one bank run in order, and banks overlap. A line takes the data bus when its bank has it and the bus is
// free, or (dram.bus = arrival) after the lines of all requests before it. A request never waits for a later one, so
// its whole future is known when it is queued: request() is arithmetic and memory never ticks.
//
//   row hit       column command when the bank is free
//   row conflict  (conflict - hit) cycles to close and open rows first; also for a bank without an open row
//   data          the last byte arrives `hit` cycles after the column command, later when the bus is taken;
//                 a transfer holds the bus for bytes / bandwidth cycles
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/types.h"
#include "mem/dram/address_map.h"
#include "mem/dram/config.h"
#include "mem/dram/data_bus.h"
#include "stats/statistic.h"

namespace heddle::mem {

// Of one channel. Cycles are those of its clock.
struct DramStats {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t atomics = 0;
    std::uint64_t row_hits = 0;
    std::uint64_t row_conflicts = 0;
    std::uint64_t row_closed = 0;
    std::uint64_t activates = 0;
    std::uint64_t precharges = 0;
    std::uint64_t turnarounds = 0;
    std::uint64_t refreshes = 0;
    std::uint64_t power_downs = 0;
    std::uint64_t bytes = 0;
    std::uint64_t bus_busy = 0;
    std::uint64_t found_queued = 0;
    std::uint64_t read_latency = 0;
    stats::Histogram read_latencies = stats::Histogram(kLatencyBuckets);
    static std::span<const stats::Statistic<DramStats>> statistics();
    static std::span<const stats::Formula> formulas();

    void count_read(Cycle latency) {
        read_latency += latency;
        const auto bucket = static_cast<unsigned>(std::bit_width(latency | 1)) - 1;
        ++read_latencies[std::min(bucket, kLatencyBuckets - 1)];
    }

private:
    static constexpr unsigned kLatencyBuckets = 24; // the last one: 2^23 cycles and more
};

enum class DramUse : std::uint8_t { Read, Write, Atomic };

class Dram {
public:
    explicit Dram(const DramConfig& config);

    // Queues a transfer of `bytes` at `address` at cycle `now` (never before an earlier request's); gives the cycle in
    // which its last byte is there. `operations`: most atomic operations
    // on one word of an Atomic; the memory does one a cycle.
    Cycle request(Address address, std::uint64_t bytes, DramUse use, Cycle now, unsigned operations = 1);

    [[nodiscard]] DramStats& stats() {
        return stats_;
    }

private:
    struct Bank {
        std::uint64_t row = ~std::uint64_t{0}; // open row; all ones: none
        Cycle free = 0;                        // when it can take the next command
    };

    [[nodiscard]] DramPlace place(Address address) const;
    Cycle open_row(Bank& bank, std::uint64_t row, Cycle now);

    DramConfig config_;
    unsigned row_shift_;
    std::optional<AddressMap> map_; // nothing: consecutive rows lie in consecutive banks, whose number may be any
    std::vector<Bank> banks_;
    DataBus bus_;
    DramStats stats_;
};

} // namespace heddle::mem
