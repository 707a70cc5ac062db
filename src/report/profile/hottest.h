// The source lines that cost most, for summaries.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/profile.h"

namespace heddle::report {

struct HotLine {
    std::string place;      // "a.cu:7"
    std::string text;       // the line itself without spaces around it; empty where the source is not known
    double share = 0;       // of all issue slots, 0 to 1: those that carried its instructions or stayed empty at them
    std::string cause;      // code of the largest part: "sb_dram"; "issued" where most slots carried instructions
    std::string words;      // the same in words: "waits for DRAM"
    double cause_share = 0; // of the line's slots, 0 to 1
    std::string producer; // "a.cu:2": the line whose results most of these slots waited for; empty where none is known
};

// At most `count` lines, the costliest first. `kernel`: of this kernel alone, by the name in the PTX, with shares of
// its slots; empty: of all kernels.
[[nodiscard]] std::vector<HotLine> hottest_lines(const Profile&, std::size_t count, const std::string& kernel = "");

} // namespace heddle::report
