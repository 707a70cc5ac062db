// A report as one HTML file that needs no network and no other file. Equal pages give equal bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/figure.h"
#include "report/source_listing.h"

namespace heddle::report {

struct Cell {
    std::string text;             // empty: the number, in the format of its column
    std::optional<double> number; // the sort key
};

// A table with texts beside numbers, which a figure cannot hold.
struct PageTable {
    std::string id, title, caption;
    std::vector<std::string> headings;
    std::vector<std::vector<Cell>> rows; // the first cell names its row
    std::size_t means = 0;               // the number of last rows that stay at the end in sorted tables
    bool folded = false;                 // shown on request
};

struct PageSection {
    std::string id, title;
    std::vector<std::string> paragraphs;
    std::vector<PageTable> tables; // before the figures
    std::vector<Figure> figures;
    std::vector<SourceListing> listings{}; // after the figures
};

struct Page {
    std::string title;
    std::vector<std::string> introduction;                  // paragraphs
    std::vector<std::pair<std::string, std::string>> facts; // "machine", "lwm11"; also the date, if requested
    std::vector<PageSection> sections;
};

// The text of Chart.js, as Debian's libjs-chart.js installs it. Throws UserError that says what to install.
[[nodiscard]] std::string chart_library();

// `library`: that text, which goes into the page with its notice of copyright.
[[nodiscard]] std::string to_html(const Page&, std::string_view library);

} // namespace heddle::report
