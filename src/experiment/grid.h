// The values of an experiment in four dimensions (program, setting, point, value), and the arithmetic on them:
// relative to a setting, reduced along an axis, means.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace heddle::experiment {

// Nothing without values, and for values that are not positive where the mean needs logarithms or inverses.
[[nodiscard]] std::optional<double> mean_of(Mean, std::span<const double>);

class Grid {
public:
    using Index = std::array<std::size_t, 4>; // by Axis

    Grid() = default;
    // The names of an experiment's programs, settings, points and values; one empty name where there are none.
    explicit Grid(const Experiment&);

    [[nodiscard]] const std::vector<std::string>& names(Axis axis) const {
        return names_[static_cast<std::size_t>(axis)];
    }
    [[nodiscard]] std::size_t size(Axis axis) const {
        return names(axis).size();
    }
    [[nodiscard]] std::optional<double>& at(const Index&);
    [[nodiscard]] const std::optional<double>& at(const Index&) const;
    void for_each(const std::function<void(const Index&)>&) const;

    // Each value over that of setting `to` of the same program, value and point (or point `at`).
    void make_relative(const Relative&);
    // Leaves one element of an axis. Missing values are left out. Along the programs, a program with a missing value is
    // left out for all elements of the other axes, so that compared values are of equal programs; `remarks` names them.
    void reduce(Axis, Mean, std::vector<std::string>& remarks);
    // For each setting and value, the point whose geometric mean over the programs is the greatest; and keeps only it.
    [[nodiscard]] std::vector<std::size_t> best_points(std::vector<std::string>& remarks) const;
    void keep_points(const std::vector<std::size_t>& best);
    // Conditions leave this out: its values are not missing.
    void leave_out(std::size_t program, std::size_t setting, std::size_t point);
    // The programs, by place, whose every value is there, but for those that are left out for all programs.
    [[nodiscard]] std::vector<std::size_t> complete_programs() const;
    // Leaves only one program.
    [[nodiscard]] Grid of_program(std::size_t) const;

private:
    [[nodiscard]] std::size_t place_of(const Index&) const;
    // Whether conditions leave it out for all programs.
    [[nodiscard]] bool is_unused(Index) const;
    // A grid with the same names but for those of an axis, without values.
    [[nodiscard]] Grid with_names(Axis, std::vector<std::string> names) const;

    std::array<std::vector<std::string>, 4> names_;
    std::vector<std::optional<double>> values_;
    std::vector<bool> left_out_; // by conditions
};

// A value that is missing in one of the grids is then missing in all. The grids have the same names.
void share_missing(std::vector<Grid>&);
// The arithmetic mean, value by value.
[[nodiscard]] Grid mean_of_grids(const std::vector<Grid>&);

} // namespace heddle::experiment
