// Settings that every cache has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::mem {

struct CacheConfig {
    std::uint64_t size = 0; // bytes
    std::uint64_t ways = 4;
    std::uint64_t line = 128; // bytes
    std::string replacement = "lru";
    std::string index = "linear";
    std::string allocate = "miss";
    std::uint64_t mshrs = 0;
    std::uint64_t merges = 0;
    std::uint64_t latency = 1;
    std::string prefetch = "none";
    std::uint64_t prefetch_degree = 1;
    std::uint64_t prefetch_distance = 1;
    std::uint64_t sector = 0; // bytes of a sector, of which a line has at most four; 0: none. Set by [l1] and [l2]
    // What does not fit together, in the names of `section`: of a cache,
    [[nodiscard]] std::vector<std::string> shape_problems(std::string_view section) const;
    // and where size = 0 means that there is none.
    [[nodiscard]] std::vector<std::string> absence_problems(std::string_view section) const;
    // Why lines cannot have sectors of so many bytes; `key` names their setting.
    [[nodiscard]] std::vector<std::string> sector_problems(std::string_view section, std::string_view key,
                                                           std::uint64_t bytes) const;
};

// The descriptors of these settings for a section S whose struct is a CacheConfig.
template <class S>
std::vector<config::Parameter<S>> cache_parameters(std::string_view size_range) {
    return {
        {"size", &S::size, "bytes", size_range, "capacity", "LWM11 Table 1"},
        {"ways", &S::ways, "ways", "1..64", "associativity", "LWM11 Table 1; instruction cache assumed"},
        {"line", &S::line, "bytes", "power of two 16..1024", "line size", "LWM11 Table 1; instruction cache assumed"},
        {"replacement", &S::replacement, "", "replacement", "which line of a set makes room", "assumed"},
        {"index", &S::index, "", "linear|hashed|fermi",
         "how an address finds its set: linear: the bits above the line; hashed: the exclusive or of all groups of "
         "that "
         "many bits; fermi: as the L1 of a Fermi GPU (Nugteren et al., HPCA 2014)",
         "assumed"},
        {"allocate", &S::allocate, "", "miss|fill",
         "when a line takes its way: when it misses, so that a set may be full of lines on their way, or when it comes",
         "assumed"},
        {"mshrs", &S::mshrs, "entries", "0..4096", "lines on their way at once; 0: as many as miss", "assumed"},
        {"merges", &S::merges, "accesses", "0..4096",
         "accesses that may wait for one line, the first included; 0: as many as come", "assumed"},
        {"latency", &S::latency, "cycles", "1..10000", "from a look-up to its data on a hit; look-ups are pipelined",
         "LWM11 Table 1"},
        {"prefetch", &S::prefetch, "", "prefetcher", "which lines are fetched before an instruction accesses them",
         "none: every machine of the papers"},
        {"prefetch_degree", &S::prefetch_degree, "lines", "1..16", "lines that the prefetcher requests at once",
         "assumed"},
        {"prefetch_distance", &S::prefetch_distance, "lines", "1..1024",
         "how far ahead the first of them lies: lines for next-line, strides for stride", "assumed"},
    };
}

} // namespace heddle::mem
