// heddle: runs CUDA programs and PTX kernels on a simulated SIMT core, and shows where the cycles went.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/host_limits.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "plugin_options.h"
#include "report/result.h"
#include "workloads.h"

namespace heddle::cli {
namespace {

// Splits the words at the first `--`: the words after it are the simulated program and its arguments.
ProgramLine split_program(std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
            ProgramLine program{{at + 1, words.end()}, true};
            words.erase(at, words.end());
            return program;
        }
    }
    return {};
}

// Reports an unknown command. The parser would only report a missing one.
void check_command(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty() || words[0].starts_with('-'))
        return;
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({}))
        commands.push_back(command->get_name());
    if (std::find(commands.begin(), commands.end(), words[0]) == commands.end())
        throw UsageError(fmt::format("there is no command '{}'; valid: {}{}", words[0], comma_list(commands),
                                     did_you_mean(words[0], commands)));
}

// The parser's message in the form of all other messages.
std::string complaint(const CLI::ParseError& error, const std::vector<std::string>& words) {
    constexpr std::string_view kTwice = ": At Most 1 required but received ", kMissing = ": 1 required ";
    std::string text = error.what();
    if (const std::size_t at = text.find(kTwice); at != std::string::npos)
        text = text.substr(0, at) + " is given more than once";
    else if (const std::size_t at = text.find(kMissing); at != std::string::npos && text.ends_with(" missing"))
        text =
            text.substr(0, text.size() - std::string_view(" missing").size()).replace(at, kMissing.size(), " needs ");
    const bool in_command = !words.empty() && !words[0].starts_with('-');
    return in_command ? fmt::format("{}; `heddle {} --help` lists the options", text, words[0])
                      : fmt::format("{}; `heddle --help` lists the commands", text);
}

int complain(std::string_view message, int status) {
    std::fflush(stdout);
    fmt::print(stderr, "heddle: error: {}\n", message);
    return status;
}

// A limit on the size of files (ulimit -f) is an ordinary error. Programs that are started inherit SIG_IGN, but not a
// handler.
void ignore_signal(int) {}

// A closed standard stream stays unusable: otherwise the next file that is opened would get its number and its output.
void occupy_standard_streams() {
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(file, F_GETFD) == -1)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// The exit status, when all output has arrived.
int with_output_written(int status) {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return status;
    const std::string reason = errno != 0 ? ": " + write_error(errno) : ""; // an earlier write has failed
    fmt::print(stderr, "heddle: error: standard output cannot be written{}\n", reason);
    return status == 0 ? kFailed : status;
}

int main(std::vector<std::string> words) {
    ProgramLine program = split_program(words);
    int status = 0;
    CLI::App app("A cycle-level simulator of SIMT GPU cores: runs CUDA programs and PTX kernels without a GPU.",
                 "heddle");
    app.set_version_flag("--version", fmt::format("heddle {} ({})", report::version(), report::commit()));
    app.require_subcommand(1);
    add_plugin_option(app);
    app.footer("`heddle COMMAND --help` lists the options of a command.");

    add_run(app, program, status);     // a CUDA program on the simulator
    add_compare(app, program, status); // the same program under several settings, side by side
    add_reproduce(app, status);        // the figures and tables of a paper, or of the user's own file
    add_work(app, status);             // the runs of a plan, on any computer
    add_collect(app, status);          // their results, into a store
    add_jobs(app, status);             // jobs of a batch
    add_ptx(app, status);              // one kernel of a bare PTX file
    add_check(app, status);            // what of a PTX file cannot be executed
    add_oracle(app, program, status);  // the gain of the best reconvergence points
    add_cost(app, status);             // the hardware cost of a machine's mechanisms
    add_report(app, status);           // results as a page
    add_profile(app, status);          // what each line of a run cost
    add_query(app, status);            // stored results by SQL
    add_export(app, status);           // stored results as one table
    add_new(app, status);              // a plug-in to start from
    add_test_policy(app, status);      // the policies of a plug-in against their contracts
    add_describe(app, status);         // machines, policies, parameters, statistics, opcodes
    add_validate(app, status);         // microbenchmarks beside published values

    try {
        take_plugins(words);
        expand_program(program.words);
        check_command(app, words);
        std::vector<std::string> reversed(words.rbegin(), words.rend()); // the parser takes words from the end
        app.parse(std::move(reversed));
        return status;
    } catch (const CLI::ParseError& e) {
        return e.get_exit_code() == 0 ? app.exit(e) : complain(complaint(e, words), kUsage); // 0: help was requested
    } catch (const UsageError& e) {
        return complain(e.what(), kUsage);
    } catch (const std::bad_alloc&) {
        return complain(fmt::format("no memory is left: {}", memory_error()), kFailed);
    } catch (const std::exception& e) {
        if (std::ferror(stdout) != 0) // it is reported at the end
            return kFailed;
        return complain(e.what(), kFailed);
    }
}

} // namespace
} // namespace heddle::cli

int main(int argc, char** argv) {
    heddle::cli::occupy_standard_streams();
    heddle::cli::allow_many_files();
    (void)std::signal(SIGXFSZ, heddle::cli::ignore_signal);
    return heddle::cli::with_output_written(heddle::cli::main({argv + 1, argv + argc}));
}
