// Threads' traces on their way from the simulated program to `heddle oracle`.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "probe/thread_traces.h"

namespace heddle::report {

void write_thread_traces(std::ostream& out, std::span<const probe::LaunchTrace> launches);

// Throws UserError when the text is not what write_thread_traces() writes.
[[nodiscard]] std::vector<probe::LaunchTrace> read_thread_traces(const std::string& text);

} // namespace heddle::report
