// --plugin FILE.so: an option of every command. Programs that are started get the same plug-ins by HEDDLE_PLUGINS.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace heddle::cli {

// For the help text; take_plugins() reads the option.
void add_plugin_option(CLI::App&);

// Takes every `--plugin FILE` out of the words, loads those plug-ins after those of HEDDLE_PLUGINS, and sets the
// variable to all of them. Throws UsageError.
void take_plugins(std::vector<std::string>& words);

// Absolute paths of the plug-ins that take_plugins() has loaded, in order.
[[nodiscard]] const std::vector<std::string>& plugins_of_command_line();

} // namespace heddle::cli
