// What the processes of a simulated program tell the `heddle` that started them: which of them use the simulated
// device, and what became of their results. All append to one file (HEDDLE_PROCESSES).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace heddle {

struct ProcessRecord {
    enum class Kind : char {
        Uses = 'u',     // uses the device
        Launches = 'l', // launches its first kernel: the order of these records numbers the processes from 1
        Wrote = 'w',    // has written its results; text: the file
        Failed = 'f',   // has no results; text: why
    };
    Kind kind = Kind::Uses;
    pid_t process = 0;
    std::string text;
};

// The records of a log, in order. What is cut off at its end is left out.
[[nodiscard]] std::vector<ProcessRecord> read_process_records(std::string_view log);

// The log as its writers see it. A BasicLockable: while a process holds it, the others wait for it.
class ProcessLog {
public:
    // Throws UserError when the file is not there.
    explicit ProcessLog(const std::string& path);
    ~ProcessLog();
    ProcessLog(const ProcessLog&) = delete;
    ProcessLog& operator=(const ProcessLog&) = delete;

    void lock();
    void unlock();
    // Adds a record of this process. Throws UserError when it cannot be written.
    void add(ProcessRecord::Kind, std::string_view text = {});
    [[nodiscard]] std::size_t count(ProcessRecord::Kind) const;

private:
    std::string path_;
    int file_ = -1;
};

} // namespace heddle
