// Profiles on the terminal: the rows that cost most, two profiles side by side, and annotated source.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "report/profile.h"
#include "report/profile/columns.h"
#include "report/profile/rows.h"

namespace heddle::report {

struct ProfileView {
    RowsBy by = RowsBy::Line;
    std::optional<ProfileColumn> sort; // nothing: by cost
    std::size_t rows = 20;             // at most
};

[[nodiscard]] std::string profile_table(const Profile&, const ProfileView&);

// The lines, functions or kernels of both, those whose values of the chosen column differ most first. Lines of one file
// are matched by their text, so that lines which were inserted move nothing.
[[nodiscard]] std::string compared_profiles_table(const Profile& first, const Profile& second, const ProfileView&);

// A source file with the figures of its lines, and of the instructions below each line. Lines far from any instruction
// are left out. `name`: of a file, or its end: "a.cu". Throws UserError that lists the files.
[[nodiscard]] std::string annotated_source(const Profile&, const std::string& name);

} // namespace heddle::report
