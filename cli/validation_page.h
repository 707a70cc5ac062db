// The comparison of a machine with published values as a page with charts.
#pragma once

#include <span>
#include <string_view>

#include "report/page.h"
#include "validation.h"

namespace heddle::cli {

// A chart for each kind of benchmark and unit, with what is published beside what the machine gives; then the table.
[[nodiscard]] report::Page comparison_page(std::string_view machine, std::span<const Comparison> rows);

} // namespace heddle::cli
