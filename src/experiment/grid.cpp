#include "experiment/grid.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/suggest.h"

namespace heddle::experiment {

namespace {

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
    std::vector<std::string> out;
    for (const Named& one : all)
        out.push_back(one.name);
    return out.empty() ? std::vector<std::string>(1) : out;
}

} // namespace

std::optional<double> mean_of(Mean mean, std::span<const double> values) {
    if (values.empty())
        return std::nullopt;
    if (mean == Mean::max)
        return *std::max_element(values.begin(), values.end());
    if (mean == Mean::min)
        return *std::min_element(values.begin(), values.end());
    const bool positive = mean == Mean::geometric || mean == Mean::harmonic;
    double sum = 0;
    for (const double value : values) {
        if (positive && value <= 0)
            return std::nullopt;
        sum += mean == Mean::geometric ? std::log(value) : mean == Mean::harmonic ? 1 / value : value;
    }
    const auto count = static_cast<double>(values.size());
    switch (mean) {
    case Mean::geometric:
        return std::exp(sum / count);
    case Mean::harmonic:
        return count / sum;
    case Mean::sum:
        return sum;
    default:
        return sum / count;
    }
}

Grid::Grid(const Experiment& experiment)
    : names_{names_of(experiment.programs), names_of(experiment.settings), names_of(experiment.points),
             names_of(experiment.values)},
      values_(names_[0].size() * names_[1].size() * names_[2].size() * names_[3].size()), left_out_(values_.size()) {}

std::size_t Grid::place_of(const Index& index) const {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        place = place * names_[axis].size() + index[axis];
    return place;
}

const std::optional<double>& Grid::at(const Index& index) const {
    return values_[place_of(index)];
}

std::optional<double>& Grid::at(const Index& index) {
    return const_cast<std::optional<double>&>(std::as_const(*this).at(index));
}

void Grid::for_each(const std::function<void(const Index&)>& visit) const {
    for (std::size_t p = 0; p < names_[0].size(); ++p)
        for (std::size_t s = 0; s < names_[1].size(); ++s)
            for (std::size_t x = 0; x < names_[2].size(); ++x)
                for (std::size_t v = 0; v < names_[3].size(); ++v)
                    visit({p, s, x, v});
}

void Grid::make_relative(const Relative& relative) {
    const auto place = [](const std::vector<std::string>& names, const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t setting = place(names(Axis::setting), relative.to);
    const Grid before = *this;
    for_each([&](const Index& index) {
        Index base = index;
        base[1] = setting;
        if (!relative.at.empty())
            base[2] = place(names(Axis::point), relative.at);
        const std::optional<double>& value = before.at(index);
        const std::optional<double>& of = before.at(base);
        at(index) = value && of && *of != 0 ? std::optional(*value / *of) : std::nullopt;
        left_out_[place_of(index)] = before.left_out_[place_of(index)] || before.left_out_[place_of(base)];
    });
}

void Grid::leave_out(std::size_t program, std::size_t setting, std::size_t point) {
    for (std::size_t v = 0; v < size(Axis::value); ++v)
        left_out_[place_of({program, setting, point, v})] = true;
}

bool Grid::is_unused(Index index) const {
    for (index[0] = 0; index[0] < size(Axis::program); ++index[0])
        if (!left_out_[place_of(index)])
            return false;
    return true;
}

std::vector<std::size_t> Grid::complete_programs() const {
    std::vector<bool> complete(size(Axis::program), true);
    for_each([&](const Index& index) {
        if (complete[index[0]] && !at(index))
            complete[index[0]] = is_unused(index);
    });
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < complete.size(); ++p)
        if (complete[p])
            out.push_back(p);
    return out;
}

Grid Grid::with_names(Axis axis, std::vector<std::string> names) const {
    Grid out = *this;
    const auto along = static_cast<std::size_t>(axis);
    const std::size_t count = values_.size() / size(axis) * names.size();
    out.names_[along] = std::move(names);
    out.values_.assign(count, std::nullopt);
    out.left_out_.assign(count, false);
    return out;
}

void Grid::reduce(Axis axis, Mean mean, std::vector<std::string>& remarks) {
    const auto along = static_cast<std::size_t>(axis);
    std::vector<std::size_t> used(size(axis));
    for (std::size_t i = 0; i < used.size(); ++i)
        used[i] = i;
    if (axis == Axis::program && used.size() > complete_programs().size()) {
        used = complete_programs();
        std::vector<std::string> left_out;
        for (std::size_t i = 0; i < size(axis); ++i)
            if (std::find(used.begin(), used.end(), i) == used.end())
                left_out.push_back(names(axis)[i]);
        remarks.push_back(fmt::format("Without {}, of which not all runs have a value.", comma_list(left_out)));
    }
    Grid out = with_names(axis, {""});
    out.for_each([&](const Index& index) {
        std::vector<double> values;
        bool left_out = !used.empty();
        for (const std::size_t i : used) {
            Index from = index;
            from[along] = i;
            left_out = left_out && left_out_[place_of(from)];
            if (const auto& value = at(from))
                values.push_back(*value);
        }
        out.at(index) = mean_of(mean, values);
        out.left_out_[out.place_of(index)] = left_out;
    });
    *this = std::move(out);
}

std::vector<std::size_t> Grid::best_points(std::vector<std::string>& remarks) const {
    const std::vector<std::size_t> programs = complete_programs();
    std::vector<std::size_t> out;
    for (std::size_t s = 0; s < size(Axis::setting); ++s)
        for (std::size_t v = 0; v < size(Axis::value); ++v) {
            std::size_t best = 0;
            std::optional<double> greatest;
            for (std::size_t x = 0; x < size(Axis::point); ++x) {
                std::vector<double> values;
                for (const std::size_t p : programs)
                    if (const auto& value = at({p, s, x, v}))
                        values.push_back(*value);
                const std::optional<double> mean = mean_of(Mean::geometric, values);
                if (mean && (!greatest || *mean > *greatest)) {
                    greatest = mean;
                    best = x;
                }
            }
            out.push_back(best);
            if (greatest)
                remarks.push_back(fmt::format("Best of {}: {}.", names(Axis::setting)[s], names(Axis::point)[best]));
        }
    return out;
}

void Grid::keep_points(const std::vector<std::size_t>& best) {
    Grid out = with_names(Axis::point, {""});
    out.for_each([&](const Index& index) {
        const Index from{index[0], index[1], best[index[1] * size(Axis::value) + index[3]], index[3]};
        out.at(index) = at(from);
        out.left_out_[out.place_of(index)] = left_out_[place_of(from)];
    });
    *this = std::move(out);
}

Grid Grid::of_program(std::size_t program) const {
    Grid out = with_names(Axis::program, {names_[0][program]});
    out.for_each([&](const Index& index) {
        const Index from{program, index[1], index[2], index[3]};
        out.at(index) = at(from);
        out.left_out_[out.place_of(index)] = left_out_[place_of(from)];
    });
    return out;
}

void share_missing(std::vector<Grid>& grids) {
    if (grids.size() < 2)
        return;
    grids.front().for_each([&](const Grid::Index& index) {
        if (std::any_of(grids.begin(), grids.end(), [&](const Grid& grid) { return !grid.at(index); }))
            for (Grid& grid : grids)
                grid.at(index).reset();
    });
}

Grid mean_of_grids(const std::vector<Grid>& grids) {
    Grid out = grids.front();
    out.for_each([&](const Grid::Index& index) {
        std::vector<double> values;
        for (const Grid& grid : grids)
            if (const auto& value = grid.at(index))
                values.push_back(*value);
        out.at(index) = mean_of(Mean::arithmetic, values);
    });
    return out;
}

} // namespace heddle::experiment
