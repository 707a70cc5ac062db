// Cells of a figure by the names of its series and categories.
#pragma once

#include <optional>
#include <string>

#include "report/figure.h"

namespace heddle::experiment {

// With its stack: "pdom: idle".
[[nodiscard]] std::string full_name(const report::Series&);

// No name stands for the only series or category. nullptr or nothing where the figure does not have it.
[[nodiscard]] const report::Series* find_series(const report::Figure&, const std::string& name);
[[nodiscard]] std::optional<std::size_t> find_category(const report::Figure&, const std::string& name);

} // namespace heddle::experiment
