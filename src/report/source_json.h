// The data with which page/source.js adds to a source listing.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/source_listing.h"

namespace heddle::report {

[[nodiscard]] nlohmann::ordered_json source_json(const SourceListing&, const std::string& anchor);

} // namespace heddle::report
