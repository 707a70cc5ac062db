// The section [l1].
#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "mem/system/llc_config.h"
#include "sm/frame/core_config.h"

namespace heddle::sm {

DCacheConfig dcache_of(const config::Machine& machine) {
    auto out = machine.get<DCacheConfig>();
    out.sector = machine.get<L1Config>().sector;
    return out;
}

std::vector<std::uint64_t> L1Config::shared_sizes() const {
    std::vector<std::uint64_t> out;
    const char* at = carve_outs.data();
    const char* const end = at + carve_outs.size();
    while (at != end) {
        std::uint64_t kib = 0;
        const auto [rest, error] = std::from_chars(at, end, kib);
        if (error != std::errc() || (rest != end && *rest != ' ') || (!out.empty() && kib * 1024 <= out.back()))
            return {};
        out.push_back(kib * 1024);
        at = rest == end ? end : rest + 1;
    }
    return out;
}

namespace {

// What is wrong with the sizes of shared memory: the rest of the array has to be whole ways of the data cache.
void carve_out_problems(const L1Config& l1, const config::Machine& machine, std::vector<std::string>& out) {
    const auto dcache = machine.get<DCacheConfig>();
    const std::uint64_t way = dcache.size / dcache.ways;
    const std::vector<std::uint64_t> sizes = l1.shared_sizes();
    if (sizes.empty()) {
        out.push_back(fmt::format("l1.carve_outs = '{}' is no list of KiB; write them ascending, for example '0 8 96'",
                                  l1.carve_outs));
        return;
    }
    for (const std::uint64_t size : sizes)
        if (size >= dcache.size || size % way != 0)
            out.push_back(
                fmt::format("l1.carve_outs has {} KiB, which leaves no whole ways of dcache.size / dcache.ways "
                            "= {} bytes",
                            size / 1024, way));
    if (sizes.back() != machine.get<SharedConfig>().size)
        out.push_back(fmt::format("l1.carve_outs ends with {} KiB, shared.size = {} is another size",
                                  sizes.back() / 1024, machine.get<SharedConfig>().size));
    if (dcache.flush != "kernel")
        out.push_back("l1.carve_outs needs dcache.flush = 'kernel': the cache is empty when its size changes");
}

} // namespace

std::vector<std::string> L1Config::problems(const config::Machine& machine) const {
    const auto dcache = machine.get<DCacheConfig>();
    std::vector<std::string> out;
    if (sector != 0)
        out = dcache.sector_problems("dcache", "l1.sector", sector);
    if (sector != 0 && machine.get<mem::LlcConfig>().size == 0)
        out.push_back("l1.sector needs a last level: llc.size = 0");
    if ((sector != 0 || !carve_outs.empty()) && machine.get<CoreConfig>().model != "scoreboard")
        out.push_back(fmt::format("l1.sector and l1.carve_outs are of core.model = 'scoreboard', not '{}'",
                                  machine.get<CoreConfig>().model));
    if ((look_ups != 0 || bytes != 0) && dcache.banks == 0)
        out.push_back("l1.look_ups and l1.bytes need dcache.banks: they are beside the cycles of its banks");
    if (!carve_outs.empty())
        carve_out_problems(*this, machine, out);
    return out;
}

std::span<const config::Parameter<L1Config>> L1Config::parameters() {
    using C = L1Config;
    static const config::Parameter<C> table[] = {
        {"sector", &C::sector, "bytes", "0|32|64",
         "part of a line that is fetched by itself, of which a line has at most four; a store writes its bytes and "
         "fetches nothing; 0: lines come as a whole",
         "V100 and later (mt4g): 32"},
        {"look_ups", &C::look_ups, "lines", "0..32",
         "tags that are looked up in a cycle: an access to n lines takes at least 1 + (n - 1) / look_ups cycles; 0: no "
         "such limit beside the banks",
         "A100, H200 (gpu-benches): 4"},
        {"bytes", &C::bytes, "bytes", "0..1024",
         "data of threads that an access moves in a cycle; 0: no such limit beside the banks",
         "V100, A100, H200 (gpu-benches): 128"},
        {"carve_outs", &C::carve_outs, "KiB", "",
         "sizes of shared memory, ascending, in an array that has dcache.size bytes: a kernel gets the smallest with "
         "which as many blocks are resident as with the largest, and the data cache the rest; empty: an array of its "
         "own",
         "CUDA C++ Programming Guide"},
        {"reserve", &C::reserve, "bytes", "0..65536", "shared memory that the system takes of each block",
         "CUDA C++ Programming Guide: 1 KiB from compute capability 8.0 on"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::L1Config, "sectors, throughput and size of the data cache of chips after 2017")
