#include "measure.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"

namespace heddle::bench {

namespace fs = std::filesystem;

namespace {

std::string quoted(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += " '";
        for (const char c : word)
            out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        out += "'";
    }
    return out;
}

} // namespace

Runner::Runner(std::vector<std::string> words)
    : bin_(fs::read_symlink("/proc/self/exe").parent_path()), words_(std::move(words)) {}

Run Runner::run(const std::vector<std::string>& words, const std::string& workload) const {
    const fs::path result = fs::temp_directory_path() / fmt::format("heddle-bench-{}.json", ::getpid());
    const fs::path log = fs::temp_directory_path() / fmt::format("heddle-bench-{}.log", ::getpid());
    const std::string line = fmt::format("'{}' run{}{} -o '{}' -- '{}'/{} > '{}' 2>&1", (bin_ / "heddle").string(),
                                         quoted(words_), quoted(words), result.string(),
                                         (bin_.parent_path() / "workloads").string(), workload, log.string());
    const int status = std::system(line.c_str());
    std::stringstream text;
    text << std::ifstream(status == 0 ? result : log).rdbuf();
    fs::remove(result);
    fs::remove(log);
    if (status != 0)
        throw UserError(fmt::format("{} failed:\n{}", workload, text.str()));
    const auto stats = nlohmann::json::parse(text.str()).at("stats");
    const bool network = stats.contains("request_network");
    const double sent = network ? stats["request_network"]["packets"].get<double>()
                                : stats["dram"]["reads"].get<double>() + stats["dram"]["writes"].get<double>();
    return {report::read_summary(text.str()), sent};
}

Run median(std::vector<Run> runs) {
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::nth_element(runs.begin(), middle, runs.end(), [](const Run& a, const Run& b) { return a.rate() < b.rate(); });
    return *middle;
}

} // namespace heddle::bench
