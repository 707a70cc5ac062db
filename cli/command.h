// Common parts of the subcommands of `heddle`: how each is added to the command line, and how it fails.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/source.h"

namespace heddle::cli {

// The command line has an error: exit status 2. Every other failure has status 1.
class UsageError : public UserError {
public:
    using UserError::UserError;
};

inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInterrupted = 130; // as a shell reports SIGINT

// The words after `--` on the command line: the program to run and its arguments.
struct ProgramLine {
    std::vector<std::string> words;
    bool given = false; // the command line has a `--`
};

// Each function adds its subcommand to `app`. A chosen subcommand runs during parsing and sets `status`.
void add_run(CLI::App& app, const ProgramLine& program, int& status);
void add_compare(CLI::App& app, const ProgramLine& program, int& status);
void add_reproduce(CLI::App& app, int& status);
void add_work(CLI::App& app, int& status);
void add_collect(CLI::App& app, int& status);
void add_jobs(CLI::App& app, int& status);
void add_ptx(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_oracle(CLI::App& app, const ProgramLine& program, int& status);
void add_cost(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_profile(CLI::App& app, int& status);
void add_query(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_describe(CLI::App& app, int& status);

} // namespace heddle::cli
