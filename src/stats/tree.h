// All counters in one tree; and snapshots: the counts up to a moment, or between two moments, as a value. Snapshots as
// JSON: stats/json.h.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stats/statistic.h"

namespace heddle::stats {

enum class Kind : std::uint8_t { Counter, Histogram, Ratio };

struct Field {
    std::string name; // dotted: "dcache.hits"
    std::string unit;
    Kind kind = Kind::Counter;
    std::vector<std::string> numerator, denominator; // of a ratio: names of the counters that are summed
};

// The values of a tree at a moment, by dotted name. Snapshots of one tree share the list of names.
class Snapshot {
public:
    using Fields = std::vector<Field>;

    Snapshot() : fields_(std::make_shared<const Fields>()) {}

    // In the order in which sections were added.
    [[nodiscard]] const Fields& fields() const {
        return *fields_;
    }
    // By field; a counter has one bucket, a ratio none.
    [[nodiscard]] const std::vector<Histogram>& values() const {
        return values_;
    }
    // Values of a counter or a histogram; 0 and empty when no counter or histogram has this name.
    [[nodiscard]] std::uint64_t counter(std::string_view name) const;
    [[nodiscard]] const Histogram& histogram(std::string_view name) const;
    // Value of a ratio; nothing when its denominator is 0 or no ratio has this name.
    [[nodiscard]] std::optional<double> ratio(std::string_view name) const;
    // Of a field of this snapshot that is a ratio.
    [[nodiscard]] std::optional<double> ratio(const Field&) const;

    // The counts since `earlier`, an earlier snapshot of this tree: names that `earlier` lacks count from 0.
    [[nodiscard]] Snapshot operator-(const Snapshot& earlier) const;
    // Sums by name; names of only one side are kept.
    Snapshot& operator+=(const Snapshot& other);

    // "name,unit,value" with a heading; a histogram is a line a bucket, "name[3]".
    [[nodiscard]] std::string to_csv() const;

private:
    friend class Tree;
    [[nodiscard]] const Field* find(std::string_view name, std::size_t* index) const;
    void bring_to(std::shared_ptr<const Fields> fields);

    std::shared_ptr<const Fields> fields_;
    std::vector<Histogram> values_; // one a field
};

class Tree {
public:
    // `counters` must outlive the tree. Throws std::logic_error when the section exists already.
    template <class S>
    void add(const std::string& section, const S& counters) {
        for (const Statistic<S>& s : S::statistics())
            std::visit([&](auto member) { add_source(section, s.name, s.unit, counters.*member); }, s.member);
        for (const Formula& f : formulas_of<S>())
            add_ratio(section, f);
        close_section(section);
    }

    // Another component of an existing section: its counts are added. Throws std::logic_error when there is no such
    // section.
    template <class S>
    void add_also(const std::string& section, const S& counters) {
        for (const Statistic<S>& s : S::statistics())
            std::visit([&](auto member) { also(section, s.name, counters.*member); }, s.member);
    }

    // One of several components of a kind: the section is the sum over them.
    template <class S>
    void add_one_of(const std::string& section, const S& counters) {
        if (has(section))
            add_also(section, counters);
        else
            add(section, counters);
    }

    [[nodiscard]] Snapshot snapshot() const;

private:
    [[nodiscard]] bool has(std::string_view section) const;
    struct Source { // the counters or histograms whose sum a field is; both empty for a ratio
        std::vector<const std::uint64_t*> counters;
        std::vector<const Histogram*> histograms;
    };

    void add_source(const std::string& section, std::string_view name, std::string_view unit,
                    const std::uint64_t& from);
    void add_source(const std::string& section, std::string_view name, std::string_view unit, const Histogram& from);
    void add_ratio(const std::string& section, const Formula&);
    void also(const std::string& section, std::string_view name, const std::uint64_t& from);
    void also(const std::string& section, std::string_view name, const Histogram& from);
    [[nodiscard]] Source& source_of(const std::string& section, std::string_view name);
    void close_section(const std::string& section);

    std::vector<std::string> sections_;
    std::shared_ptr<const Snapshot::Fields> fields_ = std::make_shared<const Snapshot::Fields>();
    Snapshot::Fields pending_; // of the section being added
    std::vector<Source> sources_;
};

} // namespace heddle::stats
