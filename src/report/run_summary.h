// What `heddle run` and `heddle ptx` print when a program has ended.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// The machine (`is_default`: the user has named none), how the run ended, the kernels that took most time with what
// their issue slots and the machine's peaks say of each, and the speed of the simulation. No line is longer
// than kTextWidth (report/text.h).
[[nodiscard]] std::string run_summary(const Summary&, bool is_default);

// Figures and tables of the papers, shown on request.
struct View {
    std::string_view name, meaning;
    std::string (*text)(const Summary&); // lines with their ends
};
[[nodiscard]] std::span<const View> views();
// Throws UserError with the names when there is no view of that name.
[[nodiscard]] const View& view_named(std::string_view name);

} // namespace heddle::report
