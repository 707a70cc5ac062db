// Which rows of two profiles are the same: their program may have changed between the runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/profile/rows.h"

namespace heddle::report {

// For each line of the first text the line of the second (both from 1) that it became, 0 for none. Lines that occur
// once in both texts are matched in order, then equal lines beside them. Between matched lines as many lines on both
// sides are matched one by one: they were edited.
[[nodiscard]] std::vector<std::uint32_t> matched_lines(const std::vector<std::string>& first,
                                                       const std::vector<std::string>& second);

// For each file of the first profile the file of the second: of the same name, else of the same name without folders,
// else the only source file that is left on both sides.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> matched_files(const Profile& first, const Profile& second);

using RowPair = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>; // at least one is there

// Rows by line, function or kernel: pairs in the order of the first, then what the second has alone.
[[nodiscard]] std::vector<RowPair> matched_rows(const Profile& first, const ProfileRows& of_first,
                                                const Profile& second, const ProfileRows& of_second);

} // namespace heddle::report
