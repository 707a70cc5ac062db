#include "gpu/gpu_config.h"

#include <numeric>

#include <fmt/format.h>

#include "mem/dram/config.h"
#include "mem/network/config.h"
#include "mem/network/gpc_config.h"
#include "mem/system/llc_config.h"
#include "sm/frame/core_config.h"

namespace heddle::gpu {
namespace {

// Settings that are not possible without an interconnect.
void direct_problems(const GpuConfig& gpu, const mem::LlcConfig& llc, const mem::DramConfig& dram,
                     std::vector<std::string>& out) {
    const auto needs = [&](std::string_view setting) {
        out.push_back(fmt::format("interconnect.kind = 'none' leads one SM to one simple DRAM channel; {} needs "
                                  "interconnect.kind = 'crossbar'",
                                  setting));
    };
    if (gpu.sms != 1)
        needs(fmt::format("gpu.sms = {}", gpu.sms));
    if (llc.size != 0)
        needs(fmt::format("llc.size = {}", llc.size));
    if (dram.channels != 1)
        needs(fmt::format("dram.channels = {}", dram.channels));
    if (dram.model != "simple")
        needs(fmt::format("dram.model = '{}'", dram.model));
}

// Settings that llc.coherence = 'mesi' needs.
void coherence_problems(const mem::InterconnectConfig& network, const mem::LlcConfig& llc,
                        const sm::DCacheConfig& dcache, std::vector<std::string>& out) {
    const auto needs = [&](bool there, std::string_view what, std::string_view value, std::string_view need) {
        if (!there)
            out.push_back(fmt::format("{} = {}: llc.coherence = 'mesi' needs {}", what, value, need));
    };
    const auto quoted = [](std::string_view text) { return fmt::format("'{}'", text); };
    needs(network.kind != "none", "interconnect.kind", quoted(network.kind),
          "interconnect.kind = 'crossbar': the directory stands behind it");
    needs(llc.size != 0, "llc.size", "0", "a last level, in whose lines the directory is");
    needs(llc.allocate == "miss", "llc.allocate", quoted(llc.allocate),
          "'miss': copies of the line that makes room go before its place is taken");
    needs(dcache.allocate == "miss", "dcache.allocate", quoted(dcache.allocate),
          "'miss': the place of a line tells what is on its way for it");
    needs(dcache.write == "back", "dcache.write", quoted(dcache.write), "'back': stores are done in the cache's line");
    needs(dcache.write_local == "back", "dcache.write_local", quoted(dcache.write_local),
          "'back': stores are done in the cache's line");
    needs(dcache.write_allocate, "dcache.write_allocate", "false", "true: a store that misses fetches its line");
    needs(dcache.store_waits, "dcache.store_waits", "false", "true: a store waits for the permission to write");
    needs(dcache.flush == "never", "dcache.flush", quoted(dcache.flush),
          "'never': the directory keeps what a flush is for");
    needs(!dcache.ideal, "dcache.ideal", "true", "false: an ideal cache asks nobody");
    needs(dcache.bypass == "none", "dcache.bypass", quoted(dcache.bypass),
          "'none': the directory counts a line that was sent for as a copy");
    needs(llc.prefetch == "none", "llc.prefetch", quoted(llc.prefetch),
          "'none': a line that makes room for a prefetch may have copies, which would have to be recalled");
}

void channel_problems(const mem::LlcConfig& llc, const mem::DramConfig& dram, std::vector<std::string>& out) {
    constexpr std::uint64_t kMost = mem::LlcConfig::kMostChannels;
    if (llc.slices % dram.channels == 0)
        return;
    if (dram.channels % llc.slices != 0)
        out.push_back(fmt::format("dram.channels = {} neither divides llc.slices = {} nor is a multiple of it: each "
                                  "channel serves as many slices, or each slice has as many channels",
                                  dram.channels, llc.slices));
    else if (dram.channels / llc.slices > kMost)
        out.push_back(fmt::format("dram.channels = {} and llc.slices = {}: a slice has at most {} channels",
                                  dram.channels, llc.slices, kMost));
}

// What is wrong with GPCs that hold fewer SMs, or other TPCs, than the device has.
void gpc_problems(const GpuConfig& gpu, const config::Machine& machine, std::vector<std::string>& out) {
    const auto gpcs = machine.get<mem::GpcConfig>();
    if (!gpcs.any()) {
        if (machine.get<LaunchConfig>().by_gpc)
            out.push_back("launch.by_gpc = true needs the GPCs of gpc.sms");
        return;
    }
    if (machine.get<mem::InterconnectConfig>().kind == "none")
        out.push_back("gpc.sms needs interconnect.kind = 'crossbar': the ports of GPCs are ports of the network");
    const std::vector<std::uint64_t> sizes = gpcs.sizes();
    if (const std::uint64_t sms = std::reduce(sizes.begin(), sizes.end()); !sizes.empty() && sms < gpu.sms)
        out.push_back(fmt::format("gpc.sms = '{}' are {} SMs, fewer than gpu.sms = {}", gpcs.sms, sms, gpu.sms));
    if (const auto launch = machine.get<LaunchConfig>(); launch.group != gpcs.tpc_sms)
        out.push_back(fmt::format("gpc.tpc_sms = {} and launch.group = {}: both are the SMs of a TPC", gpcs.tpc_sms,
                                  launch.group));
}

} // namespace

std::vector<std::string> GpuConfig::problems(const config::Machine& machine) const {
    const auto network = machine.get<mem::InterconnectConfig>();
    const auto llc = machine.get<mem::LlcConfig>();
    const auto dram = machine.get<mem::DramConfig>();
    const auto dcache = machine.get<sm::DCacheConfig>();
    const auto icache = machine.get<sm::ICacheConfig>();
    const auto ccache = machine.get<sm::CCacheConfig>();
    const auto tcache = machine.get<sm::TCacheConfig>();
    std::vector<std::string> out;
    if (network.kind == "none")
        direct_problems(*this, llc, dram, out);
    if (llc.coherence == "mesi")
        coherence_problems(network, llc, dcache, out);
    gpc_problems(*this, machine, out);
    channel_problems(llc, dram, out);
    const auto fits = [&](std::string_view name, std::uint64_t line) {
        if (llc.size != 0 && line > llc.line)
            out.push_back(fmt::format("{} = {} is longer than llc.line = {}", name, line, llc.line));
        if (network.kind != "none" && line > llc.interleave)
            out.push_back(fmt::format("{} = {} is longer than llc.interleave = {}: a line would lie in two slices",
                                      name, line, llc.interleave));
        if (line > dram.row_bytes)
            out.push_back(fmt::format("{} = {} is longer than a row: dram.row_bytes = {}", name, line, dram.row_bytes));
    };
    fits("dcache.line", dcache.line);
    fits("icache.line", icache.line);
    if (ccache.size != 0)
        fits("ccache.line", ccache.line);
    if (tcache.size != 0)
        fits("tcache.line", tcache.line);
    if (llc.size != 0 && llc.line > dram.row_bytes)
        out.push_back(fmt::format("llc.line = {} is longer than a row: dram.row_bytes = {}", llc.line, dram.row_bytes));
    return out;
}

std::span<const config::Parameter<GpuConfig>> GpuConfig::parameters() {
    using C = GpuConfig;
    static const config::Parameter<C> table[] = {
        {"sms", &C::sms, "SMs", "1..1024", "SMs of the device", "LWM11 Table 1"},
        {"sm_order", &C::sm_order, "", "ascending|descending|shuffled",
         "order in which the SMs are simulated in a window; results do not depend on it (used in tests of this)",
         "none"},
    };
    return table;
}

std::span<const config::Parameter<LaunchConfig>> LaunchConfig::parameters() {
    using C = LaunchConfig;
    static const config::Parameter<C> table[] = {
        {"latency", &C::latency, "cycles", "0..1000000",
         "from a launch, or the end of the kernel before it, to its first block; the cycles of the kernel have it",
         "Zhang et al., IPDPS 2020: 1.1 us back to back"},
        {"group", &C::group, "SMs", "1..64",
         "SMs of a TPC, which have neighbouring numbers: blocks go first to one SM of each TPC, then to the next one",
         "V100 and later: 2"},
        {"by_gpc", &C::by_gpc, "", "",
         "whether blocks go to all SMs of a GPC, each of which gets one, before those of the next GPC",
         "an H200: the SM of each block of several launches"},
    };
    return table;
}

} // namespace heddle::gpu

HEDDLE_CONFIG_SECTION(heddle::gpu::GpuConfig, "the device as a whole")
HEDDLE_CONFIG_SECTION(heddle::gpu::LaunchConfig, "how kernels begin")
