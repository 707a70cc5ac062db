#include "mem/dram/config.h"

#include <bit>

#include <fmt/format.h>

#include "mem/dram/address_map.h"
#include "mem/dram/bank_timing.h"

namespace heddle::mem {

std::vector<std::string> DramConfig::problems() const {
    std::vector<std::string> out;
    if (row_conflict < row_hit)
        out.push_back(fmt::format("dram.row_conflict = {} is shorter than dram.row_hit = {}", row_conflict, row_hit));
    if (model == "timed")
        timed_problems(out);
    else if (!mapping.empty())
        mapping_problems(1, out);
    return out;
}

// `unbroken`: bytes that have to lie in one row.
void DramConfig::mapping_problems(std::uint64_t unbroken, std::vector<std::string>& out) const {
    if (!std::has_single_bit(banks))
        out.push_back(fmt::format("dram.banks = {}: with dram.mapping a power of two", banks));
    else
        for (std::string& problem : AddressMap::problems(mapping, banks, row_bytes, unbroken))
            out.push_back(std::move(problem));
}

void DramConfig::timed_problems(std::vector<std::string>& out) const {
    if (!std::has_single_bit(banks) || banks > kMaxTimedBanks)
        out.push_back(
            fmt::format("dram.banks = {}: dram.model = timed takes a power of two up to {}", banks, kMaxTimedBanks));
    else
        mapping_problems(burst_bytes(), out);
    if (banks % bank_groups != 0)
        out.push_back(fmt::format("dram.bank_groups = {} does not divide dram.banks = {}", bank_groups, banks));
    if (burst % data_per_clock != 0)
        out.push_back(fmt::format("dram.data_per_clock = {} does not divide dram.burst = {}", data_per_clock, burst));
    if (row_bytes % burst_bytes() != 0)
        out.push_back(fmt::format("dram.row_bytes = {} is no multiple of a burst: dram.bus_bytes * dram.burst = {}",
                                  row_bytes, burst_bytes()));
    if (t_rc < t_ras + t_rp)
        out.push_back(fmt::format("dram.t_rc = {} is shorter than dram.t_ras + dram.t_rp = {}", t_rc, t_ras + t_rp));
    if (t_refi != 0 && t_refi <= t_rfc + t_rc)
        out.push_back(
            fmt::format("dram.t_refi = {} leaves no time beside dram.t_rfc + dram.t_rc = {}", t_refi, t_rfc + t_rc));
    if (t_ccd_l != 0 && t_ccd_l < t_ccd)
        out.push_back(fmt::format("dram.t_ccd_l = {} is shorter than dram.t_ccd = {}", t_ccd_l, t_ccd));
    if (t_rtw != 0 && t_rtw + t_wl < t_cl + burst_clocks())
        out.push_back(fmt::format("dram.t_rtw = {}: the data bus keeps a write from following sooner than "
                                  "dram.t_cl + dram.burst / dram.data_per_clock - dram.t_wl = {}",
                                  t_rtw, t_cl + burst_clocks() - t_wl));
}

std::span<const config::Parameter<DramConfig>> DramConfig::parameters() {
    using C = DramConfig;
    constexpr std::string_view kGtx480 = "GTX 480 as GPGPU-Sim 4.2 configures it";
    static const config::Parameter<C> table[] = {
        {"model", &C::model, "", "simple|timed",
         "simple: row_hit, row_conflict and bytes_per_cycle, first come first served; timed: commands to banks under "
         "the t_ settings, without refresh",
         "LWM11 Table 1"},
        {"channels", &C::channels, "channels", "1..1024", "memory channels, each with all banks and its own queue",
         "LWM11 Table 1"},
        {"clock_mhz", &C::clock_mhz, "MHz", "0..100000", "timed: command clock; 0: the core's", "assumed"},
        {"queue", &C::queue, "requests", "0..65536", "requests that wait in a channel; 0: without bound", kGtx480},
        {"banks", &C::banks, "banks", "1..1024",
         "banks of a channel, each with one row buffer; timed: a power of two "
         "up to 64",
         "LWM11 Table 1"},
        {"row_bytes", &C::row_bytes, "bytes", "power of two 64..1048576",
         "size of a row buffer; consecutive rows lie in consecutive banks unless mapping says otherwise",
         "LWM11 Table 1; order of banks assumed"},
        {"row_hit", &C::row_hit, "cycles", "1..100000",
         "simple: from the command to the last byte when the row is open", "LWM11 Table 1"},
        {"row_conflict", &C::row_conflict, "cycles", "1..100000",
         "simple: from the command to the last byte when another row, or none, is open (at least row_hit)",
         "LWM11 Table 1; closed rows assumed"},
        {"bytes_per_cycle", &C::bytes_per_cycle, "bytes", "1..4096", "simple: bandwidth of the data bus",
         "LWM11 Table 1: 32 GB/s at an assumed 1 GHz"},
        {"bus", &C::bus, "", "ready|arrival",
         "simple: which line takes the data bus next. ready: the first whose bank has it, so that each bank serves its "
         "requests in order; arrival: that of the oldest request, so that all banks together do",
         "assumed: LWM11 Table 1 says first-come first-serve, 8 banks"},
        {"scheduler", &C::scheduler, "", "dram_scheduler", "timed: which request goes next", kGtx480},
        {"starvation", &C::starvation, "clocks", "0..1000000",
         "timed: a request that has waited for longer goes before every younger one; 0: no bound", kGtx480},
        {"page", &C::page, "", "open|closed",
         "timed: whether a row stays open, or is closed after the last request for it in the queue", kGtx480},
        {"mapping", &C::mapping, "", "",
         "low address bits of a channel, the most significant first: R row (begins it and takes all higher bits, too), "
         "B bank, C column; '_' and spaces are ignored; \"\": row, bank, column",
         "assumed"},
        {"bank_groups", &C::bank_groups, "groups", "1..64", "timed: bank b is in group b mod bank_groups", kGtx480},
        {"bus_bytes", &C::bus_bytes, "bytes", "1..1024", "timed: width of a channel's data bus",
         "GTX 480 as GPGPU-Sim 4.2 configures it: 2 chips of 4 bytes"},
        {"burst", &C::burst, "transfers", "1..256", "timed: transfers of one column command", kGtx480},
        {"sector", &C::sector, "bytes", "0..1024",
         "timed: a read comes in parts of so many bytes, each with bursts of its own, so that a part that is shorter "
         "than a burst wastes the rest of it; 0: in one part",
         "GPGPU-Sim 4.2: an L2 of 32-byte sectors before bursts of 64 bytes"},
        {"data_per_clock", &C::data_per_clock, "transfers", "1..256", "timed: transfers on the data bus in a clock",
         kGtx480},
        {"latency", &C::latency, "clocks", "0..100000",
         "timed: from a read's last byte on the bus to its completion, for all that is not modelled", kGtx480},
        {"t_cl", &C::t_cl, "clocks", "0..1000", "timed: read command to its first data", kGtx480},
        {"t_wl", &C::t_wl, "clocks", "0..1000", "timed: write command to its first data", kGtx480},
        {"t_rp", &C::t_rp, "clocks", "0..1000", "timed: precharge to activate, same bank", kGtx480},
        {"t_rc", &C::t_rc, "clocks", "0..1000", "timed: activate to activate, same bank", kGtx480},
        {"t_ras", &C::t_ras, "clocks", "0..1000", "timed: activate to precharge, same bank", kGtx480},
        {"t_rcd", &C::t_rcd, "clocks", "0..1000", "timed: activate to read or write, same bank", kGtx480},
        {"t_rrd", &C::t_rrd, "clocks", "0..1000", "timed: activate to activate, any two banks", kGtx480},
        {"t_faw", &C::t_faw, "clocks", "0..1000", "timed: first to fifth activate, any banks; 0: no such bound",
         "JESD212; GPGPU-Sim 4.2 has none"},
        {"t_refi", &C::t_refi, "clocks", "0..1000000",
         "timed: from one refresh of all banks to the next, which closes all rows; 0: none",
         "JESD212; GPGPU-Sim 4.2 has none"},
        {"t_rfc", &C::t_rfc, "clocks", "0..10000", "timed: refresh to activate", "JESD212; GPGPU-Sim 4.2 has none"},
        {"power_down", &C::power_down, "clocks", "0..1000000",
         "timed: clocks without a request until the chips are powered down; 0: never",
         "JESD212; GPGPU-Sim 4.2 has none"},
        {"t_xp", &C::t_xp, "clocks", "0..1000",
         "timed: from a request that finds the chips powered down to its command", "JESD212; GPGPU-Sim 4.2 has none"},
        {"t_ccd", &C::t_ccd, "clocks", "0..1000", "timed: read to read or write to write", kGtx480},
        {"t_ccd_l", &C::t_ccd_l, "clocks", "0..1000",
         "timed: column command to column command, same bank group; 0: as t_ccd", kGtx480},
        {"t_wr", &C::t_wr, "clocks", "0..1000", "timed: last data of a write to precharge, same bank", kGtx480},
        {"t_wtr", &C::t_wtr, "clocks", "0..1000", "timed: last data of a write to read, any bank (tCDLR)", kGtx480},
        {"t_rtw", &C::t_rtw, "clocks", "0..1000",
         "timed: read to write, any bank; 0: as soon as the data bus is free for it",
         "GTX 480 as GPGPU-Sim 4.2 configures it: CL + burst / 4 + 2 - WL"},
        {"t_rtp", &C::t_rtp, "clocks", "0..1000", "timed: read to precharge, same bank",
         "GTX 480 as GPGPU-Sim 4.2 configures it: burst / 4"},
        {"t_rtp_l", &C::t_rtp_l, "clocks", "0..1000", "timed: read to precharge, same bank group; 0: no such bound",
         kGtx480},
    };
    return table;
}

DramConfig dram_of(const config::Machine& machine) {
    auto out = machine.get<DramConfig>();
    out.dual_bus = machine.get<HbmConfig>().commands == "two";
    const auto gddr = machine.get<GddrConfig>();
    out.t_rcd_write = gddr.t_rcd_write;
    out.t_wtr_l = gddr.t_wtr_l;
    out.t_rfc_bank = gddr.t_rfc_bank;
    return out;
}

std::vector<std::string> HbmConfig::problems(const config::Machine& machine) const {
    if (commands == "two" && machine.get<DramConfig>().model != "timed")
        return {"hbm.commands = 'two' is of dram.model = 'timed'"};
    return {};
}

std::span<const config::Parameter<HbmConfig>> HbmConfig::parameters() {
    using C = HbmConfig;
    static const config::Parameter<C> table[] = {
        {"commands", &C::commands, "", "one|two",
         "buses for commands to a channel. one: a command a clock; two: in a clock an activate or precharge and, "
         "beside "
         "it, a read or write",
         "JEDEC JESD235: two"},
    };
    return table;
}

std::vector<std::string> GddrConfig::problems(const config::Machine& machine) const {
    const auto dram = machine.get<DramConfig>();
    std::vector<std::string> out;
    if (dram.model != "timed" && (t_rcd_write != 0 || t_wtr_l != 0 || t_rfc_bank != 0))
        out.emplace_back("the settings of [gddr] are of dram.model = 'timed'");
    if (t_wtr_l != 0 && t_wtr_l < dram.t_wtr)
        out.push_back(fmt::format("gddr.t_wtr_l = {} is shorter than dram.t_wtr = {}", t_wtr_l, dram.t_wtr));
    if (t_rfc_bank == 0)
        return out;
    if (dram.t_refi == 0)
        out.push_back(fmt::format("gddr.t_rfc_bank = {}, but dram.t_refi = 0: nothing is refreshed", t_rfc_bank));
    else if (dram.t_refi <= t_rfc_bank + dram.t_rc)
        out.push_back(fmt::format("dram.t_refi = {} leaves a bank no time beside gddr.t_rfc_bank + dram.t_rc = {}",
                                  dram.t_refi, t_rfc_bank + dram.t_rc));
    if (dram.t_refi % dram.banks != 0)
        out.push_back(fmt::format("dram.t_refi = {} is no multiple of dram.banks = {}: with gddr.t_rfc_bank the banks "
                                  "are refreshed one after another, equally far apart",
                                  dram.t_refi, dram.banks));
    return out;
}

std::span<const config::Parameter<GddrConfig>> GddrConfig::parameters() {
    using C = GddrConfig;
    static const config::Parameter<C> table[] = {
        {"t_rcd_write", &C::t_rcd_write, "clocks", "0..1000", "timed: activate to write, same bank; 0: as dram.t_rcd",
         "JEDEC JESD250: tRCDWR"},
        {"t_wtr_l", &C::t_wtr_l, "clocks", "0..1000",
         "timed: last data of a write to read, same bank group; 0: as dram.t_wtr", "JEDEC JESD250: tWTRL"},
        {"t_rfc_bank", &C::t_rfc_bank, "clocks", "0..10000",
         "timed: refresh of one bank to its activate. In dram.t_refi each bank is refreshed once, one after another, "
         "while the others go on; 0: all banks at once, in dram.t_rfc",
         "JEDEC JESD250: tRFCpb"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_CONFIG_SECTION(heddle::mem::DramConfig, "main memory")
HEDDLE_CONFIG_SECTION(heddle::mem::HbmConfig, "what HBM adds to the channels of main memory")
HEDDLE_CONFIG_SECTION(heddle::mem::GddrConfig, "what GDDR6 adds to the channels of main memory")
