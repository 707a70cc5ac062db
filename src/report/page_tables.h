// The tables of a page: what a figure draws, and what a paper has published beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page.h"

namespace heddle::report {

// Every value of the figure. A row a category, or a bar of stacked ones; a row a series where those are the more of a
// heat map; a row a span.
[[nodiscard]] PageTable data_table(const Figure&);

[[nodiscard]] PageTable published_table(const std::vector<PublishedRow>&);

// <table> with its caption, in a frame that scrolls; its columns can be sorted.
[[nodiscard]] std::string table_html(const PageTable&);

} // namespace heddle::report
