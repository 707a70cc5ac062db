// Bands in place of points: what an experiment's values become when choices on which the paper is silent are made
// otherwise. One reading at a time, then pairs of those that move a value.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "report/figure.h"

namespace heddle::experiment {

// An alternative of an experiment's reading, by their places.
struct Choice {
    std::size_t reading = 0, alternative = 0;
};
using Choices = std::vector<Choice>; // of different readings

// The experiment with choices in place of the defaults. Its id, "ID~READING=ALTERNATIVE", names it in a plan.
[[nodiscard]] Experiment with_choices(const Experiment&, std::span<const Choice>);
// "dram order: one queue; ...".
[[nodiscard]] std::string name_of(const Experiment&, std::span<const Choice>);
// Each alternative of each reading alone.
[[nodiscard]] std::vector<Choices> single_choices(const Experiment&);

// A published number with the values that it has here under different choices.
struct Band {
    report::PublishedRow row; // under the defaults
    struct Moved {
        Choices choices;
        std::optional<double> value;
    };
    std::vector<Moved> moved;

    // The number that the paper publishes; nothing where it publishes a word.
    [[nodiscard]] std::optional<double> published() const;
    [[nodiscard]] std::optional<double> lowest() const;
    [[nodiscard]] std::optional<double> highest() const;
    // "yes", "no", or "" where one of the numbers is missing. For a published sign: whether any value has it.
    [[nodiscard]] std::string inside() const;
    // The single choice that moves the value furthest from the default's; null when none does.
    [[nodiscard]] const Moved* strongest() const;
};

// Bands of an experiment's published rows that are numbers here. `figure` has the defaults, `others` what the choices
// made of it: the same rows.
[[nodiscard]] std::vector<Band> bands_of(const report::Figure& figure,
                                         const std::vector<std::pair<Choices, report::Figure>>& others);

// Pairs of choices of different readings, of at most four choices: those that move a value the most, by its size.
// A choice that moves every value by less than a fiftieth has no pairs.
[[nodiscard]] std::vector<Choices> pairs_that_matter(const std::vector<Band>&);

// A chart of bands for each unit, with the published values as marks; and, for the experiment's first band that moves,
// a chart of what each reading does to it (a tornado chart). Their remarks say what each reading is about.
[[nodiscard]] std::vector<report::Figure> band_figures(const Experiment&, const std::vector<Band>&);

// "figure,quantity,subject,versus,unit,published,choices,value": a line for each value, the defaults' choices empty.
[[nodiscard]] std::string bands_csv(const Experiment&, const std::vector<Band>&);

} // namespace heddle::experiment
