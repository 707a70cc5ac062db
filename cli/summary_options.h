// The options of what `run` and `ptx` say at the end. It goes to standard error: standard output is the program's.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "report/run_summary.h"

namespace heddle::cli {

struct SummaryOptions {
    bool quiet = false;
    std::vector<std::string> views;

    void add_to(CLI::App& command);
    // Throws UsageError when there is no view of a name.
    void check() const;
    // `is_default`: the machine was not named.
    void print(const report::Summary&, bool is_default) const;
};

} // namespace heddle::cli
