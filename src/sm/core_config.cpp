#include "sm/core_config.h"

#include <bit>

#include <fmt/format.h>

#include "formation/formation.h"
#include "sched/scheduler.h"

namespace heddle::sm {
namespace {

// What does not fit together in a cache's shape.
std::vector<std::string> shape_problems(std::string_view section, const mem::CacheShape& shape) {
    if (shape.bytes % (shape.line * shape.ways) != 0 || !std::has_single_bit(shape.bytes / (shape.line * shape.ways)))
        return {fmt::format(
            "{0}.size = {1} is not a power of two of sets: {0}.ways = {2} lines of {0}.line = {3} bytes a set "
            "make {4} bytes",
            section, shape.bytes, shape.ways, shape.line, shape.ways * shape.line)};
    return {};
}

} // namespace

std::vector<std::string> CoreConfig::problems() const {
    if (threads % width != 0)
        return {fmt::format("core.threads = {} is not a multiple of core.width = {}", threads, width)};
    return {};
}

std::vector<std::string> ICacheConfig::problems() const {
    return shape_problems(kSection, shape());
}

std::vector<std::string> DCacheConfig::problems() const {
    return shape_problems(kSection, shape());
}

std::span<const config::Parameter<CoreConfig>> CoreConfig::parameters() {
    using C = CoreConfig;
    static const config::Parameter<C> table[] = {
        {"model", &C::model, "", "barrel", "how instructions flow through the core", "LWM11 2.1"},
        {"formation", &C::formation, "", "formation", "how threads become issue units", "LWM11 2.3"},
        {"scheduler", &C::scheduler, "", "scheduler", "which ready unit goes next", "LWM11 2.1"},
        {"width", &C::width, "lanes", "power of two 1..64", "SIMD lanes, threads of a warp", "LWM11 Table 1"},
        {"threads", &C::threads, "threads", "1..4096", "concurrent threads of the SM", "LWM11 Table 1"},
        {"blocks", &C::blocks, "blocks", "1..256", "most resident thread blocks", "assumed: as many as warps"},
        {"stages", &C::stages, "stages", "4..32", "pipeline stages: fetch, decode, back end", "LWM11 Table 1"},
        {"clock_mhz", &C::clock_mhz, "MHz", "1..100000", "core clock, for times in seconds",
         "assumed: LWM11 gives bandwidth in GB/s only"},
    };
    return table;
}

std::span<const config::Parameter<ICacheConfig>> ICacheConfig::parameters() {
    using C = ICacheConfig;
    static const config::Parameter<C> table[] = {
        {"size", &C::size, "bytes", "64..16777216", "capacity", "LWM11 Table 1"},
        {"ways", &C::ways, "ways", "1..64", "associativity", "assumed"},
        {"line", &C::line, "bytes", "power of two 16..1024", "line size", "assumed"},
        {"instruction", &C::instruction, "bytes", "power of two 1..64", "size of an instruction in memory", "assumed"},
    };
    return table;
}

std::span<const config::Parameter<DCacheConfig>> DCacheConfig::parameters() {
    using C = DCacheConfig;
    static const config::Parameter<C> table[] = {
        {"size", &C::size, "bytes", "64..1073741824", "capacity", "LWM11 Table 1"},
        {"ways", &C::ways, "ways", "1..64", "associativity, LRU", "LWM11 Table 1; LRU assumed"},
        {"line", &C::line, "bytes", "power of two 16..1024", "line size", "LWM11 Table 1"},
        {"ideal", &C::ideal, "", "", "every access hits: memory is never asked, each line still takes its port slot",
         "DWF07 Figures 1, 6, 8"},
    };
    return table;
}

std::span<const config::Parameter<PrivateConfig>> PrivateConfig::parameters() {
    using C = PrivateConfig;
    static const config::Parameter<C> table[] = {
        {"bytes_per_thread", &C::bytes_per_thread, "bytes", "0..65536",
         "on-chip memory of a thread for .local, one bank a lane; what a frame needs beyond it goes through the data "
         "cache",
         "LWM11 Table 1; spill assumed"},
    };
    return table;
}

std::span<const config::Parameter<SharedConfig>> SharedConfig::parameters() {
    using C = SharedConfig;
    static const config::Parameter<C> table[] = {
        {"size", &C::size, "bytes", "0..16777216", "shared memory of the SM", "assumed"},
        {"banks", &C::banks, "banks", "1..64", "banks of 4-byte words; conflicts serialise", "assumed"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::CoreConfig, "the core: pipeline, formation, scheduler")
HEDDLE_CONFIG_SECTION(heddle::sm::ICacheConfig, "instruction cache, single-ported")
HEDDLE_CONFIG_SECTION(heddle::sm::DCacheConfig, "data cache: write-back, write-allocate, one read and one write port")
HEDDLE_CONFIG_SECTION(heddle::sm::PrivateConfig, "private memory")
HEDDLE_CONFIG_SECTION(heddle::sm::SharedConfig, "shared memory")
