// The figures of `heddle reproduce`: which runs they need, and what is written when the runs are there.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/figures.h"
#include "experiment/plan.h"
#include "experiment/readings.h"
#include "experiment/store.h"
#include "experiment_set.h"
#include "report/page.h"

namespace heddle::cli {

class Reproduction {
public:
    struct Options {
        std::vector<std::string> words; // papers and files
        std::vector<std::string> figures;
        std::string folder = "results", rerun;
        bool quick = false, any_revision = false, readings = false, update_notes = false;
    };
    // Throws UsageError with the mistakes of all files. `version`: of the simulator.
    Reproduction(const Options&, std::string version);

    // The results to look up; until then there are none.
    void use(const experiment::Store& store) {
        store_ = &store;
    }
    [[nodiscard]] const experiment::Plan& plan() const {
        return *plan_;
    }
    [[nodiscard]] const std::vector<experiment::Run>& runs() const {
        return plan_->runs();
    }
    [[nodiscard]] std::size_t figures() const {
        return experiments_.all().size();
    }
    // The runs without a result, and those to repeat; `made`: keys of runs that are not to be repeated any more.
    [[nodiscard]] std::vector<experiment::Run> missing_runs(const std::set<std::string>& made = {}) const;
    // Programs that cannot be run, by path, with the reason: their runs have failed.
    void refuse(const std::map<std::string, std::string>& programs) {
        refused_.insert(programs.begin(), programs.end());
    }
    // With --readings, when all single choices have results: plans the pairs of those that matter.
    void add_pairs();
    // Prints tables, writes files. The exit status.
    int write();

private:
    // An experiment with choices in place of its defaults.
    struct Variation {
        std::string of; // id of the experiment
        experiment::Choices choices;
        experiment::Experiment made;
    };

    void add_variations(const experiment::Experiment&, const std::vector<experiment::Choices>&);
    // Throws UsageError where another choice needs a program that was not built: its mean would be of fewer programs.
    void check_variations() const;
    void make_plan();
    [[nodiscard]] experiment::Sources sources();
    [[nodiscard]] std::optional<experiment::StoredRun> stored(const experiment::Run&) const;
    // Why the stored run failed; empty where it did not, nothing where none is stored.
    [[nodiscard]] std::optional<std::string> stored_failure(const experiment::Run&) const;
    [[nodiscard]] std::optional<experiment::StoredRun> result_of(const experiment::Run&);
    [[nodiscard]] std::size_t count_failed();

    [[nodiscard]] std::vector<experiment::Band> bands_of(const experiment::Experiment&);
    [[nodiscard]] std::vector<report::Figure> make_figures();
    void add_bands(const experiment::Experiment&, std::vector<report::Figure>& to);
    void add_circumstances(report::Figure&) const;
    [[nodiscard]] bool check_notes(const std::vector<report::Figure>&) const;
    [[nodiscard]] report::Page page_of(const std::vector<report::Figure>&) const;
    [[nodiscard]] std::filesystem::path write_report(const std::vector<report::Figure>&) const;

    const Options& options_;
    std::string version_;
    ExperimentSet experiments_;
    std::vector<Variation> variations_;
    std::map<std::string, std::string> bands_; // CSV of an experiment's bands, by its id
    std::optional<experiment::Plan> plan_;
    const experiment::Store* store_ = nullptr;
    std::map<std::string, std::string> refused_;
    std::set<std::string> versions_; // versions of the results in the present figure
};

} // namespace heddle::cli
