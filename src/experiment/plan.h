// The runs that experiments need, each once.
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "config/parameter.h"
#include "experiment/combination.h"
#include "experiment/experiment.h"
#include "experiment/run.h"

namespace heddle::experiment {

// The runs of some experiments.
class Plan {
public:
    struct Options {
        bool quick = false;
        std::filesystem::path workloads;    // where a program that is named without a folder lies
        std::vector<std::string> plugins{}; // of all runs, besides those of their experiments
    };
    Plan(const std::vector<Experiment>&, const Options&);

    [[nodiscard]] const std::vector<Run>& runs() const {
        return runs_;
    }
    // The run behind a place of an experiment's grid, with the seed of this place in Experiment::seeds; null where
    // conditions leave it out.
    [[nodiscard]] const Run* run_of(const Experiment&, std::size_t program, std::size_t setting, std::size_t point,
                                    std::size_t seed = 0) const;

private:
    static constexpr std::size_t kLeftOut = std::numeric_limits<std::size_t>::max();

    void add_all(const Experiment&);
    // The place of the run in runs_.
    [[nodiscard]] std::size_t add(Run, const Program&);
    [[nodiscard]] Run make(const Experiment&, const Program&, const Setting&, const Setting&,
                           std::optional<std::uint64_t> seed);
    void find_program(const Program&, Run& run);
    // Notes the inputs and their digests in the run.
    [[nodiscard]] std::string identity(Run&, const Program&);
    // The same of plug-ins: nothing where there are none.
    [[nodiscard]] std::string plugin_identity(Run&);
    [[nodiscard]] const std::string& digest_of_file(const std::filesystem::path&);
    [[nodiscard]] const std::string& configuration(const Run&);

    Options options_;
    std::vector<Run> runs_;
    std::map<std::string, std::size_t> by_key_;
    std::map<std::string, std::vector<std::size_t>>
        places_; // by id of the experiment: by program, setting, point, seed
    std::map<std::filesystem::path, std::filesystem::path> programs_; // where they lie; empty: there is none
    std::map<std::string, std::string> digests_, configurations_;
    Machines machines_;
    config::Machine defaults_ = config::Machine::defaults({});
};

} // namespace heddle::experiment
