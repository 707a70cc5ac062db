// The parts of an experiment file with a special form: programs, settings, published rows.
#pragma once

#include <filesystem>
#include <functional>
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

// KEY=VALUE of a table of settings: { core.scheduler = "gto" }, or with the dotted key in quotes. Calls found(KEY, its
// place) for each.
[[nodiscard]] std::vector<std::string>
read_settings(Fields&, std::string_view key, Problems&,
              const std::function<void(const std::string&, const std::string&)>& found);
// The path that a key names, relative to the file in which the key stands; `file`: that file where it is not known.
[[nodiscard]] std::filesystem::path path_beside(Fields&, std::string_view key, const std::filesystem::path& file);

// `machine`, `set`, [[setting]], `sweep` and [[point]].
class SettingsReader {
public:
    SettingsReader(Fields& fields, const std::filesystem::path& file, Problems& problems);
    [[nodiscard]] std::vector<Setting> settings();
    [[nodiscard]] std::vector<Setting> points();
    // Every resulting machine is loaded: an error of a machine is a problem at the key that causes it.
    void check(const std::vector<Setting>& settings, const std::vector<Setting>& points);
    // Settings that all have in common: those of `set`, before their own.
    [[nodiscard]] std::size_t common() const {
        return common_.settings.size();
    }

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
