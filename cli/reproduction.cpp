#include "reproduction.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "cost.h"
#include "experiment_files.h"
#include "note_update.h"
#include "report/figure_text.h"

namespace heddle::cli {

namespace fs = std::filesystem;
using experiment::Experiment;
using experiment::Run;

namespace {

std::string cost_of_machine(const std::string& machine, const std::vector<std::string>& settings) {
    return report::cost_json(cost_of(config::Machine::load(machine, settings)));
}

} // namespace

Reproduction::Reproduction(const Options& options, std::string version)
    : options_(options), version_(std::move(version)), experiments_(options.words, options.figures) {
    if (options.readings)
        for (const Experiment& experiment : experiments_.all())
            add_variations(experiment, experiment::single_choices(experiment));
    if (options.readings && variations_.empty())
        throw UsageError("--readings: none of these figures has both published values and [[reading]] tables");
    make_plan();
    check_variations();
}

void Reproduction::check_variations() const {
    for (const Variation& variation : variations_)
        for (std::size_t p = 0; p < variation.made.programs.size(); ++p)
            for (std::size_t s = 0; s < variation.made.settings.size(); ++s)
                for (std::size_t x = 0; x < variation.made.points.size(); ++x)
                    if (const Run* run = plan_->run_of(variation.made, p, s, x);
                        run != nullptr && !run->problem.empty() && !variation.made.programs[p].variant.empty())
                        throw UsageError(fmt::format("--readings: {}, with '{}': {}", variation.of,
                                                     variation.made.chosen, run->problem));
}

void Reproduction::add_variations(const Experiment& experiment, const std::vector<experiment::Choices>& all) {
    if (!experiment.links.empty())
        for (const experiment::Choices& choices : all)
            variations_.push_back({experiment.id, choices, experiment::with_choices(experiment, choices)});
}

void Reproduction::add_pairs() {
    std::vector<std::pair<const Experiment*, std::vector<experiment::Choices>>> pairs;
    for (const Experiment& experiment : experiments_.all())
        pairs.emplace_back(&experiment, experiment::pairs_that_matter(bands_of(experiment)));
    for (const auto& [experiment, choices] : pairs)
        add_variations(*experiment, choices);
    make_plan();
}

void Reproduction::make_plan() {
    std::vector<Experiment> all = experiments_.all();
    for (const Variation& variation : variations_)
        all.push_back(variation.made);
    plan_.emplace(all, experiment::Plan::Options{options_.quick, beside_executable("workloads")});
}

experiment::Sources Reproduction::sources() {
    return {[this](const Run& run) { return result_of(run); }, cost_of_machine};
}

std::optional<experiment::StoredRun> Reproduction::stored(const Run& run) const {
    if (store_ == nullptr)
        return std::nullopt;
    auto found = store_->find(run.key, version_);
    return !found && options_.any_revision ? store_->find(run.key, "") : found;
}

std::optional<std::string> Reproduction::stored_failure(const Run& run) const {
    if (store_ == nullptr)
        return std::nullopt;
    const auto found = store_->failure(run.key, version_);
    return !found && options_.any_revision ? store_->failure(run.key, "") : found;
}

std::vector<Run> Reproduction::missing_runs(const std::set<std::string>& made) const {
    std::vector<Run> out;
    for (const Run& run : plan_->runs()) {
        if (!run.problem.empty() || made.contains(run.key))
            continue;
        const std::optional<std::string> failure = stored_failure(run);
        if (failure && options_.rerun != "all" && (options_.rerun != "failed" || failure->empty()))
            continue;
        out.push_back(run);
        if (store_ != nullptr)
            out.back().expected = store_->cost(run.key).value_or(experiment::Cost{});
    }
    return out;
}

std::optional<experiment::StoredRun> Reproduction::result_of(const Run& run) {
    if (const auto at = refused_.find(run.program.string()); at != refused_.end() && !at->second.empty())
        return experiment::StoredRun{run.key, version_, at->second, run.label, 0, "", 0};
    auto found = stored(run);
    if (found)
        versions_.insert(found->version);
    return found;
}

std::size_t Reproduction::count_failed() {
    return static_cast<std::size_t>(std::count_if(plan_->runs().begin(), plan_->runs().end(), [this](const Run& run) {
        const auto found = run.problem.empty() ? result_of(run) : std::nullopt;
        return !found || found->failed();
    }));
}

std::vector<experiment::Band> Reproduction::bands_of(const Experiment& experiment) {
    const auto figure_of = [&](const Experiment& one) {
        return experiment::evaluate(one, *plan_, sources(), experiments_.published(), {}).front();
    };
    std::vector<std::pair<experiment::Choices, report::Figure>> others;
    for (const Variation& variation : variations_)
        if (variation.of == experiment.id)
            others.emplace_back(variation.choices, figure_of(variation.made));
    return others.empty() ? std::vector<experiment::Band>() : experiment::bands_of(figure_of(experiment), others);
}

std::vector<report::Figure> Reproduction::make_figures() {
    std::vector<report::Figure> out;
    std::set<std::string> papers;
    for (const auto& [place, group] : experiments_.by_folder()) {
        // What the notes say is about the papers' sizes: beside numbers of small inputs it would be wrong.
        const experiment::Notes notes = options_.quick ? experiment::Notes{} : experiments_.notes().at(place);
        for (const Experiment& experiment : group) {
            versions_.clear();
            for (report::Figure& figure :
                 experiment::evaluate(experiment, *plan_, sources(), experiments_.published(), notes)) {
                add_circumstances(figure);
                out.push_back(std::move(figure));
            }
            add_bands(experiment, out);
        }
        const std::string& paper = group.front().paper;
        if (!paper.empty() && options_.figures.empty() && papers.insert(paper).second)
            if (auto others = experiment::not_measured(paper, group, experiments_.published(), notes))
                out.push_back(std::move(*others));
    }
    return out;
}

void Reproduction::add_bands(const Experiment& experiment, std::vector<report::Figure>& to) {
    const std::vector<experiment::Band> bands = bands_of(experiment);
    if (bands.empty())
        return;
    bands_[experiment.id] = experiment::bands_csv(experiment, bands);
    for (report::Figure& figure : experiment::band_figures(experiment, bands))
        to.push_back(std::move(figure));
}

void Reproduction::add_circumstances(report::Figure& figure) const {
    if (options_.quick)
        figure.remarks.emplace_back("Of small inputs (--quick), not the paper's sizes: explanations of differences are "
                                    "shown for the paper's sizes alone.");
    if (versions_.size() > 1 || (versions_.size() == 1 && *versions_.begin() != version_))
        figure.remarks.push_back(fmt::format("Results of revisions {} (--any-revision).",
                                             comma_list(std::vector<std::string>(versions_.begin(), versions_.end()))));
}

int Reproduction::write() {
    const std::vector<report::Figure> all = make_figures();
    for (const report::Figure& figure : all) {
        fmt::print("{}\n", report::figure_table(figure));
        if (!figure.series.empty())
            write_file((fs::path(options_.folder) / (figure.id + ".csv")).string(), report::figure_csv(figure));
    }
    for (const auto& [id, text] : bands_)
        write_file((fs::path(options_.folder) / (id + "-readings.csv")).string(), text);
    const std::size_t failed = count_failed();
    if (failed != 0)
        fmt::print("{} of {} runs failed; --rerun=failed repeats those that were started\n", failed,
                   plan_->runs().size());
    const bool notes_hold = options_.quick || check_notes(all);
    fmt::print("{}\n", write_report(all).string());
    return failed == 0 && (notes_hold || !options_.update_notes) ? 0 : kFailed;
}

// Whether the numbers in the notes of the papers are claims that hold.
bool Reproduction::check_notes(const std::vector<report::Figure>& all) const {
    bool out = true;
    for (const auto& [folder, notes] : experiments_.notes()) {
        const fs::path page = fs::path(folder) / "DEVIATIONS.md";
        const NoteUpdate update = hold_notes_against(all, page, options_.update_notes);
        for (const std::string& problem : update.problems)
            fmt::print("{}\n", problem);
        if (options_.update_notes)
            fmt::print("{}: {} numbers updated\n", page.string(), update.changed);
        out = out && update.problems.empty();
    }
    return out;
}

// A section for each paper, in the order of their first figures.
report::Page Reproduction::page_of(const std::vector<report::Figure>& all) const {
    report::Page page;
    page.title = fmt::format("heddle reproduce {}", fmt::join(options_.words, " "));
    page.introduction = {
        "What the papers publish, beside what heddle measures. Each figure has its values as a table, and marks in its "
        "chart where the paper publishes a value.",
        options_.quick ? "All numbers are of small inputs, which show that everything runs. They are not the papers' "
                         "sizes: differences from the published values mean nothing."
                       : "What differs from the paper has its reason beside it."};
    page.facts = {{"simulator", version_},
                  {"inputs", options_.quick ? "small ones (--quick)" : "those of the papers"},
                  {"runs", fmt::format("{}", plan_->runs().size())}};
    for (const report::Figure& figure : all) {
        const std::string paper = figure.title.substr(0, figure.title.find_first_of(" :"));
        if (page.sections.empty() || page.sections.back().title != paper)
            page.sections.push_back({fmt::format("section-{}", page.sections.size() + 1), paper, {}, {}, {}});
        page.sections.back().figures.push_back(figure);
    }
    return page;
}

// The last line printed names the file that was written last.
fs::path Reproduction::write_report(const std::vector<report::Figure>& all) const {
    write_file((fs::path(options_.folder) / "figures.json").string(), report::figures_json(all));
    const fs::path path = fs::path(options_.folder) / "report.html";
    write_file(path.string(), report::to_html(page_of(all), report::chart_library()));
    return path;
}

} // namespace heddle::cli
