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
      values_(names_[0].size() * names_[1].size() * names_[2].size() * names_[3].size()) {}

const std::optional<double>& Grid::at(const Index& index) const {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        place = place * names_[axis].size() + index[axis];
    return values_[place];
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
    });
}

std::vector<std::size_t> Grid::complete_programs() const {
    std::vector<bool> complete(size(Axis::program), true);
    for_each([&](const Index& index) { complete[index[0]] = complete[index[0]] && at(index).has_value(); });
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < complete.size(); ++p)
        if (complete[p])
            out.push_back(p);
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
    Grid out = *this;
    out.names_[along] = {""};
    out.values_.assign(values_.size() / size(axis), std::nullopt);
    out.for_each([&](const Index& index) {
        std::vector<double> values;
        for (const std::size_t i : used) {
            Index from = index;
            from[along] = i;
            if (const auto& value = at(from))
                values.push_back(*value);
        }
        out.at(index) = mean_of(mean, values);
    });
    *this = std::move(out);
}

void Grid::keep_best_point(std::vector<std::string>& remarks) {
    const std::vector<std::size_t> programs = complete_programs();
    Grid out = *this;
    out.names_[2] = {""};
    out.values_.assign(values_.size() / size(Axis::point), std::nullopt);
    for (std::size_t s = 0; s < size(Axis::setting); ++s)
        for (std::size_t v = 0; v < size(Axis::value); ++v) {
            std::size_t best = 0;
            std::optional<double> greatest;
            for (std::size_t x = 0; x < size(Axis::point); ++x) {
                std::vector<double> values;
                for (const std::size_t p : programs)
                    values.push_back(*at({p, s, x, v}));
                const std::optional<double> mean = mean_of(Mean::geometric, values);
                if (mean && (!greatest || *mean > *greatest)) {
                    greatest = mean;
                    best = x;
                }
            }
            for (std::size_t p = 0; p < size(Axis::program); ++p)
                out.at({p, s, 0, v}) = at({p, s, best, v});
            if (greatest)
                remarks.push_back(fmt::format("Best of {}: {}.", names(Axis::setting)[s], names(Axis::point)[best]));
        }
    *this = std::move(out);
}

Grid Grid::of_program(std::size_t program) const {
    Grid out = *this;
    out.names_[0] = {names_[0][program]};
    out.values_.assign(values_.size() / names_[0].size(), std::nullopt);
    out.for_each([&](const Index& index) { out.at(index) = at({program, index[1], index[2], index[3]}); });
    return out;
}

} // namespace heddle::experiment
