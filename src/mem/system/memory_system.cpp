#include "mem/system/memory_system.h"

#include <algorithm>
#include <bit>

#include "mem/network/allocator.h"
#include "mem/system/sized_memory_system.h"

namespace heddle::mem {

std::unique_ptr<MemorySystem> make_memory_system(const config::Machine& machine, unsigned sms, double core_mhz,
                                                 unsigned block) {
    const auto slices = static_cast<unsigned>(machine.get<LlcConfig>().slices);
    const auto channels = static_cast<unsigned>(machine.get<DramConfig>().channels);
    return with_ports(std::max({sms, slices, channels}), [&]<class PortMask>() -> std::unique_ptr<MemorySystem> {
        return std::make_unique<SizedMemorySystem<PortMask>>(machine, sms, core_mhz, block);
    });
}

void PathStats::count_load(const Transaction& t, Cycle at) {
    const auto bucket = [](Cycle latency) {
        return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(latency)), kBuckets - 1);
    };
    const Cycle all = at - t.request.sent;
    ++loads;
    total += all;
    request_network += t.arrived - t.request.sent;
    reply_network += at - t.answered;
    if (t.from_memory) {
        ++from_memory;
        slice += t.missed - t.arrived;
        memory += t.answered - t.missed;
        ++memory_latency[bucket(all)];
    } else {
        slice += t.answered - t.arrived;
        ++llc_latency[bucket(all)];
    }
}

std::span<const stats::Statistic<PathStats>> PathStats::statistics() {
    using S = PathStats;
    static const stats::Statistic<S> table[] = {
        {"loads", &S::loads, "requests", "line requests of loads that were answered"},
        {"from_memory", &S::from_memory, "requests", "of these, requests whose line came from memory"},
        {"total", &S::total, "cycles", "sum over them, from leaving the SM to coming back"},
        {"request_network", &S::request_network, "cycles", "of that, on the way to the slice"},
        {"slice", &S::slice, "cycles", "of that, in the slice: its queue and the look-up"},
        {"memory", &S::memory, "cycles", "of that, from the miss in the slice to the line's arrival there"},
        {"reply_network", &S::reply_network, "cycles", "of that, on the way back"},
        {"llc_latency", &S::llc_latency, "requests",
         "requests that the last-level cache answered, by total cycles: bucket b has those below 2^b"},
        {"memory_latency", &S::memory_latency, "requests",
         "requests whose line came from memory, by total cycles: bucket b has those below 2^b"},
        {"channel_bytes", &S::channel_bytes, "bytes", "bytes over the data bus, by DRAM channel"},
        {"channel_busy", &S::channel_busy, "clocks", "clocks in which the data bus transferred, by DRAM channel"},
    };
    return table;
}

std::span<const stats::Formula> PathStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_latency", "total", "loads", "cycles from an SM's cache to memory and back"},
        {"request_network_share", "request_network", "total", "share of them on the way to the slice"},
        {"slice_share", "slice", "total", "share of them in the slice"},
        {"memory_share", "memory", "total", "share of them in memory"},
        {"reply_network_share", "reply_network", "total", "share of them on the way back"},
        {"memory_rate", "from_memory", "loads", "share of the requests whose line came from memory"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::PathStats, "memory_path", "the way of a load from its SM to memory and back")
