#include "experiment/figures.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/suggest.h"
#include "experiment/combination.h"
#include "experiment/fields.h"
#include "experiment/figure_layout.h"
#include "experiment/grid.h"
#include "experiment/kernel_name.h"
#include "experiment/links.h"
#include "experiment/views.h"

namespace heddle::experiment {

namespace {

using Json = nlohmann::json;
using report::Figure;
using report::Series;

// The reasons why values are missing, each with its programs.
class Faults {
public:
    void add(const std::string& program, const std::string& message) {
        auto at = std::find_if(all_.begin(), all_.end(), [&](const Fault& one) { return one.message == message; });
        if (at == all_.end())
            at = all_.insert(at, {message, {}});
        std::vector<std::string>& programs = at->programs;
        if (!program.empty() && std::find(programs.begin(), programs.end(), program) == programs.end())
            programs.push_back(program);
    }
    [[nodiscard]] std::vector<std::string> remarks() const {
        std::vector<std::string> out;
        for (const Fault& one : all_)
            out.push_back(fmt::format("No value{}{}: {}", one.programs.empty() ? "" : " of ", comma_list(one.programs),
                                      one.message));
        return out;
    }

private:
    struct Fault {
        std::string message;
        std::vector<std::string> programs;
    };
    std::vector<Fault> all_;
};

const char* result_name(Tool tool) {
    return tool == Tool::run ? "RESULT.json" : "ORACLE.json";
}

// The document of formulas for a result: with `kernel`, only the program's launches; without launches of RESULT.json
// that were not timed.
Json document_of(const std::string& result, const Program& program, Tool tool) {
    const bool timed_only = tool == Tool::run;
    Json document = Json::parse(result);
    Json launches = Json::array();
    std::vector<std::string> names;
    for (const Json& launch : document.at(timed_only ? "kernels" : "launches")) {
        const std::string& name = launch.at(timed_only ? "name" : "kernel").get_ref<const std::string&>();
        names.push_back(source_name(name, true));
        const bool counts = !timed_only || launch.at("timed").get<bool>();
        if (counts && (program.kernel.empty() || is_kernel_called(name, program.kernel)))
            launches.push_back(launch);
    }
    if (launches.empty() && !program.kernel.empty()) {
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        throw UserError(
            fmt::format("no kernel of the run is called '{}'; there are: {}", program.kernel, comma_list(names)));
    }
    document["kernel"] = std::move(launches);
    return document;
}

class Evaluator {
public:
    Evaluator(const Experiment& experiment, const Plan& plan, const Sources& sources)
        : experiment_(experiment), plan_(plan), sources_(sources) {}

    // Figures without their published rows.
    std::vector<Figure> figures() {
        const std::size_t programs = std::max<std::size_t>(1, experiment_.programs.size());
        std::vector<Figure> out;
        if (!experiment_.each_program) {
            out.push_back(experiment_.view == View::none ? figure_of(experiment_, values(0, programs))
                                                         : views(0, programs));
            finish(out.back());
            return out;
        }
        for (std::size_t p = 0; p < programs; ++p) {
            const std::string& name = experiment_.programs[p].name;
            faults_ = {};
            left_out_ = 0;
            out.push_back(experiment_.view == View::none ? figure_of(experiment_, of_program(values(p, p + 1), p))
                                                         : views(p, p + 1));
            out.back().id += "-" + name;
            out.back().title += ", " + name;
            finish(out.back());
        }
        return out;
    }

private:
    static std::vector<Grid> of_program(const std::vector<Grid>& grids, std::size_t program) {
        std::vector<Grid> out;
        for (const Grid& grid : grids)
            out.push_back(grid.of_program(program));
        return out;
    }

    void finish(Figure& figure) const {
        if (left_out_ != 0) {
            std::vector<std::string> conditions;
            for (const Condition& condition : experiment_.conditions)
                conditions.push_back(condition.text());
            figure.remarks.push_back(fmt::format("{} left out by where = {}.",
                                                 left_out_ == 1 ? std::string("1 combination is")
                                                                : fmt::format("{} combinations are", left_out_),
                                                 fmt::join(conditions, "; ")));
        }
        const std::vector<std::string> faults = faults_.remarks();
        figure.remarks.insert(figure.remarks.end(), faults.begin(), faults.end());
    }

    template <class Visit>
    void for_each_run(std::size_t begin, std::size_t end, Visit visit) {
        for (std::size_t p = begin; p < end; ++p)
            for (std::size_t s = 0; s < experiment_.settings.size(); ++s)
                for (std::size_t x = 0; x < experiment_.points.size(); ++x)
                    visit(p, s, x);
    }

    [[nodiscard]] bool is_left_out(std::size_t program, std::size_t setting, std::size_t point) {
        if (!experiment_.cost)
            return plan_.run_of(experiment_, program, setting, point) == nullptr;
        const Setting &s = experiment_.settings[setting], &x = experiment_.points[point];
        return !is_included(experiment_, program, setting, point,
                            machines_.of(machine_of(s, x)).apply(settings_of(s, x)));
    }

    // The document of formulas for a run. Nothing, and a fault, when the run failed.
    [[nodiscard]] std::optional<Json> document(std::size_t program, std::size_t setting, std::size_t point,
                                               std::size_t seed = 0) {
        const std::string name = experiment_.cost ? "" : experiment_.programs[program].name;
        try {
            if (experiment_.cost) {
                const Setting &s = experiment_.settings[setting], &x = experiment_.points[point];
                return Json::parse(sources_.cost(machine_of(s, x), settings_of(s, x)));
            }
            const Run& run = *plan_.run_of(experiment_, program, setting, point, seed);
            const std::optional<StoredRun> stored = sources_.result(run);
            if (!run.problem.empty())
                faults_.add(name, run.problem);
            else if (!stored)
                faults_.add(name, "not run");
            else if (stored->failed())
                faults_.add(name, fmt::format("{}: {}", run.label, stored->failure));
            else
                return document_of(stored->result, experiment_.programs[program], experiment_.tool);
        } catch (const Json::exception&) {
            faults_.add(name,
                        fmt::format("the stored result is no {}; --rerun replaces it", result_name(experiment_.tool)));
        } catch (const UserError& e) {
            faults_.add(name, e.what());
        }
        return std::nullopt;
    }

    // A grid for each seed.
    std::vector<Grid> values(std::size_t begin, std::size_t end) {
        std::vector<Grid> out(std::max<std::size_t>(1, experiment_.seeds.size()), Grid(experiment_));
        for_each_run(begin, end, [&](std::size_t p, std::size_t s, std::size_t x) {
            const bool left_out = is_left_out(p, s, x);
            left_out_ += left_out ? 1 : 0;
            for (std::size_t seed = 0; seed < out.size(); ++seed)
                if (left_out)
                    out[seed].leave_out(p, s, x);
                else
                    fill(out[seed], p, s, x, seed);
        });
        return out;
    }

    void fill(Grid& grid, std::size_t p, std::size_t s, std::size_t x, std::size_t seed) {
        const std::optional<Json> result = document(p, s, x, seed);
        for (std::size_t v = 0; result && v < experiment_.values.size(); ++v) {
            try {
                grid.at({p, s, x, v}) = experiment_.values[v].formula.evaluate(*result);
            } catch (const FormulaError& e) {
                faults_.add(experiment_.cost ? "" : experiment_.programs[p].name, e.what());
            }
        }
    }

    Figure views(std::size_t begin, std::size_t end) {
        Figure out = figure_of(experiment_, {Grid(experiment_)});
        for_each_run(begin, end, [&](std::size_t p, std::size_t s, std::size_t x) {
            if (is_left_out(p, s, x)) {
                ++left_out_;
                return;
            }
            const std::optional<Json> result = document(p, s, x);
            if (!result)
                return;
            std::string prefix = end - begin > 1 ? experiment_.programs[p].name : "";
            const auto add = [&](const std::string& part, std::size_t of) {
                if (of > 1)
                    prefix += (prefix.empty() ? "" : ", ") + part;
            };
            add(experiment_.settings[s].name, experiment_.settings.size());
            add(experiment_.points[x].name, experiment_.points.size());
            try {
                add_view(experiment_, *result, prefix, out);
            } catch (const UserError& e) {
                faults_.add(experiment_.programs[p].name, e.what());
            }
        });
        for (Series& series : out.series)
            series.values.resize(experiment_.view == View::blocks ? 0 : out.categories.size());
        return out;
    }

    const Experiment& experiment_;
    const Plan& plan_;
    const Sources& sources_;
    Machines machines_;
    Faults faults_;
    std::size_t left_out_ = 0; // combinations, by conditions
};

std::string note_of(const Notes& notes, const std::string& id, const Published& row) {
    const auto figure = notes.rows.find(id);
    if (figure == notes.rows.end())
        return "";
    const auto note = figure->second.find(note_heading(row));
    return note == figure->second.end() ? "" : note->second;
}

} // namespace

Figure shape_of(const Experiment& experiment) {
    Grid grid(experiment);
    return figure_of(experiment, {experiment.each_program ? grid.of_program(0) : grid});
}

std::vector<Figure> evaluate(const Experiment& experiment, const Plan& plan, const Sources& sources,
                             const std::vector<Published>& published, const Notes& notes) {
    std::vector<Figure> out = Evaluator(experiment, plan, sources).figures();
    std::vector<std::string> means;
    for (const MeanColumn& mean : experiment.means)
        means.push_back(mean.name);
    for (const LinkedRow& linked : link_rows(experiment, shape_of(experiment), published)) {
        report::PublishedRow row = compare_with(published[linked.row], linked.link, out.front(), means);
        row.note = note_of(notes, experiment.id, published[linked.row]);
        out.front().published.push_back(std::move(row));
    }
    if (const auto note = notes.figures.find(experiment.id); note != notes.figures.end())
        out.front().notes = note->second;
    return out;
}

std::optional<Figure> not_measured(const std::string& paper, const std::vector<Experiment>& experiments,
                                   const std::vector<Published>& published, const Notes& notes) {
    std::vector<bool> linked(published.size());
    for (const Experiment& experiment : experiments)
        for (const LinkedRow& row : link_rows(experiment, shape_of(experiment), published))
            linked[row.row] = true;
    Figure out;
    out.id = paper;
    std::transform(out.id.begin(), out.id.end(), out.id.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    out.id += "-others";
    out.title = paper + ": published values that no experiment here measures";
    for (std::size_t r = 0; r < published.size(); ++r) {
        const Published& row = published[r];
        if (row.paper == paper && !linked[r])
            out.published.push_back({row.quantity,
                                     row.subject,
                                     row.versus,
                                     row.unit,
                                     row.value,
                                     "",
                                     "",
                                     note_of(notes, out.id, row),
                                     {},
                                     {}});
    }
    if (const auto note = notes.figures.find(out.id); note != notes.figures.end())
        out.notes = note->second;
    return out.published.empty() ? std::nullopt : std::optional(out);
}

void check_links(const std::vector<Experiment>& experiments, const std::vector<Published>& published,
                 const Notes& notes) {
    Problems problems;
    std::vector<std::string> headings, ids;
    for (const Published& row : published)
        headings.push_back(note_heading(row));
    for (const Experiment& experiment : experiments) {
        try {
            (void)link_rows(experiment, shape_of(experiment), published);
        } catch (const UserError& e) {
            problems.add(e.what());
        }
    }
    for (const auto& [id, rows] : notes.rows)
        for (const auto& [heading, text] : rows)
            if (std::find(headings.begin(), headings.end(), heading) == headings.end())
                problems.add(fmt::format("DEVIATIONS.md: there is no published row '{}'{}", heading,
                                         did_you_mean(heading, headings)));
    problems.throw_if_any();
}

} // namespace heddle::experiment
