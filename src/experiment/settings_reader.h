// The settings and points of an experiment file: `machine`, `set`, [[setting]], `sweep`, [[point]] and `machines`.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "experiment/combination.h"
#include "experiment/experiment.h"
#include "experiment/fields.h"
#include "experiment/sweep.h"

namespace heddle::experiment {

class SettingsReader {
public:
    SettingsReader(Fields& fields, const std::filesystem::path& file, Problems& problems);
    [[nodiscard]] std::vector<Setting> settings();
    [[nodiscard]] std::vector<Setting> points();
    // The machine of each combination that conditions do not leave out: its error is a problem at the key that causes
    // it.
    void check(const Experiment&);
    // Settings that all have in common: those of `set`, before their own.
    [[nodiscard]] std::size_t common() const {
        return common_.settings.size();
    }

private:
    [[nodiscard]] Setting read(const toml::table&, std::string what);
    [[nodiscard]] std::string machine_in(Fields&);
    void read_set(Fields&, Setting& to);
    void read_sweeps();
    void add_machines(Sweep, const std::string& where);
    void check_swept_once(const Sweep&, const std::string& where);
    void check_names(const std::vector<Setting>& all);
    [[nodiscard]] bool is_of_a_run(const Experiment&, std::size_t setting, std::size_t point, const config::Machine&);
    [[nodiscard]] std::string place_of(const std::string& problem, const Setting& setting, const Setting& point) const;

    Fields& fields_;
    std::filesystem::path file_;
    Problems& problems_;
    Setting common_;
    std::vector<Sweep> sweeps_;   // those of machines first
    std::vector<Setting> points_; // of `sweep = { ... }` and [[point]]
    bool has_machines_ = false;   // a sweep is of machines
    std::set<std::string> swept_; // parameters and options of [[sweep]] tables
    Machines machines_;
};

} // namespace heddle::experiment
