// A report as one HTML file that needs nothing else: no network, no file beside it. The same page gives the same bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/figure.h"

namespace heddle::report {

struct Cell {
    std::string text;             // empty: the number, as the others of its column
    std::optional<double> number; // what the column is sorted by
};

// What a figure's values cannot say: texts beside numbers.
struct PageTable {
    std::string id, title, caption;
    std::vector<std::string> headings;
    std::vector<std::vector<Cell>> rows; // the first cell names its row
    std::size_t means = 0;               // how many of the last rows stay below when the others are sorted
    bool folded = false;                 // shown on request
};

struct PageSection {
    std::string id, title;
    std::vector<std::string> paragraphs;
    std::vector<PageTable> tables; // before the figures
    std::vector<Figure> figures;
};

struct Page {
    std::string title;
    std::vector<std::string> introduction;                  // paragraphs
    std::vector<std::pair<std::string, std::string>> facts; // "machine", "lwm11"; the date too, if one is wanted
    std::vector<PageSection> sections;
};

// The text of Chart.js, as Debian's libjs-chart.js installs it. Throws UserError that says what to install.
[[nodiscard]] std::string chart_library();

// `library`: that text, which goes into the page with its notice of copyright.
[[nodiscard]] std::string to_html(const Page&, std::string_view library);

} // namespace heddle::report
