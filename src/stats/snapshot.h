// The counts of a tree up to a moment, or between two moments, as a value. As JSON: stats/json.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
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

// Where the values of fields lie in a snapshot. The snapshots of a tree share one as long as its histograms do not
// grow: a run keeps a snapshot of each launch.
class Layout {
public:
    using Fields = std::vector<Field>;

    // `sizes`: values of each field.
    Layout(std::shared_ptr<const Fields> fields, std::span<const std::size_t> sizes);

    [[nodiscard]] const std::shared_ptr<const Fields>& fields() const {
        return fields_;
    }
    [[nodiscard]] std::size_t begin(std::size_t field) const {
        return begins_[field];
    }
    [[nodiscard]] std::size_t size(std::size_t field) const {
        return begins_[field + 1] - begins_[field];
    }
    [[nodiscard]] std::size_t values() const { // of all fields
        return begins_.back();
    }
    // The field of a name; that behind the last when no field has it.
    [[nodiscard]] std::size_t find(std::string_view name) const;
    // Of a ratio: where the counters lie that are summed.
    struct Terms {
        std::vector<std::size_t> numerator, denominator;
    };
    [[nodiscard]] const Terms& terms(std::size_t field) const {
        return terms_[field];
    }

private:
    std::shared_ptr<const Fields> fields_;
    std::vector<std::size_t> begins_; // of each field, and the end
    std::vector<Terms> terms_;        // by field
};

// Values by dotted name.
class Snapshot {
public:
    using Fields = Layout::Fields;

    Snapshot();

    [[nodiscard]] const std::shared_ptr<const Layout>& layout() const {
        return layout_;
    }
    // In the order in which sections were added.
    [[nodiscard]] const Fields& fields() const {
        return *layout_->fields();
    }
    // Of a field; a counter has one value, a ratio none.
    [[nodiscard]] std::span<const std::uint64_t> values(std::size_t field) const {
        return {values_.data() + layout_->begin(field), layout_->size(field)};
    }
    // Values of a counter or a histogram; 0 and empty when no counter or histogram has this name.
    [[nodiscard]] std::uint64_t counter(std::string_view name) const;
    [[nodiscard]] Histogram histogram(std::string_view name) const;
    // Value of a ratio; nothing when its denominator is 0 or no ratio has this name.
    [[nodiscard]] std::optional<double> ratio(std::string_view name) const;
    // Of a field of this snapshot that is a ratio.
    [[nodiscard]] std::optional<double> ratio(std::size_t field) const;

    // The counts since `earlier`, an earlier snapshot of this tree: names that `earlier` lacks count from 0.
    [[nodiscard]] Snapshot operator-(const Snapshot& earlier) const;
    // Sums by name; names of only one side are kept.
    Snapshot& operator+=(const Snapshot& other);

    // "name,unit,value" with a heading; a histogram is a line a bucket, "name[3]".
    [[nodiscard]] std::string to_csv() const;

private:
    friend class Tree;
    Snapshot(std::shared_ptr<const Layout> layout, std::vector<std::uint64_t> values)
        : layout_(std::move(layout)), values_(std::move(values)) {}
    // The same values under another layout: values that are new there are 0, others are lost.
    [[nodiscard]] std::vector<std::uint64_t> values_by(const Layout& layout) const;

    std::shared_ptr<const Layout> layout_;
    std::vector<std::uint64_t> values_;
};

} // namespace heddle::stats
