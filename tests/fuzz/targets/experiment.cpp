// Experiment files: read, planned, and made into figures as if every run had one and the same result.
#include <fstream>
#include <iterator>

#include "experiment/figures.h"
#include "experiment/file.h"
#include "experiment/plan.h"
#include "experiment/readings.h"
#include "report/figure_text.h"
#include "target.h"

using namespace heddle;
using experiment::Experiment;

namespace {

const experiment::ProgramSets& program_sets() {
    static const auto sets = experiment::read_program_sets(HEDDLE_SOURCE_DIR "/experiments/programs.toml");
    return sets;
}

const std::vector<experiment::Published>& published() {
    static const auto rows = experiment::read_published(HEDDLE_SOURCE_DIR "/experiments/published.csv");
    return rows;
}

std::string whole_file(const char* name) {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Programs that can be named, so that runs count as possible.
void make_workloads() {
    std::filesystem::create_directories("workloads");
    for (const auto& [name, programs] : program_sets())
        for (const experiment::Program& program : programs)
            std::ofstream("workloads/" + program.run) << program.run;
}

void make_figures(const std::vector<Experiment>& all) {
    static const std::string result = whole_file("result.json"), cost = whole_file("cost.json");
    const experiment::Plan plan(all, {false, "workloads"});
    const experiment::Sources sources{
        [](const experiment::Run& run) { return experiment::StoredRun{run.key, "", "", run.label, 1, result, 1}; },
        [](const std::string&, const std::vector<std::string>&) { return cost; }};
    for (const Experiment& one : all)
        for (const report::Figure& figure : experiment::evaluate(one, plan, sources, published(), {})) {
            (void)report::figure_table(figure);
            (void)report::figure_csv(figure);
            (void)report::figures_json(std::span(&figure, 1));
        }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    make_workloads();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("experiment.toml", data, size);
    fuzz::read_or_refuse([&] {
        std::vector<Experiment> all{experiment::read_experiment(file, program_sets())};
        experiment::check_links(all, published(), {});
        const std::vector<experiment::Choices> choices = experiment::single_choices(all.front());
        for (std::size_t i = 0; i < std::min<std::size_t>(choices.size(), 3); ++i)
            all.push_back(experiment::with_choices(all.front(), choices[i]));
        make_figures(all);
    });
    return 0;
}
