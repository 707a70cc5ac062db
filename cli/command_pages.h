// Manual pages and completions of shells, made from the command's own options: what they say is what --help says.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heddle::cli {

// In the format of man(7). `command`: null for heddle(1), else the page heddle-COMMAND(1).
[[nodiscard]] std::string man_page(const CLI::App& app, const CLI::App* command);

[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);
[[nodiscard]] std::string fish_completion(const CLI::App& app);

} // namespace heddle::cli
