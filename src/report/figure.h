// A figure or table of a report as data. Charts, tables on the terminal, CSV and the page are made from a figure;
// figures do not depend on the simulation. Experiments fill it from stored results (`heddle reproduce`), `heddle
// report` from RESULT.json files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

enum class FigureKind {
    grouped_bars, // a group for each category, a bar for each series
    stacked_bars, // a bar for each category and stack, a part for each series
    lines,        // a line for each series over numeric categories, as in sweeps
    heat_map,     // a row for each series, a column for each category
    spans,        // a row for each series; its bars are `spans`
    bands,        // for each category a band; the series are its lowest and highest value, and marks on it
    table,        // no chart
};

struct Span { // of a time line
    double begin = 0, end = 0;
    std::string label;
};

struct Spread {                                     // of a value that is a mean over seeds
    double deviation = 0, minimum = 0, maximum = 0; // the standard deviation of the sample
};

struct Series {
    std::string name;
    std::string stack;                           // stacked_bars: which of a category's bars it is part of
    std::vector<std::optional<double>> values;   // one a category; nothing where the run failed or is missing
    std::vector<Span> spans;                     // FigureKind::spans only
    std::vector<std::optional<Spread>> spread{}; // one a value; empty where values are no means over seeds
};

// Where a chart shows a published number: at this value, beside the measured value of this cell.
struct PublishedMark {
    std::size_t series = 0, category = 0;
    double value = 0;
};

// A number that the paper publishes, beside the measured number.
struct PublishedRow {
    std::string quantity, subject, versus, unit; // as in experiments/published.csv
    std::string published;                       // as printed there: a number, "negative", "high"
    std::string ours;                            // the measured number in this form; empty: not measured
    std::string difference; // "+3.1 points", "x 1.4", "sign differs"; empty where neither side is a number
    std::string note;       // from DEVIATIONS.md, a paragraph of Markdown
    std::optional<double> value = std::nullopt;       // the measured number itself, where it is one
    std::optional<PublishedMark> mark = std::nullopt; // nothing: the number is not the value of one cell
};

struct Figure {
    std::string id, title; // "lwm11-8", "LWM11 Figure 8: ..."
    std::string caption;   // the content, in a sentence or two
    std::string unit;      // of the values
    std::string category;  // heading of the categories: "workload", "threads of a large warp"
    FigureKind kind = FigureKind::table;
    std::vector<std::string> categories; // means are the last of them
    std::size_t means = 0;               // the number of means, which are drawn separately
    std::vector<Series> series;
    std::vector<PublishedRow> published;
    std::vector<std::string> notes{}; // from DEVIATIONS.md, paragraphs of Markdown
    std::vector<std::string> remarks; // paragraphs: failed runs with the reasons, circumstances
};

} // namespace heddle::report
