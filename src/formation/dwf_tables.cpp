#include "formation/dwf_tables.h"

#include <bit>

#include <fmt/format.h>

namespace heddle::formation {

std::span<const config::Parameter<DwfConfig>> DwfConfig::parameters() {
    using C = DwfConfig;
    static const config::Parameter<C> table[] = {
        {"lanes", &C::lanes, "", "aware|ideal|conflict",
         "lanes that a thread may take in a warp. aware: its home lane; ideal: any lane, without penalty and with an "
         "unlimited PC-warp LUT; conflict: any lane, and k threads of one home lane take k register-file cycles",
         "DWF07 4.1, 6"},
        {"miss", &C::miss, "", "unit|thread",
         "threads of a warp with hits and misses that wait for memory. unit: all; thread: those that missed",
         "assumed: unit"},
        {"swizzle", &C::swizzle, "", "",
         "even and odd threads of every other row have swapped home lanes, so that threads can merge after a branch on "
         "their parity",
         "DWF07 4.1"},
        {"pool", &C::pool, "warps", "0..2048", "entries of the warp pool; 0: as many as the SM has threads",
         "DWF07 4.2, Table 1"},
        {"lut_entries", &C::lut_entries, "entries", "0 or power of two 1..4096",
         "entries of the PC-warp LUT; 0, and with lanes = ideal: one for each PC", "DWF07 Table 1"},
        {"lut_ways", &C::lut_ways, "ways", "power of two 1..4096", "associativity of the PC-warp LUT", "DWF07 Table 1"},
        {"extra_stages", &C::extra_stages, "stages", "0..8",
         "pipeline stages for register-file access, added to core.stages", "DWF07 6: one"},
    };
    return table;
}

std::vector<std::string> DwfConfig::problems() const {
    if (lut_entries == 0 || lut_ways <= lut_entries)
        return {};
    return {fmt::format("dwf.lut_ways = {} is more than dwf.lut_entries = {}", lut_ways, lut_entries)};
}

std::span<const stats::Statistic<DwfStats>> DwfStats::statistics() {
    using S = DwfStats;
    static const stats::Statistic<S> table[] = {
        {"warps", &S::warps, "warps", "warps formed: entries allocated in the pool"},
        {"full_warps", &S::full_warps, "warps", "warps that issued with a thread in every lane"},
        {"threads", &S::threads, "threads", "threads that came to the scheduler, counted at each instruction"},
        {"merged", &S::merged, "threads", "threads that joined a warp of the pool"},
        {"conflicts", &S::conflicts, "threads",
         "threads that started a new warp because their home lanes were taken, although the warp at their PC had free "
         "lanes"},
        {"lost_issued", &S::lost_issued, "threads",
         "threads that would have had room in the last warp at their PC if it had not issued"},
        {"lost_evicted", &S::lost_evicted, "threads",
         "threads that would have had room in a warp of the pool that the PC-warp LUT had dropped"},
        {"evictions", &S::evictions, "entries", "entries dropped from the PC-warp LUT although their warps had room"},
        {"stall_cycles", &S::stall_cycles, "cycles", "stall cycles for instructions with more than two next PCs"},
        {"pool", &S::pool, "warps",
         "warps formed, by the number of warps in the pool: class k counts numbers above 2^(k-1) up to 2^k"},
    };
    return table;
}

std::span<const stats::Formula> DwfStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_threads", "threads", "warps", "mean number of threads of a warp"},
        {"merged_share", "merged", "threads", "share of the threads that joined a warp of the pool"},
    };
    return table;
}

namespace {

// Bits of an index below n.
unsigned index_bits(unsigned n) {
    return static_cast<unsigned>(std::bit_width(n - 1));
}

// A structure whose area is in DWF07 for `paper_bits` bits.
cost::HardwareCost with_area(std::string structure, std::uint64_t entries, std::uint64_t bits, std::string note,
                             double mm2, std::uint64_t paper_bits) {
    return {std::move(structure), entries, bits, "DWF07 Table 1, 4.4", std::move(note), mm2, paper_bits};
}

// 4.4: a decoder for each lane of the register file of 8192 registers, which every core has.
void add_register_file(std::vector<cost::HardwareCost>& out, unsigned width, unsigned threads) {
    constexpr double kOneDecoder = 5.7085, kDecoderALane = 16 * 0.3773;
    constexpr std::uint64_t kBits = 8192 * 32;
    constexpr unsigned kThreads = 256, kRegisters = 32; // a thread
    const double decoders = kDecoderALane - kOneDecoder;
    out.push_back({"register file decoders", width, 0, "DWF07 4.4",
                   threads == kThreads ? "a decoder a lane: the difference of the next two"
                                       : fmt::format("a decoder a lane: the difference of the next two; area scaled "
                                                     "by threads from {:.4f} mm2 for {}",
                                                     decoders, kThreads),
                   decoders * threads / kThreads});
    const auto add_file = [&](const char* name, const char* note, double mm2) {
        out.push_back({name, std::uint64_t{kRegisters} * threads, 32, "DWF07 4.4", note, mm2, kBits, true});
    };
    add_file("register file, one decoder", "of warps that stay as they are", kOneDecoder);
    add_file("register file, a decoder a lane", "a bank a lane", kDecoderALane);
}

} // namespace

std::vector<cost::HardwareCost> dwf_hardware_cost(const DwfConfig& config, unsigned width, unsigned threads,
                                                  unsigned pool) {
    const unsigned tid = index_bits(threads), idx = index_bits(pool);
    const unsigned pc = 32, heuristic = 8; // Table 1
    // Table 1 prints REQ with 8 bits for 16 lanes.
    const unsigned req = (width + 1) / 2;
    const bool unlimited = config.lut_entries == 0 || config.lanes == "ideal";
    std::vector<cost::HardwareCost> out;
    out.push_back(
        with_area("warp update registers", 2, tid * width + pc + req,
                  fmt::format("TID {} x {}, PC {}, REQ {} as Table 1 prints it, half a bit a lane; with a bit a "
                              "lane {} bits in all",
                              tid, width, pc, req, 2 * (tid * width + pc + width)),
                  0.008, 336));
    if (unlimited)
        out.push_back({"PC-warp LUT", 0, pc + width + idx, "DWF07 Table 1", "unlimited: no hardware", 0});
    else
        out.push_back(with_area("PC-warp LUT", config.lut_entries, pc + width + idx,
                                fmt::format("PC {}, OCC {}, IDX {}; {}-way", pc, width, idx, config.lut_ways), 0.189,
                                1792));
    out.push_back(with_area("warp pool", pool, tid * width + pc + heuristic,
                            fmt::format("TID {} x {}, PC {}, scheduling data {}", tid, width, pc, heuristic), 0.702,
                            43008));
    out.push_back(with_area("warp allocator", pool, idx, fmt::format("IDX {}", idx), 0.061, 2048));
    add_register_file(out, width, threads);
    return out;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::DwfConfig, "dynamic warp formation (core.formation = dwf)")
HEDDLE_STATISTICS(heddle::formation::DwfStats, "dwf", "dynamic warp formation: warps formed and threads merged")
