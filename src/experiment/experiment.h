// The contents of an experiment file (docs/experiments.md): programs x settings x points of a sweep x values, and the
// figure made from them. Plain data: file.h reads it, plan.h makes runs of it, figures.h evaluates it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/condition.h"
#include "experiment/formula.h"
#include "experiment/program.h"
#include "report/figure.h"

namespace heddle::experiment {

// The machine and settings of a run; also a point of a sweep, which is added to a setting.
struct Setting {
    std::string name;
    std::string machine;                // a shipped one's name or a file's path; empty: the experiment's
    std::vector<std::string> settings;  // KEY=VALUE
    std::vector<std::string> arguments; // of the program, after its own
    std::string where;                  // "8.toml:12:3"
    std::vector<std::pair<std::string, std::string>> places; // where keys of `settings` are: KEY, "8.toml:12:3"
};

struct NamedFormula {
    std::string name;
    Formula formula;
};

// The data of a figure without a formula: events that a run recorded over time.
enum class View {
    none,
    divergence,  // MAWS Figure 2: divergent accesses by the threads that missed, over time
    blocks,      // PRO Figure 2: the time in which each thread block was resident on an SM
    block_order, // PRO Table IV: the order of an SM's blocks at each sample
};

enum class Mean { arithmetic, geometric, harmonic, sum, max, min };

struct MeanColumn {
    std::string name; // "geometric mean"
    Mean mean = Mean::geometric;
    std::vector<std::string> of; // programs; empty: all
};

enum class As { value, percent, ratio, points };

struct Relative {
    std::string to, at; // a setting; a point of the sweep, empty: the point of the value
    As as = As::ratio;
};

enum class Axis { program, setting, point, value };

struct Reduction {
    Axis axis = Axis::program;
    std::optional<Mean> mean; // nothing: the best point, by the geometric mean over the programs
};

// The command that runs a program, and so the document of the formulas: RESULT.json of `heddle run`, ORACLE.json of
// `heddle oracle`.
enum class Tool { run, oracle };

// How a number is taken from a figure for the comparison with a published number.
enum class Take {
    cell,
    max,
    min,
    name_of_max,
    name_of_min,
    count_above,
    count_below,
    rank,
    range,
    column,
    changes,
    span
};

// Rows of published.csv and the cells of the figure that they correspond to. Texts may contain {category}, {series} and
// {value}: the link then stands for each name that fits.
struct Link {
    std::string figure, quantity, subject, versus; // of the row
    std::string series, category;                  // of the cell
    std::string base_series, base_category;        // the cell that it is compared with; both empty: none
    As as = As::value;
    Take take = Take::cell;
    double limit = 0; // of count_above, count_below
    bool sign = false;
    std::vector<double> class_limits; // with class_names: the number becomes the name of the first limit above it
    std::vector<std::string> class_names;
    std::string where;
};

// Another choice where the paper is silent, and what it changes in an experiment.
struct Alternative {
    std::string name, why;
    std::vector<std::string> settings;  // KEY=VALUE; those of single settings and points have priority
    std::vector<std::string> programs;  // which get arguments and variant; empty: all
    std::vector<std::string> arguments; // after the program's own
    std::string variant;                // of workloads, as Program::variant has it; "usual": none. Empty: unchanged
    std::optional<Mean> mean;           // of all means over programs
    std::string where;                  // "readings.toml:12:3"
};

// A choice that the paper leaves open. The experiment as its file says it has the default.
struct Reading {
    std::string id;       // "dram order"
    std::string silent;   // what the paper says, and what it does not say
    std::string standard; // the name of the default
    std::string because;  // why it is the default: an argument that does not look at results
    std::vector<Alternative> alternatives;
};

struct Experiment {
    std::vector<std::string> plugins; // absolute paths
    std::string id, title, caption, unit, category;
    report::FigureKind kind = report::FigureKind::table;
    std::string paper;                // "LWM11": whose rows of published.csv
    std::vector<std::string> figures; // their column `figure`
    bool cost = false;                // values are of COST.json, no program runs
    Tool tool = Tool::run;            // that makes the results of programs
    std::vector<Program> programs;
    std::vector<Setting> settings, points;
    std::vector<Condition> conditions; // of a combination; one that does not hold leaves it out
    std::vector<std::uint64_t> seeds;  // each program runs with each of them; empty: once, with its own
    std::vector<NamedFormula> values;
    View view = View::none;
    std::uint64_t sm = 0; // of View::blocks and block_order
    std::uint64_t sample = 1000;
    bool each_program = false; // a figure for each program
    Axis categories = Axis::program;
    std::vector<Reduction> reductions;
    std::optional<Relative> relative;
    std::vector<MeanColumn> means;
    std::vector<Link> links;
    std::vector<Reading> readings;
    std::string chosen;     // the alternatives that are in place of defaults: "DRAM order: one queue"
    std::size_t common = 0; // the first settings of every Setting: those of `set`
    std::filesystem::path file;

    [[nodiscard]] bool records_time() const {
        return view == View::blocks || view == View::block_order;
    }
};

} // namespace heddle::experiment
