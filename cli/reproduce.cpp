// heddle reproduce: the figures and tables of a paper, or of the user's own experiment.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "cost.h"
#include "experiment/figures.h"
#include "experiment/file.h"
#include "experiment/readings.h"
#include "experiment_files.h"
#include "machine_options.h"
#include "note_update.h"
#include "output_files.h"
#include "program_file.h"
#include "report/figure_text.h"
#include "report/page.h"
#include "report/result.h"
#include "run_queue.h"
#include "simulated_program.h"
#include "whole_number.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;
using experiment::Experiment;
using experiment::Run;

struct Options {
    std::vector<std::string> words; // papers and files
    std::vector<std::string> figures;
    std::string folder = "results", store, rerun;
    unsigned jobs = 0;
    std::uint64_t max_cycles = 0;
    bool quick = false, dry_run = false, any_revision = false, readings = false, update_notes = false;
};

// If changes were not committed, the revision does not identify the simulator: the digests of its libraries do.
std::string simulator_version() {
    std::string version(report::commit());
    if (version != "unknown" && !version.ends_with("-dirty"))
        return version;
    for (const char* name : {"libheddle.so.0", "libcudart.so.13"}) {
        const fs::path library = runtime_folder() / name;
        const auto digest = experiment::digest_file(library);
        if (!digest)
            throw UserError(fmt::format("{}: cannot be read", library.string()));
        version += "+" + digest->substr(0, 16);
    }
    return version;
}

class Reproduction {
public:
    explicit Reproduction(const Options& options) : options_(options), version_(simulator_version()) {
        read_experiments();
        if (options.readings)
            for (const Experiment& experiment : experiments_)
                add_variations(experiment, experiment::single_choices(experiment));
        if (options.readings && variations_.empty())
            throw UsageError("--readings: none of these figures has both published values and [[reading]] tables");
        make_plan();
        store_path_ = options.store.empty() ? fs::path(options.folder) / "runs.sqlite" : fs::path(options.store);
    }

    int run() {
        if (options_.dry_run)
            return dry_run();
        prepare_folder(options_.folder);
        experiment::Store store(store_path_, experiment::Store::Mode::write);
        store_ = &store;
        const std::size_t jobs = options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
        RunQueue queue(store, {version_, jobs, !options_.rerun.empty(), options_.max_cycles});
        const std::vector<const Run*> missing = missing_runs();
        bool finished = queue.run(missing);
        refused_ = queue.refused();
        if (finished && options_.readings) {
            std::set<std::string> made; // --rerun repeats a run once
            for (const Run* run : missing)
                made.insert(run->key);
            add_pairs();
            make_plan();
            finished = queue.run(missing_runs(made));
            refused_.insert(queue.refused().begin(), queue.refused().end());
        }
        if (!finished) {
            fmt::print(stderr, "heddle: interrupted; the same call goes on where this one ended\n");
            return SignalForwarder::exit_status();
        }
        return write();
    }

private:
    // An experiment with choices in place of its defaults.
    struct Variation {
        std::string of; // id of the experiment
        experiment::Choices choices;
        Experiment made;
    };

    void add_variations(const Experiment& experiment, const std::vector<experiment::Choices>& all) {
        if (!experiment.links.empty())
            for (const experiment::Choices& choices : all)
                variations_.push_back({experiment.id, choices, experiment::with_choices(experiment, choices)});
    }

    void add_pairs() {
        std::vector<std::pair<const Experiment*, std::vector<experiment::Choices>>> pairs;
        for (const Experiment& experiment : experiments_)
            pairs.emplace_back(&experiment, experiment::pairs_that_matter(bands_of(experiment)));
        for (const auto& [experiment, choices] : pairs)
            add_variations(*experiment, choices);
    }

    void make_plan() {
        std::vector<Experiment> all = experiments_;
        for (const Variation& variation : variations_)
            all.push_back(variation.made);
        plan_.emplace(all, experiment::Plan::Options{options_.quick, beside_executable("workloads")});
    }

    [[nodiscard]] experiment::Sources sources() {
        return {[this](const Run& run) { return result_of(run); }, cost_of_machine};
    }

    [[nodiscard]] std::vector<experiment::Band> bands_of(const Experiment& experiment) {
        const auto figure_of = [&](const Experiment& one) {
            return experiment::evaluate(one, *plan_, sources(), published_, {}).front();
        };
        std::vector<std::pair<experiment::Choices, report::Figure>> others;
        for (const Variation& variation : variations_)
            if (variation.of == experiment.id)
                others.emplace_back(variation.choices, figure_of(variation.made));
        return others.empty() ? std::vector<experiment::Band>() : experiment::bands_of(figure_of(experiment), others);
    }

    void read_experiments() {
        const fs::path folder = experiments_folder();
        const experiment::ProgramSets sets = experiment::read_program_sets(folder / "programs.toml");
        published_ = experiment::read_published(folder / "published.csv");
        std::string problems;
        for (const std::string& word : options_.words)
            for (const fs::path& file : files_of(word, folder)) {
                try {
                    add(experiment::read_experiment(file, sets));
                } catch (const UserError& e) {
                    problems += (problems.empty() ? "" : "\n") + std::string(e.what());
                }
            }
        if (problems.empty() && experiments_.empty())
            problems = fmt::format("no figure is called {}; there are: {}", comma_list(options_.figures),
                                   comma_list(passed_over_));
        if (!problems.empty())
            throw UsageError(problems);
        for (const auto& [place, group] : by_folder())
            experiment::check_links(group, published_, notes_[place]);
    }

    void add(Experiment experiment) {
        const std::string folder = fs::absolute(experiment.file).parent_path().string();
        const std::string stem = experiment.file.stem().string();
        const auto is_wanted = [&](const std::string& name) { return name == experiment.id || name == stem; };
        if (!options_.figures.empty() && std::none_of(options_.figures.begin(), options_.figures.end(), is_wanted)) {
            passed_over_.push_back(stem);
            return;
        }
        for (const Experiment& other : experiments_)
            if (other.id == experiment.id)
                throw UserError(fmt::format("{}: there is another experiment '{}', {}; give one of them another 'id'",
                                            experiment.file.string(), experiment.id, other.file.string()));
        notes_.emplace(folder, experiment::read_notes(fs::path(folder) / "DEVIATIONS.md"));
        experiments_.push_back(std::move(experiment));
    }

    [[nodiscard]] std::map<std::string, std::vector<Experiment>> by_folder() const {
        std::map<std::string, std::vector<Experiment>> out;
        for (const Experiment& experiment : experiments_)
            out[fs::absolute(experiment.file).parent_path().string()].push_back(experiment);
        return out;
    }

    [[nodiscard]] std::optional<experiment::StoredRun> stored(const Run& run) const {
        if (store_ == nullptr)
            return std::nullopt;
        auto found = store_->find(run.key, version_);
        return !found && options_.any_revision ? store_->find(run.key, "") : found;
    }

    [[nodiscard]] std::vector<const Run*> missing_runs(const std::set<std::string>& made = {}) const {
        std::vector<const Run*> out;
        for (const Run& run : plan_->runs()) {
            if (!run.problem.empty() || made.contains(run.key))
                continue;
            const auto found = stored(run);
            if (!found || options_.rerun == "all" || (options_.rerun == "failed" && found->failed()))
                out.push_back(&run);
        }
        return out;
    }

    int dry_run() {
        std::optional<experiment::Store> store;
        std::error_code error;
        if (fs::exists(store_path_, error))
            store_ = &store.emplace(store_path_, experiment::Store::Mode::read);
        const std::vector<const Run*> missing = missing_runs();
        std::size_t impossible = 0;
        double seconds = 0;
        for (const Run* run : missing) {
            fmt::print("{}\n", run->label);
            if (store_ != nullptr)
                seconds += store_->seconds(run->key).value_or(0);
        }
        for (const Run& run : plan_->runs())
            if (!run.problem.empty()) {
                ++impossible;
                fmt::print("{}: {}\n", run.label, run.problem);
            }
        fmt::print("{} figures and tables, {} runs: {} are stored, {} would run{}, {} cannot be run\n",
                   experiments_.size(), plan_->runs().size(), plan_->runs().size() - missing.size() - impossible,
                   missing.size(),
                   seconds > 0 ? fmt::format(" ({} of one processor when they last did)", rough_time(seconds)) : "",
                   impossible);
        return 0;
    }

    [[nodiscard]] std::optional<experiment::StoredRun> result_of(const Run& run) {
        if (const auto at = refused_.find(run.program.string()); at != refused_.end() && !at->second.empty())
            return experiment::StoredRun{run.key, version_, at->second, run.label, 0, ""};
        auto found = stored(run);
        if (found)
            versions_.insert(found->version);
        return found;
    }

    static std::string cost_of_machine(const std::string& machine, const std::vector<std::string>& settings) {
        return report::cost_json(cost_of(config::Machine::load(machine, settings)));
    }

    std::vector<report::Figure> figures() {
        std::vector<report::Figure> out;
        std::set<std::string> papers;
        for (const auto& [place, group] : by_folder()) {
            const experiment::Notes& notes = notes_[place];
            for (const Experiment& experiment : group) {
                versions_.clear();
                for (report::Figure& figure : experiment::evaluate(experiment, *plan_, sources(), published_, notes)) {
                    add_circumstances(figure);
                    out.push_back(std::move(figure));
                }
                add_bands(experiment, out);
            }
            const std::string& paper = group.front().paper;
            if (!paper.empty() && options_.figures.empty() && papers.insert(paper).second)
                if (auto others = experiment::not_measured(paper, group, published_, notes))
                    out.push_back(std::move(*others));
        }
        return out;
    }

    void add_bands(const Experiment& experiment, std::vector<report::Figure>& to) {
        const std::vector<experiment::Band> bands = bands_of(experiment);
        if (bands.empty())
            return;
        bands_[experiment.id] = experiment::bands_csv(experiment, bands);
        for (report::Figure& figure : experiment::band_figures(experiment, bands))
            to.push_back(std::move(figure));
    }

    void add_circumstances(report::Figure& figure) const {
        if (options_.quick)
            figure.remarks.emplace_back("Of small inputs (--quick), not the paper's sizes.");
        if (versions_.size() > 1 || (versions_.size() == 1 && *versions_.begin() != version_))
            figure.remarks.push_back(
                fmt::format("Results of revisions {} (--any-revision).",
                            comma_list(std::vector<std::string>(versions_.begin(), versions_.end()))));
    }

    int write() {
        const std::vector<report::Figure> all = figures();
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
    bool check_notes(const std::vector<report::Figure>& all) const {
        bool out = true;
        for (const auto& [folder, notes] : notes_) {
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
    [[nodiscard]] report::Page page_of(const std::vector<report::Figure>& all) const {
        report::Page page;
        page.title = fmt::format("heddle reproduce {}", fmt::join(options_.words, " "));
        page.introduction = {
            "What the papers publish, beside what heddle measures. Each figure has its values as a table; what "
            "differs from the paper has its reason beside it."};
        page.facts = {{"simulator", version_},
                      {"inputs", options_.quick ? "small ones (--quick)" : "those of the papers"},
                      {"runs", fmt::format("{}", plan_->runs().size())}};
        for (const report::Figure& figure : all) {
            const std::string paper = figure.title.substr(0, figure.title.find(' '));
            if (page.sections.empty() || page.sections.back().title != paper)
                page.sections.push_back({fmt::format("section-{}", page.sections.size() + 1), paper, {}, {}, {}});
            page.sections.back().figures.push_back(figure);
        }
        return page;
    }

    // The last line printed names the file that was written last.
    [[nodiscard]] fs::path write_report(const std::vector<report::Figure>& all) const {
        write_file((fs::path(options_.folder) / "figures.json").string(), report::figures_json(all));
        const fs::path path = fs::path(options_.folder) / "report.html";
        write_file(path.string(), report::to_html(page_of(all), report::chart_library()));
        return path;
    }

    [[nodiscard]] std::size_t count_failed() {
        return static_cast<std::size_t>(
            std::count_if(plan_->runs().begin(), plan_->runs().end(), [this](const Run& run) {
                const auto found = run.problem.empty() ? result_of(run) : std::nullopt;
                return !found || found->failed();
            }));
    }

    const Options& options_;
    std::string version_;
    std::vector<Experiment> experiments_;
    std::vector<std::string> passed_over_;
    std::vector<experiment::Published> published_;
    std::map<std::string, experiment::Notes> notes_; // by folder
    std::vector<Variation> variations_;
    std::map<std::string, std::string> bands_; // CSV of an experiment's bands, by its id
    std::optional<experiment::Plan> plan_;
    fs::path store_path_;
    experiment::Store* store_ = nullptr;
    std::map<std::string, std::string> refused_;
    std::set<std::string> versions_; // versions of the results in the present figure
};

int list_papers() {
    const fs::path folder = experiments_folder();
    for (const std::string& paper : paper_names(folder)) {
        std::vector<std::string> names;
        for (const fs::path& file : toml_files(folder / paper))
            names.push_back(file.stem().string());
        fmt::print("{:8} {}\n", paper, comma_list(names));
    }
    fmt::print("heddle reproduce PAPER [--figure NAME], or heddle reproduce FILE.toml (docs/experiments.md)\n");
    return 0;
}

int reproduce(const Options& options) {
    if (options.words.empty())
        return list_papers();
    return Reproduction(options).run();
}

} // namespace

void add_reproduce(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "reproduce",
        "Runs what a paper's figures and tables need, and prints them: heddle reproduce PAPER|FILE.toml ...");
    const auto options = std::make_shared<Options>();
    command->add_option("PAPER|FILE", options->words, "papers, or experiment files; without any: lists the papers");
    command->add_option("-f,--figure", options->figures, "only this figure or table; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_flag("--quick", options->quick, "small inputs, to see that all runs");
    command->add_option("-j,--jobs", options->jobs, "runs at a time (default: one a processor core)")
        ->check(CLI::Range(1U, 1024U))
        ->type_name("N");
    command->add_option("--max-cycles", options->max_cycles, "a run that takes more than N simulated cycles has failed")
        ->check(whole_number(1))
        ->type_name("N");
    command->add_option("-o,--output", options->folder, "where tables, figures.json and the stored results go")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_option("--store", options->store, "where results are stored (default: DIR/runs.sqlite)")
        ->type_name("FILE");
    command
        ->add_flag("--rerun{all}", options->rerun,
                   "repeat runs whose results are stored; --rerun=failed: those that failed")
        ->check(CLI::IsMember({"all", "failed"}));
    command->add_flag("--readings", options->readings,
                      "also with other choices where the paper is silent: a band for each published value");
    command
        ->add_flag("--update-notes", options->update_notes,
                   "fill in the numbers of DEVIATIONS.md that refer to these figures")
        ->excludes("--quick");
    command->add_flag("--dry-run", options->dry_run, "list what would run, and run nothing");
    command->add_flag("--any-revision", options->any_revision, "take stored results of other revisions of heddle, too");
    command->callback([options, &status] { status = reproduce(*options); });
}

} // namespace heddle::cli
