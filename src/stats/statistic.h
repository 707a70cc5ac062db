// Statistics are declared once: name, unit, meaning. The increment is a plain uint64_t.
//
//   struct CacheStats {
//       std::uint64_t hits = 0, misses = 0;
//       static std::span<const stats::Statistic<CacheStats>> statistics();
//       static std::span<const stats::Formula> formulas();   // only where there are ratios
//   };
//   HEDDLE_STATISTICS(CacheStats, "dcache", "first-level data cache")   // in cache.cpp, outside every namespace
//   HEDDLE_STATISTICS(CacheStats, "icache", "instruction cache")        // one struct may serve several sections
//   tree.add("dcache", cache.stats());   // once, when the component is built (stats/tree.h)
//   ... ++stats_.hits; ...
#pragma once

#include <cstdint>
#include <map>
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
    std::string_view unit; // "accesses", "cycles", "bytes"
    std::string_view meaning;
};

// A ratio of counters of one section, computed when printed. Both sides are a counter's name or a sum of them:
// {"hit_rate", "hits", "hits + misses", "..."}.
struct Formula {
    std::string_view name, numerator, denominator, meaning;
};

// What `heddle describe statistics` shows of a section. Filled by HEDDLE_STATISTICS.
struct StatisticInfo {
    // kind: counter, histogram, ratio; share, a ratio from 0 to 1: a part over a sum that holds it. The unit of ratios
    // and shares is their formula, "hits / (hits + misses)".
    std::string name, kind, unit, meaning;
};
struct SectionInfo {
    std::string name, meaning;
    std::vector<StatisticInfo> statistics;
};
[[nodiscard]] const std::map<std::string, SectionInfo, std::less<>>& sections();

// Refused (base/registration.h) when the section or a name in it is declared twice.
void register_section(SectionInfo);

// "share" when every term of the numerator is in the denominator too, else "ratio".
[[nodiscard]] std::string_view kind_of(const Formula&);
// "hits / (hits + misses)".
[[nodiscard]] std::string formula_text(const Formula&);
// The terms of "hits + misses".
[[nodiscard]] std::vector<std::string_view> terms_of(std::string_view sum);

template <class S>
[[nodiscard]] std::span<const Formula> formulas_of() {
    if constexpr (requires { S::formulas(); })
        return S::formulas();
    else
        return {};
}

template <class S>
struct SectionRegistration {
    SectionRegistration(std::string_view name, std::string_view meaning) {
        SectionInfo info{std::string(name), std::string(meaning), {}};
        for (const Statistic<S>& s : S::statistics())
            info.statistics.push_back({std::string(s.name), s.member.index() == 0 ? "counter" : "histogram",
                                       std::string(s.unit), std::string(s.meaning)});
        for (const Formula& f : formulas_of<S>())
            info.statistics.push_back(
                {std::string(f.name), std::string(kind_of(f)), formula_text(f), std::string(f.meaning)});
        register_section(std::move(info));
    }
};

} // namespace heddle::stats

#define HEDDLE_STATISTICS_JOIN2(a, b) a##b
#define HEDDLE_STATISTICS_JOIN(a, b) HEDDLE_STATISTICS_JOIN2(a, b)
#define HEDDLE_STATISTICS(Struct, section, meaning)                                                                    \
    namespace {                                                                                                        \
    const ::heddle::stats::SectionRegistration<Struct> HEDDLE_STATISTICS_JOIN(heddle_statistics_, __LINE__){section,   \
                                                                                                            meaning};  \
    }
