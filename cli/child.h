// Other programs: starting them, waiting for them, passing signals on.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace heddle::cli {

struct ChildSpec {
    std::vector<std::string> words;                               // the program's path and its arguments
    std::vector<std::pair<std::string, std::string>> environment; // set besides this process's own
    std::string output;   // file for stdout and stderr together; empty: those of this process
    std::string folder{}; // working folder; empty: that of this process
};

struct Ending {
    int exit_status = 0;
    int signal = 0;       // the signal that killed it; 0 when it ended by itself
    double megabytes = 0; // of memory, at its peak

    // The status that a shell reports: 128 + signal for a killed program.
    [[nodiscard]] int shell_status() const {
        return signal != 0 ? 128 + signal : exit_status;
    }
    // "ended with exit status 3", "was killed by signal 11 (Segmentation fault)".
    [[nodiscard]] std::string text() const;
};

// Starts a program, which is killed when this process ends before it, even by SIGKILL. To be called in the main thread.
// Throws UserError when the program cannot be started.
[[nodiscard]] pid_t start(const ChildSpec&);
[[nodiscard]] Ending wait_for(pid_t);
// Waits for the first of these children to end, for some time at most.
[[nodiscard]] std::optional<std::pair<pid_t, Ending>> wait_for_any(std::span<const pid_t> children,
                                                                   std::chrono::milliseconds);

// Lets this process open as many files as the host permits: each program that runs takes some. Programs get the limit
// that was there before.
void allow_many_files();

// While it lives, SIGINT, SIGTERM and SIGHUP do not end this process: the first one is noted, and the children that
// were added get it, SIGTERM in place of SIGHUP. A simulation then writes its results and ends. (The terminal sends the
// SIGINT of Ctrl-C to the children too.) A signal that this process ignores from its start (nohup) stays ignored.
class SignalForwarder {
public:
    SignalForwarder();
    ~SignalForwarder();
    SignalForwarder(const SignalForwarder&) = delete;
    SignalForwarder& operator=(const SignalForwarder&) = delete;

    void add(pid_t child);
    void remove(pid_t child);
    [[nodiscard]] static bool has(pid_t child);
    [[nodiscard]] static bool interrupted();
    // The signal for processes that children have started; 0: none, or they have it from the terminal.
    [[nodiscard]] static int for_descendants();
    // Of this process after an interrupt, as a shell reports the signal: 130 for SIGINT, 143 for SIGTERM.
    [[nodiscard]] static int exit_status();
    // Interrupts the children that were added, as if this process had got SIGTERM.
    static void interrupt_children();
};

// The whole of a file; empty when it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path&);

} // namespace heddle::cli
