#include "mem/dram.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace heddle::mem {

Dram::Dram(const DramConfig& config)
    : config_(config), row_shift_(static_cast<unsigned>(std::countr_zero(config.row_bytes))), banks_(config.banks) {}

// The cycle in which the bank can take a column command for `row`.
Cycle Dram::open_row(Bank& bank, std::uint64_t row, Cycle now) {
    const Cycle start = std::max(now, bank.free);
    if (bank.row == row) {
        ++stats_.row_hits;
        return start;
    }
    ++(bank.row == ~std::uint64_t{0} ? stats_.row_closed : stats_.row_conflicts);
    bank.row = row;
    return start + (config_.row_conflict - config_.row_hit);
}

Cycle Dram::request(Address address, std::uint64_t bytes, DramUse use, Cycle now, unsigned operations) {
    const std::uint64_t row_number = address >> row_shift_; // consecutive rows lie in consecutive banks
    Bank& bank = banks_[row_number % config_.banks];
    const Cycle transfer = (bytes + config_.bytes_per_cycle - 1) / config_.bytes_per_cycle;
    const Cycle column = open_row(bank, row_number / config_.banks, now);
    bank.free = column + transfer;
    const Cycle latency = std::max(config_.row_hit, transfer);
    const Cycle begin = std::max(column + latency - transfer, bus_free_);
    const Cycle done = begin + transfer + (operations - 1);
    bus_free_ = done;

    stats_.bytes += bytes;
    stats_.bus_busy += transfer;
    switch (use) {
    case DramUse::Read:
        ++stats_.reads;
        stats_.read_latency += done - now;
        break;
    case DramUse::Write:
        ++stats_.writes;
        break;
    case DramUse::Atomic:
        ++stats_.atomics;
        break;
    }
    return done;
}

std::vector<std::string> DramConfig::problems() const {
    if (row_conflict < row_hit)
        return {fmt::format("dram.row_conflict = {} is shorter than dram.row_hit = {}", row_conflict, row_hit)};
    return {};
}

std::span<const config::Parameter<DramConfig>> DramConfig::parameters() {
    using C = DramConfig;
    static const config::Parameter<C> table[] = {
        {"banks", &C::banks, "banks", "1..1024", "banks, each with one row buffer", "LWM11 Table 1"},
        {"row_bytes", &C::row_bytes, "bytes", "power of two 64..1048576",
         "size of a row buffer; consecutive rows lie in consecutive banks", "LWM11 Table 1; order of banks assumed"},
        {"row_hit", &C::row_hit, "cycles", "1..100000", "from the command to the last byte when the row is open",
         "LWM11 Table 1"},
        {"row_conflict", &C::row_conflict, "cycles", "1..100000",
         "the same when another row, or none, is open (at least row_hit)", "LWM11 Table 1; closed rows assumed"},
        {"bytes_per_cycle", &C::bytes_per_cycle, "bytes", "1..4096", "bandwidth of the data bus",
         "LWM11 Table 1: 32 GB/s at an assumed 1 GHz"},
    };
    return table;
}

std::span<const stats::Statistic<DramStats>> DramStats::statistics() {
    using S = DramStats;
    static const stats::Statistic<S> table[] = {
        {"reads", &S::reads, "requests", "lines read for the caches"},
        {"writes", &S::writes, "requests", "dirty lines written back"},
        {"atomics", &S::atomics, "requests", "lines on which atomic operations were done"},
        {"row_hits", &S::row_hits, "requests", "requests to the open row of their bank"},
        {"row_conflicts", &S::row_conflicts, "requests", "requests that had to close another row first"},
        {"row_closed", &S::row_closed, "requests", "requests to a bank without an open row"},
        {"bytes", &S::bytes, "bytes", "bytes over the data bus"},
        {"bus_busy", &S::bus_busy, "cycles", "cycles in which the data bus transferred"},
        {"read_latency", &S::read_latency, "cycles", "sum over reads, from the request to the last byte"},
    };
    return table;
}

std::span<const stats::Formula> DramStats::formulas() {
    static const stats::Formula table[] = {
        {"row_hit_rate", "row_hits", "row_hits+row_conflicts+row_closed", "share of requests to an open row"},
        {"mean_read_latency", "read_latency", "reads", "cycles from a read's request to its last byte"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_CONFIG_SECTION(heddle::mem::DramConfig, "main memory")
HEDDLE_STATISTICS(heddle::mem::DramStats, "dram", "main memory")
