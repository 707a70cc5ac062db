// The numbers in a paper's DEVIATIONS.md, held against figures (experiment/note_numbers.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/figure.h"

namespace heddle::cli {

struct NoteUpdate {
    std::size_t changed = 0;           // numbers that differ from the page's
    std::vector<std::string> problems; // "FILE:LINE: ...": claims that do not hold, references that cannot be read
};
// `write`: the page gets the numbers of the figures; where a claim does not hold the sentence stays. Without a page
// there is nothing to hold.
[[nodiscard]] NoteUpdate hold_notes_against(const std::vector<report::Figure>& figures,
                                            const std::filesystem::path& page, bool write);

} // namespace heddle::cli
