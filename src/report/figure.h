// A figure or table of a report as data. Charts, tables on the terminal, CSV and the page are all made from it; it
// knows no simulation. Experiments fill it from stored results (`heddle reproduce`), `heddle report` from RESULT.json
// files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

enum class FigureKind {
    grouped_bars, // a group a category, a bar a series
    stacked_bars, // a bar a category and stack, a part a series
    lines,        // a line a series over numeric categories, as sweeps have them
    heat_map,     // a row a series, a column a category
    spans,        // a row a series; its bars are `spans`
    table,        // no chart
};

struct Span { // of a time line
    double begin = 0, end = 0;
    std::string label;
};

struct Series {
    std::string name;
    std::string stack;                         // stacked_bars: which of a category's bars it is part of
    std::vector<std::optional<double>> values; // one a category; nothing where the run failed or is missing
    std::vector<Span> spans;                   // FigureKind::spans only
};

// A number that the paper publishes, beside ours.
struct PublishedRow {
    std::string quantity, subject, versus, unit; // as in experiments/published.csv
    std::string published;                       // as printed there: a number, "negative", "high"
    std::string ours;                            // the same way; empty: not measured
    std::string difference; // "+3.1 points", "x 1.4", "sign differs"; empty where neither side is a number
    std::string note;       // from DEVIATIONS.md
};

struct Figure {
    std::string id, title; // "lwm11-8", "LWM11 Figure 8: ..."
    std::string caption;   // what is shown, in a sentence or two
    std::string unit;      // of the values
    std::string category;  // what the categories are: "workload", "threads of a large warp"
    FigureKind kind = FigureKind::table;
    std::vector<std::string> categories; // those of means are among them, last
    std::size_t means = 0;               // how many of them are: they are set apart
    std::vector<Series> series;
    std::vector<PublishedRow> published;
    std::vector<std::string> remarks; // paragraphs: deviations, runs that failed and why
};

} // namespace heddle::report
