// The runs that experiments need, each once.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/parameter.h"
#include "experiment/experiment.h"
#include "experiment/run.h"

namespace heddle::experiment {

// The runs of some experiments.
class Plan {
public:
    struct Options {
        bool quick = false;
        std::filesystem::path workloads; // where a program that is named without a folder lies
    };
    Plan(const std::vector<Experiment>&, const Options&);

    [[nodiscard]] const std::vector<Run>& runs() const {
        return runs_;
    }
    // The run behind a place of an experiment's grid.
    [[nodiscard]] const Run& run_of(const Experiment&, std::size_t program, std::size_t setting,
                                    std::size_t point) const;

private:
    void add(const Experiment&, std::size_t program, std::size_t setting, std::size_t point);
    [[nodiscard]] Run make(const Experiment&, const Program&, const Setting&, const Setting&) const;
    // Notes the inputs and their digests in the run.
    [[nodiscard]] std::string identity(Run&, const Program&);
    [[nodiscard]] const std::string& digest_of_file(const std::filesystem::path&);
    [[nodiscard]] const std::string& configuration(const Run&);

    Options options_;
    std::vector<Run> runs_;
    std::map<std::string, std::size_t> by_key_;
    std::map<std::string, std::size_t> by_place_; // "ID program setting point"
    std::map<std::string, std::string> digests_, configurations_;
    config::Machine defaults_ = config::Machine::defaults({});
};

// 128 bits of a text or a file as hexadecimal digits; nothing for a file that cannot be read.
[[nodiscard]] std::string digest(std::string_view);
[[nodiscard]] std::optional<std::string> digest_file(const std::filesystem::path&);

} // namespace heddle::experiment
