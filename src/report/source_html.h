// Source listings as HTML, which needs no script to be read.
#pragma once

#include <string>

#include "report/source_listing.h"

namespace heddle::report {

// Rows with costs have the anchors "ANCHOR-row-N".
[[nodiscard]] std::string source_html(const SourceListing&, const std::string& anchor);

} // namespace heddle::report
