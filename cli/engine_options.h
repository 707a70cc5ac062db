// The options of `--on ENGINE`, and the look after a batch until its runs have results; `reproduce` and `compare`
// share them.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

#include "batch/batch.h"

namespace heddle::cli {

struct EngineOptions {
    std::string on, profile;
    bool detach = false;

    void add_to(CLI::App& command);
    [[nodiscard]] bool given() const {
        return !on.empty();
    }
    // Throws UsageError when there is no such engine, or options stand without --on.
    void check() const;
};

enum class BatchEnd {
    finished,    // all runs have results
    detached,    // the jobs go on; the same call finds them
    interrupted, // the same, by the user
    cancelled,
};

struct BatchOutcome {
    BatchEnd end;
    int status = 0; // of this process, where the user interrupted
};

// Submits the runs as jobs with their files in `folder`, and takes results to `to` until all are there, unless the
// options or the user say otherwise. Throws UserError when the engine refuses.
[[nodiscard]] BatchOutcome run_on_engine(const EngineOptions&, const std::filesystem::path& folder,
                                         std::span<const experiment::Run> runs, const std::string& version,
                                         experiment::Results& to);

} // namespace heddle::cli
