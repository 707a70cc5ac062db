#include "mem/system/llc_config.h"

#include <bit>

#include <fmt/format.h>

namespace heddle::mem {

std::vector<std::string> LlcConfig::problems() const {
    if (size == 0)
        return absence_problems(kSection);
    std::vector<std::string> out;
    if (size % slices != 0) {
        out.push_back(fmt::format("llc.size = {} cannot be divided among llc.slices = {}", size, slices));
    } else {
        CacheConfig slice = *this;
        slice.size = size / slices;
        for (const std::string& problem : slice.shape_problems("llc"))
            out.push_back(fmt::format("{} (of llc.slices = {}, each with its part of llc.size)", problem, slices));
    }
    if (slice_index == "ipoly" && !std::has_single_bit(slices))
        out.push_back(fmt::format("llc.slice_index = 'ipoly' takes a power of two of slices: llc.slices = {}", slices));
    if (interleave < line)
        out.push_back(fmt::format("llc.interleave = {} is shorter than llc.line = {}: a line would lie in two slices",
                                  interleave, line));
    return out;
}

std::span<const config::Parameter<LlcConfig>> LlcConfig::parameters() {
    using C = LlcConfig;
    static const auto table = [] {
        auto out = cache_parameters<C>("0|1024..1073741824");
        const config::Parameter<C> more[] = {
            {"slices", &C::slices, "slices", "1..1024",
             "parts of memory that the network leads to, each with its part of the cache if there is one; each DRAM "
             "channel has as many, or each slice as many channels",
             "PRO Table I; DWF07 Table 2"},
            {"interleave", &C::interleave, "bytes", "power of two 64..65536",
             "bytes that lie in one slice before the next one has its turn", "assumed"},
            {"slice_index", &C::slice_index, "", "linear|hashed|ipoly",
             "whether the slices take turns in the same order throughout, or in an order that depends on the higher "
             "address bits; ipoly: as the remainder of the address by a primitive polynomial says, of a power of two "
             "of "
             "slices",
             "assumed"},
            {"queue", &C::queue, "requests", "1..4096",
             "requests that a slice holds before it has looked them up, beside one for each tick of llc.latency, and "
             "as "
             "many answers before they leave",
             "assumed"},
            {"clock_mhz", &C::clock_mhz, "MHz", "0..100000", "clock of the slices; 0: the core's", "PRO Table I"},
            {"coherence", &C::coherence, "", "none|mesi",
             "whether a directory keeps the data caches coherent, each line of which is then in the last level too",
             "MAWS Table 3: mesi"},
        };
        out.insert(out.end(), std::begin(more), std::end(more));
        return out;
    }();
    return table;
}

LlcConfig llc_of(const config::Machine& machine) {
    auto out = machine.get<LlcConfig>();
    const auto l2 = machine.get<L2Config>();
    out.sector = l2.sector;
    out.atomic_latency = l2.atomic_latency;
    out.write_ticks = l2.write_ticks;
    return out;
}

std::vector<std::string> L2Config::problems(const config::Machine& machine) const {
    const auto llc = machine.get<LlcConfig>();
    std::vector<std::string> out;
    partition_problems(llc, out);
    if (host_copies && (llc.size == 0 || llc.coherence != "none"))
        out.push_back(fmt::format("l2.host_copies = true needs a last level without a directory: llc.size = {}, "
                                  "llc.coherence = '{}'",
                                  llc.size, llc.coherence));
    if (sector == 0) {
        if (write_ticks != 0)
            out.push_back("l2.write_ticks is of a last level with sectors: l2.sector = 0");
        return out;
    }
    if (llc.size == 0)
        out.push_back("l2.sector needs a last level: llc.size = 0");
    for (const std::string& problem : llc.sector_problems("llc", "l2.sector", sector))
        out.push_back(problem);
    if (llc.coherence != "none")
        out.push_back(fmt::format("l2.sector = {}: llc.coherence = '{}' is of whole lines", sector, llc.coherence));
    return out;
}

void L2Config::partition_problems(const LlcConfig& llc, std::vector<std::string>& out) const {
    if (partitions == 1)
        return;
    if (llc.size == 0)
        out.push_back(fmt::format("l2.partitions = {} needs a last level: llc.size = 0", partitions));
    if (llc.coherence != "none")
        out.push_back(fmt::format("l2.partitions = {}: the directory of llc.coherence = '{}' knows no partitions",
                                  partitions, llc.coherence));
    if (llc.slices % partitions != 0)
        out.push_back(fmt::format("l2.partitions = {} does not divide llc.slices = {}", partitions, llc.slices));
}

std::span<const config::Parameter<L2Config>> L2Config::parameters() {
    using C = L2Config;
    static const config::Parameter<C> table[] = {
        {"sector", &C::sector, "bytes", "0|32|64",
         "part of a line that is fetched and written back by itself, of which a line has at most four; a store fetches "
         "nothing; 0: lines come as a whole",
         "V100 and later (mt4g): 32"},
        {"partitions", &C::partitions, "partitions", "1..16",
         "parts of the slices, in order of their numbers, that are not equally far from an SM",
         "white papers of A100 and H100: 2"},
        {"partition_sms", &C::partition_sms, "SMs", "1..1024",
         "SMs with neighbouring numbers that are near one partition, before the next partition has its turn; with "
         "[gpc] GPCs take turns instead",
         "Accel-Sim 2.0: 8"},
        {"far_latency", &C::far_latency, "cycles", "0..10000",
         "core cycles by which an answer from a slice of another partition comes later", "mt4g on an A100: 134"},
        {"copies", &C::copies, "", "",
         "whether reads leave copies of lines of other partitions in the slices of an SM's partition, among their own "
         "lines; writes take them away",
         "Fan et al., Dissecting How Die Scaling Breaks GPU Fine-grained Scheduling"},
        {"atomic_latency", &C::atomic_latency, "cycles", "0..1000",
         "core cycles from the look-up of an atomic operation's line to its result, beside a tick for each operation "
         "on one word",
         "Accel-Sim's tuner on a TITAN V: 32 more than what else an atomic operation takes"},
        {"write_ticks", &C::write_ticks, "ticks", "0..64",
         "ticks of a slice that a write takes beside one for each of its sectors; 0: it takes one tick in all",
         "an H100 and an H200, whose SMs write 25.7 and 24.3 bytes a cycle and slice (validation/network.cu): 1"},
        {"host_copies", &C::host_copies, "", "",
         "whether what the host copies or sets lies in the last level afterwards, the end of it where that has less "
         "room; it copies the code of a kernel before its first launch",
         "an H200: a chase through what has just been copied takes 423 to 519 cycles a step, and 656 when other data "
         "have "
         "been set behind it (validation/memory_latency.cu)"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_CONFIG_SECTION(heddle::mem::LlcConfig,
                      "last-level cache, write-back and write-allocate, and the slices of memory")
HEDDLE_CONFIG_SECTION(heddle::mem::L2Config, "sectors of the last-level cache")
