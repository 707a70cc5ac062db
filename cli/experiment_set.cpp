#include "experiment_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/suggest.h"
#include "command.h"
#include "experiment/figures.h"
#include "experiment/file.h"
#include "experiment_files.h"
#include "workloads.h"

namespace heddle::cli {

namespace fs = std::filesystem;
using experiment::Experiment;

ExperimentSet::ExperimentSet(const std::vector<std::string>& words, const std::vector<std::string>& figures) {
    const fs::path folder = experiments_folder();
    const experiment::ProgramSets sets = program_sets();
    published_ = experiment::read_published(folder / "published.csv");
    std::string problems;
    for (const std::string& word : words)
        for (const fs::path& file : files_of(word, folder)) {
            try {
                add(experiment::read_experiment(file, sets), figures);
            } catch (const UserError& e) {
                problems += (problems.empty() ? "" : "\n") + std::string(e.what());
            }
        }
    if (problems.empty() && experiments_.empty())
        problems = fmt::format("no figure is called {}; there are: {}", comma_list(figures), comma_list(passed_over_));
    if (!problems.empty())
        throw UsageError(problems);
    for (const auto& [place, group] : by_folder())
        experiment::check_links(group, published_, notes_[place]);
}

void ExperimentSet::add(Experiment experiment, const std::vector<std::string>& figures) {
    const std::string folder = fs::absolute(experiment.file).parent_path().string();
    const std::string stem = experiment.file.stem().string();
    const auto is_wanted = [&](const std::string& name) { return name == experiment.id || name == stem; };
    if (!figures.empty() && std::none_of(figures.begin(), figures.end(), is_wanted)) {
        passed_over_.push_back(stem);
        return;
    }
    for (const Experiment& other : experiments_)
        if (other.id == experiment.id)
            throw UserError(fmt::format("{}: there is another experiment '{}', {}; give one of them another 'id'",
                                        experiment.file.string(), experiment.id, other.file.string()));
    notes_.emplace(folder, experiment::read_notes(fs::path(folder) / "DEVIATIONS.md"));
    experiments_.push_back(std::move(experiment));
}

std::map<std::string, std::vector<Experiment>> ExperimentSet::by_folder() const {
    std::map<std::string, std::vector<Experiment>> out;
    for (const Experiment& experiment : experiments_)
        out[fs::absolute(experiment.file).parent_path().string()].push_back(experiment);
    return out;
}

} // namespace heddle::cli
