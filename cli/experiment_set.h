// The experiments that the words of a command line name, with the published values and notes beside them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/published.h"

namespace heddle::cli {

class ExperimentSet {
public:
    // `words`: papers and files; `figures`: names or ids, empty: all. Throws UsageError with the mistakes of all files.
    ExperimentSet(const std::vector<std::string>& words, const std::vector<std::string>& figures);

    [[nodiscard]] const std::vector<experiment::Experiment>& all() const {
        return experiments_;
    }
    [[nodiscard]] std::map<std::string, std::vector<experiment::Experiment>> by_folder() const;
    [[nodiscard]] const std::vector<experiment::Published>& published() const {
        return published_;
    }
    // By folder: those of its DEVIATIONS.md.
    [[nodiscard]] const std::map<std::string, experiment::Notes>& notes() const {
        return notes_;
    }

private:
    void add(experiment::Experiment, const std::vector<std::string>& figures);

    std::vector<experiment::Experiment> experiments_;
    std::vector<std::string> passed_over_; // names of figures
    std::vector<experiment::Published> published_;
    std::map<std::string, experiment::Notes> notes_;
};

} // namespace heddle::cli
