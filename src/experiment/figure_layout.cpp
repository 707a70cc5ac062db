#include "experiment/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"

namespace heddle::experiment {

namespace {

using report::Figure;
using report::Series;

class Layout {
public:
    Layout(const Experiment& experiment, std::vector<Grid> grids) : experiment_(experiment), grids_(std::move(grids)) {}

    Figure figure() {
        Figure out;
        out.id = experiment_.id;
        out.title = experiment_.title;
        out.caption = experiment_.caption;
        out.unit = experiment_.unit;
        out.category = experiment_.category;
        out.kind = experiment_.kind;
        if (experiment_.view != View::none)
            return out;
        compute(out.remarks);
        out.categories = grid().names(experiment_.categories);
        for (const MeanColumn& mean : experiment_.means)
            out.categories.push_back(mean.name);
        out.means = experiment_.means.size();
        const std::vector<std::size_t> complete = grid().complete_programs();
        grid().for_each([&](const Grid::Index& index) {
            if (index[category_axis()] == 0)
                out.series.push_back(series(index, complete));
        });
        tell_left_out(complete, out.remarks);
        tell_seeds(out.remarks);
        return out;
    }

private:
    // All have the same names, and after each step the same missing values.
    [[nodiscard]] const Grid& grid() const {
        return grids_.front();
    }
    [[nodiscard]] std::size_t category_axis() const {
        return static_cast<std::size_t>(experiment_.categories);
    }

    // The best point is found by the mean of the programs, before these are reduced; it is the same for all seeds.
    void compute(std::vector<std::string>& remarks) {
        share_missing(grids_);
        if (experiment_.relative)
            for_each_grid([&](Grid& one, auto&) { one.make_relative(*experiment_.relative); }, remarks);
        for (const Reduction& reduction : experiment_.reductions)
            if (!reduction.mean) {
                const std::vector<std::size_t> best = mean_of_grids(grids_).best_points(remarks);
                for_each_grid([&](Grid& one, auto&) { one.keep_points(best); }, remarks);
            }
        for (const Reduction& reduction : experiment_.reductions)
            if (reduction.mean)
                for_each_grid([&](Grid& one, auto& told) { one.reduce(reduction.axis, *reduction.mean, told); },
                              remarks);
    }

    // Remarks of the first grid are those of all.
    template <class Step>
    void for_each_grid(Step step, std::vector<std::string>& remarks) {
        std::vector<std::string> ignored;
        for (Grid& one : grids_)
            step(one, &one == &grids_.front() ? remarks : ignored);
        share_missing(grids_);
    }

    [[nodiscard]] std::string joined(const Grid::Index& index, const std::vector<Axis>& axes) const {
        std::string out;
        for (const Axis axis : axes) {
            const auto a = static_cast<std::size_t>(axis);
            const bool alone = grid().size(axis) == 1 && !(axis == Axis::setting && axes.size() == 1);
            if (a != category_axis() && !alone)
                out += (out.empty() ? "" : ", ") + grid().names(axis)[index[a]];
        }
        return out;
    }

    [[nodiscard]] Series series(Grid::Index index, const std::vector<std::size_t>& complete) const {
        Series out;
        if (experiment_.kind == report::FigureKind::stacked_bars) {
            out.name = grid().names(Axis::value)[index[3]];
            out.stack = joined(index, {Axis::program, Axis::setting, Axis::point});
        } else {
            out.name = joined(index, {Axis::program, Axis::setting, Axis::point, Axis::value});
            for (const Axis axis : {Axis::setting, Axis::value, Axis::point})
                if (out.name.empty() && axis != experiment_.categories)
                    out.name = grid().names(axis)[index[static_cast<std::size_t>(axis)]];
        }
        for (std::size_t c = 0; c < grid().size(experiment_.categories); ++c) {
            index[category_axis()] = c;
            add_cell(out, [&](const Grid& one) { return one.at(index); });
        }
        for (const MeanColumn& mean : experiment_.means)
            add_cell(out, [&](const Grid& one) { return mean_of_programs(one, mean, index, complete); });
        return out;
    }

    // The mean over the seeds of what `value_in` finds in the grid of each.
    template <class ValueIn>
    void add_cell(Series& to, ValueIn value_in) const {
        std::vector<double> all;
        for (const Grid& one : grids_)
            if (const std::optional<double> value = shown(value_in(one)))
                all.push_back(*value);
        const bool complete = all.size() == grids_.size();
        to.values.push_back(complete ? mean_of(Mean::arithmetic, all) : std::nullopt);
        if (grids_.size() > 1)
            to.spread.push_back(complete ? std::optional(spread_of(all)) : std::nullopt);
    }

    static report::Spread spread_of(const std::vector<double>& all) {
        const double mean = *mean_of(Mean::arithmetic, all);
        double squares = 0;
        for (const double value : all)
            squares += (value - mean) * (value - mean);
        return {std::sqrt(squares / static_cast<double>(all.size() - 1)), *mean_of(Mean::min, all),
                *mean_of(Mean::max, all)};
    }

    [[nodiscard]] static std::optional<double> mean_of_programs(const Grid& grid, const MeanColumn& mean,
                                                                Grid::Index index,
                                                                const std::vector<std::size_t>& complete) {
        std::vector<double> values;
        for (const std::size_t p : complete) {
            const std::string& name = grid.names(Axis::program)[p];
            index[0] = p;
            if (mean.of.empty() || std::find(mean.of.begin(), mean.of.end(), name) != mean.of.end())
                if (const std::optional<double>& value = grid.at(index)) // nothing where conditions leave all out
                    values.push_back(*value);
        }
        return mean_of(mean.mean, values);
    }

    // Means are means of ratios. A value may be shown as a gain in percent.
    [[nodiscard]] std::optional<double> shown(const std::optional<double>& value) const {
        if (value && experiment_.relative && experiment_.relative->as == As::percent)
            return (*value - 1) * 100;
        return value;
    }

    void tell_left_out(const std::vector<std::size_t>& complete, std::vector<std::string>& remarks) const {
        std::vector<std::string> left_out;
        for (std::size_t p = 0; p < grid().size(Axis::program); ++p)
            if (std::find(complete.begin(), complete.end(), p) == complete.end())
                left_out.push_back(grid().names(Axis::program)[p]);
        if (!left_out.empty() && left_out.size() < grid().size(Axis::program) && !experiment_.means.empty())
            remarks.push_back(
                fmt::format("Means are without {}, of which not all runs have a value.", comma_list(left_out)));
    }

    void tell_seeds(std::vector<std::string>& remarks) const {
        if (experiment_.seeds.empty())
            return;
        remarks.push_back(grids_.size() == 1
                              ? fmt::format("Of seed {}.", experiment_.seeds.front())
                              : fmt::format("Means over {} seeds ({}), ± the standard deviation of the sample.",
                                            grids_.size(), fmt::join(experiment_.seeds, ", ")));
    }

    const Experiment& experiment_;
    std::vector<Grid> grids_;
};

} // namespace

Figure figure_of(const Experiment& experiment, std::vector<Grid> grids) {
    return Layout(experiment, std::move(grids)).figure();
}

} // namespace heddle::experiment
