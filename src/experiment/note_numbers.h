// Numbers in DEVIATIONS.md that are filled in from figures. The reference stands behind its number, in a comment of the
// page:
//
//   hotspot (-9.3 %<!-- lwm11-8 | LWM 256 | hotspot | over pdom rr -->, to 7.48<!-- lwm11-8 | LWM 256 | hotspot -->)
//
//   FIGURE | SERIES | CATEGORY                 the value of a cell
//   FIGURE | SERIES | CATEGORY | over SERIES   by how many percent it is above the cell of another series, with a sign
//   ... | over SERIES | CATEGORY               or above a cell of another category
//
// A number keeps its form: decimals, and commas between thousands. A gain that has become a loss, or the other way
// round, is a claim that no longer holds: the sentence has to be written anew.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::experiment {

// The value of a cell of a figure; nothing where the figure is not at hand or the cell has no value.
using CellValue = std::function<std::optional<double>(const std::string& figure, const std::string& series,
                                                      const std::string& category)>;

struct NoteNumbers {
    std::string text;                  // the page with its numbers filled in; those in `problems` are left
    std::vector<std::string> problems; // "12: ...", by line
    std::size_t changed = 0;
};
[[nodiscard]] NoteNumbers fill_in_numbers(const std::string& page, const CellValue& value);

// A line without its references.
[[nodiscard]] std::string without_references(std::string line);

} // namespace heddle::experiment
