// The progress of a number of runs: one line that changes on a terminal, one line for each run elsewhere.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace heddle::cli {

class Progress {
public:
    explicit Progress(std::size_t runs);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void finished(const std::string& label, bool failed, double seconds);
    // The line on the terminal; `left`: seconds that the remaining runs are expected to take.
    void show(std::size_t running, const std::optional<double>& left) const;

private:
    std::size_t runs_, done_ = 0, failed_ = 0;
    bool terminal_;
};

} // namespace heddle::cli
