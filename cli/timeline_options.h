// The options of the timeline and its file; `run` and `ptx` share them.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "runtime/device.h"

namespace heddle::cli {

struct TimelineOptions {
    std::string file; // empty: nothing is recorded
    runtime::TimelineOptions record;

    void add_to(CLI::App& command);
    // The options for a Device. Throws UsageError when numbers are invalid, or no file is named for them.
    [[nodiscard]] std::optional<runtime::TimelineOptions> recorded() const;

private:
    bool tuned_ = false; // a number was given
};

} // namespace heddle::cli
