// A program that experiments run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::experiment {

struct Program {
    std::string name{};                   // name in figures
    std::string run{};                    // a workload's name, or a path relative to `folder`
    std::string variant{};                // of a workload: "branches" stands for the program NAME-branches
    std::vector<std::string> arguments{}; // of every run
    std::vector<std::string> quick{};     // more of them under --quick
    std::vector<std::string> inputs{};    // files whose content the result depends on, besides those named as arguments
    std::string kernel{};                 // formulas refer to the launches of this kernel; empty: to all launches
    std::string seed = "--seed";          // the option for a seed; empty: it has none, and runs once
    std::filesystem::path folder{};       // that it runs in

    [[nodiscard]] bool is_workload() const {
        return run.find('/') == std::string::npos;
    }
    // The workload's name with its variant, else `run`.
    [[nodiscard]] std::string run_name() const {
        return variant.empty() ? run : run + "-" + variant;
    }
    // Where it lies. `workloads`: the folder of the workloads.
    [[nodiscard]] std::filesystem::path file(const std::filesystem::path& workloads) const {
        return is_workload() ? workloads / run_name() : folder / run;
    }
    bool operator==(const Program&) const = default;
};

} // namespace heddle::experiment
