#include "experiment/run_list.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::experiment {

namespace {

// How often each text comes, in the order of first occurrence.
class Tally {
public:
    void add(const std::string& text) {
        const auto [at, fresh] = places_.emplace(text, counts_.size());
        if (fresh)
            counts_.emplace_back(text, 0);
        ++counts_[at->second].second;
    }
    [[nodiscard]] const std::vector<std::pair<std::string, std::size_t>>& counts() const {
        return counts_;
    }

private:
    std::map<std::string, std::size_t> places_;
    std::vector<std::pair<std::string, std::size_t>> counts_;
};

std::string runs_text(std::size_t count) {
    return fmt::format("{} run{}", count, count == 1 ? "" : "s");
}

} // namespace

std::string list_of(const std::vector<Run>& runs) {
    std::string out;
    Tally tally;
    for (const Run& run : runs)
        tally.add(fmt::format("{}: {}", run.experiment, run.program_name));
    for (const auto& [name, count] : tally.counts())
        out += fmt::format("# {}: {}\n", name, runs_text(count));
    return out;
}

std::string list_of_problems(const Plan& plan) {
    Tally tally;
    for (const Run& run : plan.runs())
        if (!run.problem.empty())
            tally.add(fmt::format("{}: {}", run.program_name, run.problem));
    std::string out;
    for (const auto& [text, count] : tally.counts())
        out += fmt::format("# {} ({})\n", text, runs_text(count));
    return out;
}

std::vector<RunDescription> descriptions_of(const Plan& plan) {
    std::vector<RunDescription> out;
    for (const Run& run : plan.runs())
        if (run.problem.empty())
            out.push_back({run.key, run.experiment, run.program_name, run.arguments, machine_name(run.machine),
                           run.setting, run.point, run.seed});
    return out;
}

} // namespace heddle::experiment
