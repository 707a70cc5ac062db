// The options of `--on ENGINE`, and the look after a batch until its runs have results; `reproduce` and `compare`
// share them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

#include "batch/batch.h"
#include "whole_number.h"

namespace heddle::cli {

struct EngineOptions {
    std::string on, profile;
    bool detach = false;

    void add_to(CLI::App& command);
    [[nodiscard]] bool given() const {
        return !on.empty();
    }
    // Throws UsageError when there is no such engine, or options do not go with or without --on.
    void check(const RunsAtATime&) const;
};

// Submits the runs as jobs with their files in DIR/batch, and takes results to `to` until all are there: then returns
// nothing. Where the options or the user end it before, the jobs go on (the message says how to find them), and the
// exit status of this process is returned. Throws UserError when the engine refuses.
[[nodiscard]] std::optional<int> run_on_engine(const EngineOptions&, const std::filesystem::path& dir,
                                               std::span<const experiment::Run> runs, const std::string& version,
                                               experiment::Results& to);

} // namespace heddle::cli
