#include "mem/dram/dram.h"

#include <algorithm>
#include <bit>

namespace heddle::mem {

Dram::Dram(const DramConfig& config)
    : config_(config), row_shift_(static_cast<unsigned>(std::countr_zero(config.row_bytes))), banks_(config.banks),
      bus_(config.bus == "arrival" ? DataBus::Order::Arrival : DataBus::Order::Ready) {
    if (!config.mapping.empty())
        map_.emplace(config.mapping, config.banks, config.row_bytes);
}

DramPlace Dram::place(Address address) const {
    if (map_)
        return map_->place(address);
    const std::uint64_t row_number = address >> row_shift_;
    return {row_number / config_.banks, static_cast<unsigned>(row_number % config_.banks)};
}

// The cycle in which the bank can take a column command for `row`.
Cycle Dram::open_row(Bank& bank, std::uint64_t row, Cycle now) {
    const Cycle start = std::max(now, bank.free);
    if (bank.row == row) {
        ++stats_.row_hits;
        return start;
    }
    const bool closed = bank.row == ~std::uint64_t{0};
    ++(closed ? stats_.row_closed : stats_.row_conflicts);
    stats_.precharges += closed ? 0 : 1;
    ++stats_.activates;
    bank.row = row;
    return start + (config_.row_conflict - config_.row_hit);
}

Cycle Dram::request(Address address, std::uint64_t bytes, DramUse use, Cycle now, unsigned operations) {
    const DramPlace at = place(address);
    Bank& bank = banks_[at.bank];
    const Cycle transfer = (bytes + config_.bytes_per_cycle - 1) / config_.bytes_per_cycle;
    const Cycle column = open_row(bank, at.row, now);
    bank.free = column + transfer;
    const Cycle latency = std::max(config_.row_hit, transfer);
    const Cycle held = transfer + (operations - 1);
    const Cycle done = bus_.book(column + latency - transfer, held, now) + held;

    stats_.bytes += bytes;
    stats_.bus_busy += transfer;
    switch (use) {
    case DramUse::Read:
        ++stats_.reads;
        stats_.count_read(done - now);
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

std::span<const stats::Statistic<DramStats>> DramStats::statistics() {
    using S = DramStats;
    static const stats::Statistic<S> table[] = {
        {"reads", &S::reads, "requests", "lines read for the caches"},
        {"writes", &S::writes, "requests", "dirty lines written back"},
        {"atomics", &S::atomics, "requests", "lines on which atomic operations were done"},
        {"row_hits", &S::row_hits, "requests", "requests to the open row of their bank"},
        {"row_conflicts", &S::row_conflicts, "requests", "requests that had to close another row first"},
        {"row_closed", &S::row_closed, "requests", "requests to a bank without an open row"},
        {"activates", &S::activates, "commands", "rows opened"},
        {"precharges", &S::precharges, "commands", "rows closed"},
        {"turnarounds", &S::turnarounds, "times", "changes between reads and writes on the data bus (timed model)"},
        {"refreshes", &S::refreshes, "times", "refreshes of all banks of a channel (timed model)"},
        {"power_downs", &S::power_downs, "times", "requests that found the chips powered down (timed model)"},
        {"bytes", &S::bytes, "bytes", "bytes over the data bus"},
        {"bus_busy", &S::bus_busy, "cycles", "cycles in which the data bus transferred"},
        {"found_queued", &S::found_queued, "requests",
         "sum over requests of those that were in the channel's queue when they came"},
        {"read_latency", &S::read_latency, "cycles", "sum over reads, from the request to its completion"},
        {"read_latencies", &S::read_latencies, "requests", "reads that took 2^i to 2^(i+1) - 1 cycles, for every i"},
    };
    return table;
}

std::span<const stats::Formula> DramStats::formulas() {
    static const stats::Formula table[] = {
        {"row_hit_rate", "row_hits", "row_hits+row_conflicts+row_closed", "share of requests to an open row"},
        {"mean_read_latency", "read_latency", "reads", "cycles from a read's request to its completion"},
        {"mean_found_queued", "found_queued", "reads+writes+atomics", "requests in the queue when another comes"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::DramStats, "dram", "main memory")
