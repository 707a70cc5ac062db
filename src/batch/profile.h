// What a site asks of its jobs: `--site FILE`, a TOML file (docs/batch.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::batch {

struct Profile {
    // Of the division into tasks.
    double minutes = 10;         // that a task is to take; fewer where processors would be idle
    double unknown_minutes = 10; // that a run is thought to take which was never made
    double unknown_megabytes = 2000;
    double time_margin = 2, memory_margin = 1.5; // limits over what is expected
    std::uint64_t attempts = 3;                  // of a run whose tasks end without its result
    double poll_seconds = 5;                     // between two questions to the engine

    std::vector<std::string> setup; // lines of shell before a task: modules, environment

    struct Slurm {
        std::string partition, account, qos;
        std::vector<std::string> arguments; // of sbatch, after heddle's own
        double least_minutes = 3;           // a time limit is never shorter
        std::uint64_t signal_seconds = 30;  // between SIGTERM and the time limit
    } slurm;
    std::uint64_t local_jobs = 0; // runs at a time of the engine `local`; 0: one a processor
};

// Throws UserError with all mistakes of the file.
[[nodiscard]] Profile read_profile(const std::filesystem::path&);

} // namespace heddle::batch
