// What a link reads from a figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/published.h"
#include "report/figure.h"

namespace heddle::experiment {

// As many decimals as are published; a percentage and a ratio have at least one and two.
[[nodiscard]] std::string like_published(double value, const Published&);

// The link, the figure and the categories that are means outlive this.
class LinkValue {
public:
    LinkValue(const Link& link, const report::Figure& figure, const std::vector<std::string>& means)
        : link_(link), figure_(figure), means_(means) {}

    [[nodiscard]] std::optional<double> number() const;
    // The value that the link's cell is compared with.
    [[nodiscard]] std::optional<double> base() const;
    // A value that is not a number: a name, a range, a list.
    [[nodiscard]] std::string text(const Published& row) const;

private:
    static std::optional<double> extreme_of(bool greatest, const std::vector<double>& all);
    [[nodiscard]] bool is_mean(const std::string& category) const;
    [[nodiscard]] std::optional<double> raw(const std::string& series, const std::string& category) const;
    [[nodiscard]] std::optional<double> base_of(const std::string& series, const std::string& category) const;
    // Relative to the link's base, if it has one.
    [[nodiscard]] std::optional<double> cell(const std::string& series, const std::string& category) const;
    // The values of the series in all categories except means.
    [[nodiscard]] std::vector<double> values() const;
    template <class Condition>
    [[nodiscard]] std::optional<double> counted(Condition condition) const;
    [[nodiscard]] std::optional<double> rank() const;
    // The best category of the series, or the best series of the category.
    [[nodiscard]] std::string best_name() const;
    [[nodiscard]] std::vector<double> column(const std::string& category) const;
    // The number of categories whose list of values is in another order than that of the category before.
    [[nodiscard]] std::optional<double> changes() const;
    // The category is the span's label.
    [[nodiscard]] std::string span() const;

    const Link& link_;
    const report::Figure& figure_;
    const std::vector<std::string>& means_;
};

} // namespace heddle::experiment
