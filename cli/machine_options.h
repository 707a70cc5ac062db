// The options of the simulated machine and of its limits; `run`, `compare` and `ptx` share them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "config/parameter.h"
#include "runtime/device.h"

namespace heddle::cli {

struct MachineOptions {
    std::string machine = config::default_machine();
    std::vector<std::string> settings; // KEY=VALUE
    bool named = false;                // the command line names the machine

    void add_to(CLI::App& command);
    // Throws UsageError with every problem of the machine file and the settings.
    [[nodiscard]] config::Machine load(const std::vector<std::string>& more_settings = {}) const;
    // The machine in a form for a process in another folder: a name, or a file's absolute path.
    [[nodiscard]] std::string portable_machine() const;
};

struct LaunchOptions {
    bool functional = false, strict = false, profile = false;
    std::uint64_t max_cycles = 0, max_instructions = 0, host_threads = 1;
    std::string kernels;  // A-B
    std::string checks;   // names of --check; empty: none
    int limit_status = 0; // exit status when a limit has ended the run

    void add_to(CLI::App& command);
    // --check, of commands that show what is found.
    void add_checks_to(CLI::App& command);
    // Throws UsageError when a name in `checks` is none.
    [[nodiscard]] runtime::Checks named_checks() const;
    // Throws UsageError when `kernels` is not a range of launches.
    [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> timed_kernels() const;
    // The text of HEDDLE_OPTIONS:
    // {"functional":false,"max_cycles":0,"max_instructions":0,"host_threads":1,"kernels":null,"progress":false} where
    // `kernels` may be [first, last]; with `strict` and `profile` where they are true, the names of `check` where there
    // are some, a `timeline` of {"events":200000,"sample":1000,"gap":64} when one is recorded, with `from` and `to` for
    // a part of the run, and `thread_traces` of
    // {"threads":128,"runs":1000000} when those are.
    [[nodiscard]] std::string to_json(bool progress, const std::optional<runtime::TimelineOptions>& timeline,
                                      const std::optional<runtime::ThreadTraceOptions>& thread_traces) const;
    // Of a text that `to_json` has written, or of an empty one. Throws UserError when it is another text.
    [[nodiscard]] static LaunchOptions from_json(const std::string&);
};

} // namespace heddle::cli
