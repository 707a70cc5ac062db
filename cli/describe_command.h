// What `heddle describe` says of the command itself: manual pages, completions of shells, and words for these.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heddle::cli {

// Prints the page of a command, of heddle where `name` is empty; with `folder`, writes all pages into it.
void describe_man(const CLI::App& app, const std::string& name, const std::string& folder);
// `shell`: bash, zsh or fish.
void describe_completions(const CLI::App& app, const std::string& shell);
// `what`: machines or parameters; a name in each line.
void describe_words(const std::string& what);

} // namespace heddle::cli
