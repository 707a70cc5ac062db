// A program of a validation on the simulated machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine_options.h"
#include "report/summary.h"

namespace heddle::cli {

struct MachineRun {
    report::Summary summary;
    std::string output; // what the program printed
};

// Runs a program, the first of `words`, to its end. Nothing after an interrupt. Throws UserError when it fails.
[[nodiscard]] std::optional<MachineRun> run_on_machine(const MachineOptions&, const LaunchOptions&,
                                                       std::vector<std::string> words);

} // namespace heddle::cli
