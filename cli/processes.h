// The processes of a simulated program that use the device. The program itself may be a script that starts them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/process_log.h"
#include "temporary_file.h"

namespace heddle::cli {

class Processes {
public:
    Processes() = default;
    ~Processes();
    Processes(Processes&&) noexcept = default;
    Processes& operator=(Processes&&) = delete;

    // For HEDDLE_PROCESSES.
    [[nodiscard]] std::string log() const {
        return log_.path();
    }

    // To be called from time to time while they run. If this process was interrupted, so are those that a script has
    // started: a script that the signal ends does not pass it on.
    void look();
    // Waits until none of them runs.
    void wait();

    // What they have told up to the last look.
    [[nodiscard]] bool use_the_device() const {
        return !records_.empty();
    }
    [[nodiscard]] std::size_t that_launched() const;
    // Whether the first one that launched a kernel, or one where none did, has written its results to this file.
    [[nodiscard]] bool have_written(const std::string& result) const;
    // Of those that launched kernels, in the order in which they began to.
    [[nodiscard]] std::vector<std::string> result_files() const;
    // Why results could not be written; empty: no process says so.
    [[nodiscard]] std::string failure() const;

private:
    struct Running {
        int descriptor; // a pidfd
        bool interrupted = false;
    };
    void read();
    void drop_ended(int milliseconds);

    TemporaryFile log_;
    std::vector<ProcessRecord> records_;
    std::map<pid_t, Running> running_;
};

} // namespace heddle::cli
