// The line on the terminal that shows how far a long simulation is.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace heddle::runtime {

// A simulation that runs.
struct Progress {
    Cycle cycles = 0; // of the run so far
    std::uint64_t warp_instructions = 0;
    std::string_view kernel;                    // that runs, as the PTX says it
    std::uint64_t blocks = 0, ended_blocks = 0; // of its grid
    double launch_seconds = 0;                  // of the host since its launch
};

// "sweep: 1.20 M cycles, 3.10 M warp instructions/s, 40 of 100 blocks, about 30 s left". `seconds`: of the host since
// the run began. The rest is that of the launch, and is shown once blocks have ended.
[[nodiscard]] std::string progress_text(const Progress&, double seconds);

// Shows the text on standard error, from two seconds after the first call on.
class ProgressLine {
public:
    void show(const Progress&);
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> began_; // the first call
    std::optional<Clock::time_point> shown_; // nothing: there is no line
};

} // namespace heddle::runtime
