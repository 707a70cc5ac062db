// A figure as text: a table on the terminal, CSV, JSON.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "report/figure.h"

namespace heddle::report {

// "12,345", "27.0", "0.0123": as many digits as a reader can use.
[[nodiscard]] std::string figure_number(double);

// Title, caption, a row a category or a span, then the published values beside ours, then the remarks.
[[nodiscard]] std::string figure_table(const Figure&);

// "figure,category,series,stack,value" and a line a value, in full precision; of spans "figure,series,label,begin,end".
// A missing value is an empty field.
[[nodiscard]] std::string figure_csv(const Figure&);

// {"heddle": {...}, "figures": [...]} in the layout of schema/figures.schema.json.
[[nodiscard]] std::string figures_json(std::span<const Figure>);

// "grouped_bars".
[[nodiscard]] std::string_view figure_kind_name(FigureKind);

} // namespace heddle::report
