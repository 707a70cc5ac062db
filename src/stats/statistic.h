// Statistics are declared once: name, unit, meaning. The increment is a plain uint64_t.
//
//   struct CacheStats {
//       std::uint64_t hits = 0;
//       static std::span<const stats::Statistic<CacheStats>> statistics();
//   };
//   tree.add("dcache", cache.stats());   // once, when the component is built
//   ... ++stats_.hits; ...
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::stats {

// Counts by bucket 0 .. n-1.
using Histogram = std::vector<std::uint64_t>;

template <class S>
using Member = std::variant<std::uint64_t S::*, Histogram S::*>;

template <class S>
struct Statistic {
    std::string_view name;
    Member<S> member;
    std::string_view unit;    // "accesses", "cycles", "bytes"
    std::string_view meaning;
};

// A ratio of two counters of the same section, computed when printed.
struct Formula {
    std::string_view name, numerator, denominator, meaning;
};

// Everything in one tree: sections of a snapshot can be subtracted, added and written out.
class Snapshot; // value type: operator-, operator+=, for_each(name, unit, value); see stats/tree.h

} // namespace heddle::stats
