// The source of a profile, file by file, as listings and pages show it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/profile/rows.h"

namespace heddle::report {

struct ProfiledSource {
    std::uint32_t file = 0;                    // index in Profile::files
    std::vector<std::string> lines;            // texts; empty where the source could not be read
    std::map<std::uint32_t, std::size_t> rows; // by line: index in ProfileRows::rows
    std::uint64_t slots = 0;                   // of all its lines
    // Ranges of lines to show, first and last: lines with rows and some around them.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> shown(std::uint32_t around) const;
};

// The files that have rows, the costliest first. `lines` are rows by line.
[[nodiscard]] std::vector<ProfiledSource> profiled_sources(const Profile&, const ProfileRows& lines);

// The lines of a text without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

} // namespace heddle::report
