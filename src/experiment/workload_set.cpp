#include "experiment/workload_set.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "experiment/file.h"

namespace heddle::experiment {

namespace {

[[noreturn]] void refuse(const WorkloadSets::Entry& entry, const std::string& why) {
    throw UserError(fmt::format("the workload set '{}' of {}: {}", entry.name, place_of(entry.plugin), why));
}

std::vector<Program> programs_of(const WorkloadSets::Entry& entry, const std::filesystem::path& folder) {
    std::vector<Program> out = workload_sets().make(entry.name)->programs;
    if (out.empty())
        refuse(entry, "it has no programs");
    std::set<std::string> names;
    for (Program& program : out) {
        if (program.run.empty())
            refuse(entry, fmt::format("the program '{}' has no 'run': a workload's name, or a path", program.name));
        if (!program.variant.empty() && !program.is_workload())
            refuse(entry, fmt::format("{}: only workloads have variants", program.run));
        if (program.name.empty())
            program.name = std::filesystem::path(program.run).filename().string();
        if (!names.insert(program.name).second)
            refuse(entry, fmt::format("two programs are called '{}'; give one of them another name", program.name));
        program.folder = folder;
    }
    return out;
}

} // namespace

WorkloadSets& workload_sets() {
    static WorkloadSets registry("workload set");
    return registry;
}

void add_plugin_sets(ProgramSets& sets, std::span<const config::Plugin> plugins) {
    for (const auto& [name, entry] : workload_sets().entries()) {
        const auto of = std::find_if(plugins.begin(), plugins.end(),
                                     [&plugin = entry.plugin](const config::Plugin& p) { return p.name == plugin; });
        if (of == plugins.end())
            continue;
        if (name.find_first_of(".*?[") != std::string::npos)
            refuse(entry, "its name must not have '.', '*', '?' or '[', which have a meaning in lists of programs");
        std::vector<Program> programs = programs_of(entry, of->file.parent_path());
        if (const auto at = sets.find(name); at != sets.end() && at->second != programs)
            refuse(entry, "there is a set of this name already; give yours another name");
        sets[name] = std::move(programs);
    }
}

} // namespace heddle::experiment
