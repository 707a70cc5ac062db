// Source listings as HTML, which needs no script to be read, and the data with which page/source.js adds to them.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/source_listing.h"

namespace heddle::report {

// Rows with costs have the anchors "ANCHOR-row-N".
[[nodiscard]] std::string source_html(const SourceListing&, const std::string& anchor);
[[nodiscard]] nlohmann::ordered_json source_json(const SourceListing&, const std::string& anchor);

} // namespace heddle::report
