// The parts of an experiment file with a special form: programs, formulas, settings, published rows.
#pragma once

#include <filesystem>
#include <functional>
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

// Of the first character of a text: the file and the position.
[[nodiscard]] std::pair<std::string, Position> place_of_text(const toml::node&);
[[nodiscard]] std::optional<Formula> read_formula(Fields&, std::string_view key, Problems&);

[[nodiscard]] Program read_program(const toml::table&, const std::filesystem::path& file, Problems&);

[[nodiscard]] Link read_link(const toml::table&, const Experiment&, Problems&);

// KEY=VALUE of a table of settings: { core.scheduler = "gto" }, or with the dotted key in quotes. Calls found(KEY, its
// place) for each.
[[nodiscard]] std::vector<std::string>
read_settings(Fields&, std::string_view key, Problems&,
              const std::function<void(const std::string&, const std::string&)>& found);
// A value as it would be written after KEY= on the command line; nothing of lists and tables.
[[nodiscard]] std::optional<std::string> setting_text(const toml::node&);
// The path that a node names, relative to the file in which the node stands; `file`: that file where it is not known.
[[nodiscard]] std::filesystem::path path_beside(const std::string& path, const toml::node&,
                                                const std::filesystem::path& file);
// A shipped machine's name, or the path of a machine file beside the node's file.
[[nodiscard]] std::string machine_path(const std::string& name, const toml::node&, const std::filesystem::path& file);

} // namespace heddle::experiment
