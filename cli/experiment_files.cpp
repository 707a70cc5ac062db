#include "experiment_files.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/source.h"
#include "base/suggest.h"
#include "command.h"
#include "own_folder.h"

namespace heddle::cli {

namespace fs = std::filesystem;

fs::path workloads_folder() {
    return own_folder("lib/heddle", "workloads");
}

fs::path experiments_folder() {
    fs::path folder = own_folder("share/heddle", "experiments");
    if (!fs::is_directory(folder))
        throw UserError(fmt::format("{}: not there; build it with `make`", folder.string()));
    return folder;
}

namespace {

// Before 10 comes 9, and 5.1 before 5.10.
bool comes_before(const fs::path& a, const fs::path& b) {
    const std::string left = a.stem().string(), right = b.stem().string();
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        if (digit(left[i]) && digit(right[j])) {
            std::size_t m = 0, n = 0;
            const unsigned long x = std::stoul(left.substr(i), &m), y = std::stoul(right.substr(j), &n);
            if (x != y)
                return x < y;
            i += m;
            j += n;
        } else if (left[i] != right[j]) {
            return left[i] < right[j];
        } else {
            ++i;
            ++j;
        }
    }
    return left.size() < right.size();
}

} // namespace

std::vector<fs::path> toml_files(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml" && entry.path().filename() != "readings.toml")
            out.push_back(entry.path());
    std::sort(out.begin(), out.end(), comes_before);
    return out;
}

std::vector<std::string> paper_names(const fs::path& experiments) {
    std::vector<std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(experiments))
        if (entry.is_directory() && entry.path().filename() != "examples")
            out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<fs::path> files_of(const std::string& word, const fs::path& experiments) {
    const std::vector<std::string> papers = paper_names(experiments);
    if (std::find(papers.begin(), papers.end(), word) != papers.end())
        return toml_files(experiments / word);
    std::error_code error;
    if (fs::is_regular_file(word, error))
        return {word};
    if (word.find('/') != std::string::npos || fs::path(word).extension() == ".toml")
        throw UsageError(fmt::format("{}: there is no such experiment file", word));
    throw UsageError(fmt::format("there is no paper '{}'; valid: {}, or the path of an experiment file{}", word,
                                 comma_list(papers), did_you_mean(word, papers)));
}

} // namespace heddle::cli
