// The files of this process: what its device has found, and its records in the log of the `heddle` that started it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/process_log.h"
#include "runtime/device.h"

namespace heddle::cudart {

// Where what a device has found goes; nowhere when empty.
struct ResultFiles {
    std::string result, timeline, thread_traces;
    std::string log; // HEDDLE_PROCESSES
};

// Of several processes the first that launches a kernel has these files, the next one files with -2 in their names. A
// process without launches writes only where no process has launched a kernel: it may have asked for the properties of
// the device and no more.
class Results {
public:
    // From now on this process uses the device. Throws UserError when the log cannot be written.
    explicit Results(ResultFiles);
    // Once, before the first kernel is launched.
    void launches();
    // Writes everything, once. A child that the process has forked writes nothing.
    void write(const runtime::Device&);
    // False: in a child that the process has forked.
    [[nodiscard]] bool is_mine() const;
    // There are no results, for this reason, and none will be written.
    void fail(std::string_view reason);

private:
    void write_all(const runtime::Device&);
    template <class F>
    std::string write_one(const std::string& name, const char* what, F&& content);
    void add(ProcessRecord::Kind, std::string_view text);

    ResultFiles files_;
    std::unique_ptr<ProcessLog> log_; // null: the program was not started by heddle
    std::mutex writing_;
    std::size_t number_ = 0; // 0: nothing was launched
    bool written_ = false;
    pid_t process_;
};

} // namespace heddle::cudart
