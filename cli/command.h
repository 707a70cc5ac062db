// What the subcommands of `heddle` share: how each is added to the command line, and how they fail.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/source.h"

namespace heddle::cli {

// The user's call cannot be carried out as it stands: exit status 2. Every other failure is 1.
class UsageError : public UserError {
public:
    using UserError::UserError;
};

inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInterrupted = 130; // as a shell reports SIGINT

// What stands after `--` on the command line: the program to run and its arguments.
struct ProgramLine {
    std::vector<std::string> words;
    bool given = false; // there was a `--`
};

// Each adds its subcommand to `app`; when it is chosen it runs during parsing and leaves the exit status in `status`.
void add_run(CLI::App& app, const ProgramLine& program, int& status);
void add_compare(CLI::App& app, const ProgramLine& program, int& status);
void add_reproduce(CLI::App& app, int& status);
void add_ptx(CLI::App& app, int& status);
void add_oracle(CLI::App& app, const ProgramLine& program, int& status);
void add_cost(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_describe(CLI::App& app, int& status);

} // namespace heddle::cli
