// Runs of a workload by `heddle run`, and their rates.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::bench {

struct Run {
    report::Summary summary;
    double transactions; // requests of SMs to memory

    [[nodiscard]] double rate() const {
        return summary.warp_instructions_per_second;
    }
};

// The heddle that lies beside this program.
class Runner {
public:
    // `words`: options of `heddle run` for all runs.
    explicit Runner(std::vector<std::string> words);

    // `workload`: a program below the workloads' folder, with its arguments. Throws UserError when it fails.
    [[nodiscard]] Run run(const std::vector<std::string>& words, const std::string& workload) const;

    [[nodiscard]] const std::filesystem::path& folder() const {
        return bin_;
    }

private:
    std::filesystem::path bin_;
    std::vector<std::string> words_;
};

// By rate. `runs` is not empty.
[[nodiscard]] Run median(std::vector<Run> runs);

} // namespace heddle::bench
