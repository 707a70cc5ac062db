// The parts of an experiment file with a special form: programs, settings, published rows.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/fields.h"
#include "experiment/file.h"

namespace heddle::experiment {

// "geometric mean" and the like.
[[nodiscard]] const std::vector<std::pair<std::string, Mean>>& mean_names();

[[nodiscard]] std::optional<Formula> read_formula(Fields&, std::string_view key, Problems&);

[[nodiscard]] Program read_program(const toml::table&, const std::filesystem::path& file, Problems&);
// `programs`, [[program]] and `arguments` of an experiment.
[[nodiscard]] std::vector<Program> read_programs(Fields&, const ProgramSets&, Problems&);

[[nodiscard]] Link read_link(const toml::table&, const Experiment&, Problems&);

// `machine`, `set`, [[setting]], `sweep` and [[point]].
class SettingsReader {
public:
    SettingsReader(Fields& fields, const std::filesystem::path& file, Problems& problems);
    [[nodiscard]] std::vector<Setting> settings();
    [[nodiscard]] std::vector<Setting> points();
    // Every resulting machine is loaded: an error of a machine is a problem at the key that causes it.
    void check(const std::vector<Setting>& settings, const std::vector<Setting>& points);

private:
    [[nodiscard]] Setting read(const toml::table&, std::string what);
    [[nodiscard]] std::vector<std::string> read_set(Fields&, std::string_view key);
    [[nodiscard]] std::vector<Setting> read_sweep(const toml::table&);
    [[nodiscard]] std::string machine_of(Fields&);
    void check_names(const std::vector<Setting>& all);
    [[nodiscard]] std::string place_of(const std::string& problem, const Setting& setting, const Setting& point) const;

    Fields& fields_;
    std::filesystem::path file_;
    Problems& problems_;
    Setting common_;
    std::map<std::string, std::string> places_; // of "WHERE KEY", the setting's place and a key: where the key is set
};

} // namespace heddle::experiment
