#include "workloads.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "command.h"
#include "config/plugins.h"
#include "experiment/workload_set.h"
#include "experiment_files.h"
#include "program_file.h"
#include "report/table.h"

namespace heddle::cli {

namespace fs = std::filesystem;
using experiment::Program;
using experiment::ProgramSets;

namespace {

std::vector<std::string> names_of(const std::vector<Program>& programs) {
    std::vector<std::string> out;
    for (const Program& program : programs)
        out.push_back(program.name);
    return out;
}

const Program& find(const std::string& set, const std::vector<Program>& programs, const std::string& name) {
    const auto at = std::find_if(programs.begin(), programs.end(), [&](const Program& p) { return p.name == name; });
    if (at != programs.end())
        return *at;
    const std::vector<std::string> names = names_of(programs);
    throw UsageError(fmt::format("the set '{}' has no program '{}'; there are: {}{}", set, name, comma_list(names),
                                 did_you_mean(name, names)));
}

// A program of an experiment runs in its folder; here it runs where the user is, and files are named by their whole
// path.
std::string in_folder(const std::string& argument, const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / argument, error) ? (folder / argument).string() : argument;
}

std::string source_of(const std::string& set) {
    const experiment::WorkloadSets& sets = experiment::workload_sets();
    if (!sets.contains(set))
        return "programs.toml";
    const auto& entry = sets.find(set);
    return fmt::format("{}; {} (plug-in {})", entry.meaning, entry.source, entry.plugin);
}

report::Table table_of(std::initializer_list<const char*> headings) {
    report::Table table;
    for (const char* heading : headings)
        table.column(heading, report::Table::Align::Left);
    return table;
}

void can_be_run(const std::string& set) {
    const fs::path runtime = runtime_folder();
    const ProgramSets sets = program_sets();
    for (const Program& program : sets.at(set))
        (void)check_program(program.file(workloads_folder()).string(), runtime);
}

} // namespace

ProgramSets program_sets() {
    ProgramSets out = experiment::read_program_sets(experiments_folder() / "programs.toml");
    experiment::add_plugin_sets(out, config::plugins());
    return out;
}

void expand_program(std::vector<std::string>& words) {
    if (words.empty() || words.front().find('/') != std::string::npos)
        return;
    const std::string word = words.front();
    const std::size_t dot = word.find('.');
    if (dot == std::string::npos)
        return;
    const ProgramSets sets = program_sets();
    const auto set = sets.find(word.substr(0, dot));
    if (set == sets.end())
        return;
    const Program& program = find(set->first, set->second, word.substr(dot + 1));
    std::vector<std::string> expanded{program.file(workloads_folder()).string()};
    for (const std::string& argument : program.arguments)
        expanded.push_back(in_folder(argument, program.folder));
    expanded.insert(expanded.end(), words.begin() + 1, words.end());
    words = std::move(expanded);
}

void describe_workloads(const std::string& name) {
    const ProgramSets sets = program_sets();
    if (name.empty()) {
        report::Table table = table_of({"Set", "Programs", "Source"});
        for (const auto& [set, programs] : sets)
            table.row({set, fmt::format("{}", programs.size()), source_of(set)});
        fmt::print("{}", table.render());
        return;
    }
    const auto set = sets.find(name);
    if (set == sets.end()) {
        std::vector<std::string> known;
        for (const auto& [key, programs] : sets)
            known.push_back(key);
        throw UsageError(fmt::format("there is no workload set '{}'; valid: {}{}", name, comma_list(known),
                                     did_you_mean(name, known)));
    }
    report::Table table = table_of({"Program", "Runs", "Arguments"});
    for (const Program& program : set->second)
        table.row({set->first + "." + program.name,
                   program.is_workload() ? program.run_name() : program.file({}).string(),
                   fmt::format("{}", fmt::join(program.arguments, " "))});
    fmt::print("{}: {}\n{}", name, source_of(name), table.render());
}

std::span<const contract::Check> workload_checks() {
    static const contract::Check checks[] = {{"each program is there and can be simulated", can_be_run}};
    return checks;
}

} // namespace heddle::cli
