// Source text to the right of a table, as much as fits.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

// The table with `texts`, one for each row, as last column under `heading`. Texts are cut at 120 characters a line;
// where the table leaves too little room, or all texts are empty, there is no such column.
[[nodiscard]] std::string text_beside(const std::string& table, const std::string& heading,
                                      const std::vector<std::string>& texts);

} // namespace heddle::report
