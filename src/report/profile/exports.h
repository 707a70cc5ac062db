// Profiles for other programs.
#pragma once

#include <string>

#include "report/profile.h"
#include "report/profile/rows.h"

namespace heddle::report {

// The format of Valgrind's Callgrind, for KCachegrind and callgrind_annotate: events by PC and line. A kernel is an
// object (ob), a function that was inlined is called from the line of its call.
[[nodiscard]] std::string callgrind_profile(const Profile&);

// Collapsed stacks, for flamegraph.pl and speedscope: "kernel;function;inlined function;a.cu:7;sb_dram 50", in issue
// slots.
[[nodiscard]] std::string collapsed_stacks(const Profile&);

// A row of values for each row of the profile: its place, then every figure of ProfileColumn.
[[nodiscard]] std::string profile_csv(const Profile&, RowsBy);

} // namespace heddle::report
