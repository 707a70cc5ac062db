// The tables of a page: the values of a figure, and the published values beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page.h"

namespace heddle::report {

// Every value of the figure. A row for each category, or for each bar of stacked bars, or for each span; in a heat map
// with more series than categories, a row for each series.
[[nodiscard]] PageTable data_table(const Figure&);

[[nodiscard]] PageTable published_table(const std::vector<PublishedRow>&);

// <table> with its caption, in a frame that scrolls; its columns can be sorted.
[[nodiscard]] std::string table_html(const PageTable&);

} // namespace heddle::report
