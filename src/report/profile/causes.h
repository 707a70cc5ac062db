// The causes of empty issue slots in words.
#pragma once

#include <string_view>

namespace heddle::report {

// A name of probe::kSlots for which a slot stays empty: all but "issued".
[[nodiscard]] bool is_cause(std::string_view code);
// "waits for DRAM" of "sb_dram"; a code that this version does not know, itself.
[[nodiscard]] std::string_view cause_words(std::string_view code);

} // namespace heddle::report
