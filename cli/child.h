// Other programs: starting them, waiting for them, passing signals on.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
// Waits for the next child to end.
[[nodiscard]] std::pair<pid_t, Ending> wait_for_any();
// Waits for the first of these children to end, for some time at most.
[[nodiscard]] std::optional<std::pair<pid_t, Ending>> wait_for_any(std::span<const pid_t> children,
                                                                   std::chrono::milliseconds);

// While it lives, SIGINT, SIGTERM and SIGHUP do not end this process: they are noted, and the children that were added
// get SIGINT, on which a simulation writes its results and ends. (The terminal sends the SIGINT of Ctrl-C to the
// children too.)
class SignalForwarder {
public:
    SignalForwarder();
    ~SignalForwarder();
    SignalForwarder(const SignalForwarder&) = delete;
    SignalForwarder& operator=(const SignalForwarder&) = delete;

    void add(pid_t child);
    void remove(pid_t child);
    [[nodiscard]] static bool interrupted();
    // Interrupts the children that were added, as if this process had been interrupted.
    static void interrupt_children();
};

// A new folder, which is removed with its contents.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const {
        return path_;
    }

private:
    std::filesystem::path path_;
};

// The whole of a file; empty when it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path&);
// Throws UserError when it cannot be written.
void write_file(const std::string& path, std::string_view content);

} // namespace heddle::cli
