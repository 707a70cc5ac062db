// A figure as text: a table on the terminal, CSV, JSON.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "report/figure.h"

namespace heddle::report {

// "12,345", "27.0", "0.0123": a number with its significant digits.
[[nodiscard]] std::string figure_number(double);

// Title, caption, a row for each category or span, then the published values beside the measured ones, then the
// notes and remarks.
[[nodiscard]] std::string figure_table(const Figure&);

// "figure,category,series,stack,value" and a line for each value, in full precision; with ",deviation,minimum,maximum"
// where values are means over seeds; for spans "figure,series,label,begin,end". A missing value is an empty field.
[[nodiscard]] std::string figure_csv(const Figure&);

// {"heddle": {...}, "figures": [...]} in the layout of schema/figures.schema.json.
[[nodiscard]] std::string figures_json(std::span<const Figure>);

// "grouped_bars".
[[nodiscard]] std::string_view figure_kind_name(FigureKind);

} // namespace heddle::report
