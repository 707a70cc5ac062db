#include "mem/cache/cache_config.h"

#include <bit>

#include <fmt/format.h>

#include "mem/cache/replacement.h"

namespace heddle::mem {

std::vector<std::string> CacheConfig::shape_problems(std::string_view section) const {
    std::vector<std::string> out;
    if (size % (line * ways) != 0 || !std::has_single_bit(size / (line * ways)))
        out.push_back(
            fmt::format("{0}.size = {1} is not a power of two of sets: {0}.ways = {2} lines of {0}.line = {3} "
                        "bytes a set make {4} bytes",
                        section, size, ways, line, ways * line));
    if (allocate == "fill" && mshrs == 0)
        out.push_back(fmt::format("{0}.allocate = 'fill' needs a number of {0}.mshrs: they are searched", section));
    if (out.empty()) {
        const ReplacementShape shape{static_cast<unsigned>(size / (line * ways)), static_cast<unsigned>(ways)};
        if (const std::string why = replacements().make(replacement, shape)->objection(); !why.empty())
            out.push_back(fmt::format("{0}.replacement = '{1}' cannot serve {0}.ways = {2}: {3}", section, replacement,
                                      ways, why));
    }
    return out;
}

std::vector<std::string> CacheConfig::sector_problems(std::string_view section, std::string_view key,
                                                      std::uint64_t bytes) const {
    std::vector<std::string> out;
    if (line % bytes != 0 || line / bytes > 4)
        out.push_back(
            fmt::format("{} = {}: a line of {}.line = {} bytes has one to four sectors", key, bytes, section, line));
    if (allocate != "fill")
        out.push_back(fmt::format("{0} = {1} needs {2}.allocate = 'fill': a line takes its way when a sector comes",
                                  key, bytes, section));
    if (prefetch != "none")
        out.push_back(
            fmt::format("{0} = {1} needs {2}.prefetch = 'none': prefetchers fetch whole lines", key, bytes, section));
    return out;
}

std::vector<std::string> CacheConfig::absence_problems(std::string_view section) const {
    if (prefetch == "none")
        return {};
    return {fmt::format("{0}.prefetch = '{1}' needs a cache to prefetch into: {0}.size = 0", section, prefetch)};
}

} // namespace heddle::mem
