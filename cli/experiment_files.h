// The folder of the papers' experiments, and the files that a word of the command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::cli {

// The workloads: lib/heddle/workloads of an installed heddle, workloads/ of a build.
[[nodiscard]] std::filesystem::path workloads_folder();

// Throws UserError when there is no such folder.
[[nodiscard]] std::filesystem::path experiments_folder();

// In alphabetical order.
[[nodiscard]] std::vector<std::string> paper_names(const std::filesystem::path& experiments);

// In the order of their numbers: 9 before 10.
[[nodiscard]] std::vector<std::filesystem::path> toml_files(const std::filesystem::path& folder);

// The files that a word names: all of a paper, or one. Throws UsageError for an unknown word.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::string& word,
                                                          const std::filesystem::path& experiments);

} // namespace heddle::cli
