#include "sm/frame/core_config.h"

#include <fmt/format.h>

#include "sched/scheduler.h"
#include "sm/frame/core.h"

namespace heddle::sm {
std::vector<std::string> CoreConfig::problems(const config::Machine& machine) const {
    if (threads % width != 0)
        return {fmt::format("core.threads = {} is not a multiple of core.width = {}", threads, width)};
    const auto how = make_formation(formation, machine);
    std::vector<std::string> out = how->problems();
    const sched::Share all{.units = how->units.capacity(), .block_slots = static_cast<unsigned>(blocks)};
    const auto which = sched::schedulers().make(scheduler, all, machine);
    if (const std::string why = which->objection(how->traits()); !why.empty())
        out.push_back(
            fmt::format("core.scheduler = '{}' cannot serve core.formation = '{}': {}", scheduler, formation, why));
    if (const std::string why = core_objection(model, *how); !why.empty())
        out.push_back(fmt::format("core.model = '{}' cannot run core.formation = '{}': {}", model, formation, why));
    if (how->needs().convergence_barriers && code != "native")
        out.push_back(fmt::format("core.formation = '{}' needs core.code = 'native': micro-ops of PTX have no "
                                  "convergence barriers, at which its threads meet",
                                  formation));
    if (dependences == "control") {
        constexpr std::string_view kNeeds = "core.dependences = 'control' needs";
        if (model != "scoreboard" || code != "native")
            out.push_back(fmt::format("{} core.model = 'scoreboard' and core.code = 'native': control bits are part of "
                                      "native code, and one core reads them",
                                      kNeeds));
        if (!how->needs().units_are_rows)
            out.push_back(fmt::format("{} a formation whose warps keep their threads; core.formation = '{}' does not: "
                                      "the counters belong to a warp",
                                      kNeeds, formation));
    }
    return out;
}

std::unique_ptr<formation::Formation> CoreConfig::make_formation(std::string_view name,
                                                                 const config::Machine& machine) const {
    const formation::Shape shape{static_cast<unsigned>(width), static_cast<unsigned>(threads / width),
                                 static_cast<unsigned>(blocks)};
    return formation::formations().make(name, shape, machine);
}

std::vector<std::string> ICacheConfig::problems() const {
    return shape_problems(kSection);
}

std::vector<std::string> CCacheConfig::problems() const {
    return size == 0 ? absence_problems(kSection) : shape_problems(kSection);
}

std::vector<std::string> TCacheConfig::problems() const {
    return size == 0 ? absence_problems(kSection) : shape_problems(kSection);
}

std::vector<std::string> DCacheConfig::problems() const {
    std::vector<std::string> out = shape_problems(kSection);
    const auto needs = [&](bool there, std::string_view key, std::string_view value, std::string_view need) {
        if (value != "none" && !there)
            out.push_back(fmt::format("dcache.{} = '{}' needs {}", key, value, need));
    };
    needs(!ideal, "prefetch", prefetch, "dcache.ideal = false: an ideal cache has no line on its way");
    needs(!ideal, "bypass", bypass, "dcache.ideal = false: an ideal cache has no line on its way");
    needs(mshrs != 0, "bypass", bypass, "a number of dcache.mshrs: they are searched for lines that have no way");
    return out;
}

std::span<const config::Parameter<CoreConfig>> CoreConfig::parameters() {
    using C = CoreConfig;
    static const config::Parameter<C> table[] = {
        {"model", &C::model, "", "core model", "core model: how instructions pass through the core", "LWM11 2.1"},
        {"code", &C::code, "", "ptx|native",
         "instructions that the core executes. ptx: micro-ops, one or a few for each PTX instruction; native: the code "
         "that heddle's back end makes for device.compute_capability",
         "docs/native-code.md"},
        {"dependences", &C::dependences, "", "scoreboard|control",
         "what an instruction waits for. scoreboard: results on their way to the registers that it names; control: "
         "what "
         "the control bits of native code say (core.model = 'scoreboard', core.code = 'native')",
         "Huerta et al., MICRO 2025: control"},
        {"formation", &C::formation, "", "formation", "warp formation: how threads form issue units", "LWM11 2.3"},
        {"scheduler", &C::scheduler, "", "scheduler", "warp scheduler: which ready unit issues next", "LWM11 2.1"},
        {"width", &C::width, "lanes", "power of two 1..64", "SIMD lanes; threads of a warp", "LWM11 Table 1"},
        {"threads", &C::threads, "threads", "1..4096", "resident threads of the SM", "LWM11 Table 1"},
        {"blocks", &C::blocks, "blocks", "1..256", "most resident thread blocks of the SM",
         "assumed: as many as warps"},
        {"stages", &C::stages, "stages", "4..32", "pipeline stages: fetch, decode, back end", "LWM11 Table 1"},
        {"registers", &C::registers, "registers", "0..16777216",
         "32-bit registers of the SM, a limit of its resident blocks; 0: no limit", "LWM11 Table 1; limit assumed"},
        {"register_unit", &C::register_unit, "registers", "1..65536", "registers of a warp are a multiple of this",
         "assumed"},
        {"register_files", &C::register_files, "files", "1..32",
         "parts of the registers, each for as many of the warps: those of a warp lie in one", "assumed"},
        {"shared_write_back", &C::shared_write_back, "", "",
         "an instruction that returns from memory uses the write-back stage instead of the pipeline for a cycle",
         "assumed; DWF07 4 has it"},
        {"clock_mhz", &C::clock_mhz, "MHz", "1..100000", "core clock, which converts cycles to seconds",
         "assumed: LWM11 gives bandwidth in GB/s only"},
    };
    return table;
}

std::span<const config::Parameter<ICacheConfig>> ICacheConfig::parameters() {
    using C = ICacheConfig;
    static const auto table = [] {
        auto out = mem::cache_parameters<C>("64..16777216");
        out.push_back({"instruction", &C::instruction, "bytes", "power of two 1..64",
                       "size of an instruction in memory", "assumed"});
        return out;
    }();
    return table;
}

std::span<const config::Parameter<CCacheConfig>> CCacheConfig::parameters() {
    static const auto table = mem::cache_parameters<CCacheConfig>("0|64..16777216");
    return table;
}

std::span<const config::Parameter<TCacheConfig>> TCacheConfig::parameters() {
    static const auto table = mem::cache_parameters<TCacheConfig>("0|64..16777216");
    return table;
}

std::span<const config::Parameter<DCacheConfig>> DCacheConfig::parameters() {
    using C = DCacheConfig;
    static const auto table = [] {
        // Every SM has room for the tags of all lines from the start: with 1 GiB, four SMs of maws-bulk took 11 GB.
        auto out = mem::cache_parameters<C>("64..67108864");
        const config::Parameter<C> more[] = {
            {"ideal", &C::ideal, "", "",
             "every load and store hits, only atomic operations go to memory; each line still takes a port slot",
             "DWF07 Figures 1, 6, 8"},
            {"banks", &C::banks, "banks", "0..64",
             "banks of 4-byte words, which serve the threads of an access in parallel and serialise conflicts; 0: no "
             "banks, one line a cycle through one read and one write port",
             "LWM11 Table 1; MAWS 6 for banks"},
            {"write", &C::write, "", "back|through|evict",
             "destination of a store's data. back: the line; through: the line and memory; evict: memory, and the line "
             "is dropped",
             "assumed"},
            {"write_local", &C::write_local, "", "back|through|evict",
             "write policy of .local variables in the data cache, with the values of write", "assumed"},
            {"write_allocate", &C::write_allocate, "", "",
             "a store that misses fetches its line (write = back or through)", "assumed"},
            {"store_waits", &C::store_waits, "", "",
             "a store that fetches its line waits for it; false: the store is complete when the line has been "
             "requested",
             "assumed"},
            {"fill_port", &C::fill_port, "", "",
             "a line that comes takes the write port for a cycle, in which no store can use it", "assumed"},
            {"flush", &C::flush, "", "never|kernel",
             "when all lines are dropped, after dirty lines are written to memory. never; kernel: at the end of each "
             "kernel",
             "assumed; MAWS 6 for kernel"},
            {"bypass", &C::bypass, "", "bypass", "loads that do not allocate a line when they miss",
             "none: every machine of the papers"},
            {"bypass_rate", &C::bypass_rate, "", "0..1", "share of the loads that bypass with bypass = random",
             "for tests"},
        };
        out.insert(out.end(), std::begin(more), std::end(more));
        return out;
    }();
    return table;
}

std::span<const config::Parameter<PrivateConfig>> PrivateConfig::parameters() {
    using C = PrivateConfig;
    static const config::Parameter<C> table[] = {
        {"bytes_per_thread", &C::bytes_per_thread, "bytes", "0..65536",
         "on-chip memory of a thread for .local, with one bank for each lane; the rest of a larger frame goes through "
         "the data cache",
         "LWM11 Table 1; spill assumed"},
    };
    return table;
}

std::span<const config::Parameter<SharedConfig>> SharedConfig::parameters() {
    using C = SharedConfig;
    static const config::Parameter<C> table[] = {
        {"size", &C::size, "bytes", "0..16777216", "shared memory of the SM", "assumed"},
        {"unit", &C::unit, "bytes", "1..65536", "shared memory of a block is a multiple of this", "assumed"},
        {"banks", &C::banks, "banks", "1..64", "banks of 4-byte words, which serialise conflicts", "assumed"},
        {"latency", &C::latency, "cycles", "1..10000", "cycles from an access to its data; accesses are pipelined",
         "assumed"},
    };
    return table;
}

std::span<const config::Parameter<ClusterConfig>> ClusterConfig::parameters() {
    using C = ClusterConfig;
    static const config::Parameter<C> table[] = {
        {"latency", &C::latency, "cycles", "0..10000",
         "cycles from an access to shared memory of another block of the cluster to its data; 0: shared.latency",
         "assumed"},
        {"bytes", &C::bytes, "bytes a cycle", "0..1024",
         "that the load/store unit of an SM moves from and to shared memory of other blocks; 0: as of its own",
         "assumed"},
        {"barrier", &C::barrier, "cycles", "0..1000",
         "from the issue of barrier.cluster.arrive until its threads count as arrived; 0: sub_core.barrier", "assumed"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::CoreConfig, "the core: pipeline, formation, scheduler")
HEDDLE_CONFIG_SECTION(heddle::sm::ICacheConfig, "instruction cache, single-ported")
HEDDLE_CONFIG_SECTION(heddle::sm::CCacheConfig, "cache of .const variables; without one they use the data cache")
HEDDLE_CONFIG_SECTION(heddle::sm::TCacheConfig, "cache of texture fetches; without one they use the data cache")
HEDDLE_CONFIG_SECTION(heddle::sm::DCacheConfig, "first-level data cache")
HEDDLE_CONFIG_SECTION(heddle::sm::PrivateConfig, "on-chip memory for .local variables")
HEDDLE_CONFIG_SECTION(heddle::sm::SharedConfig, "shared memory")
HEDDLE_CONFIG_SECTION(heddle::sm::ClusterConfig, "the way between the SMs of a cluster")
