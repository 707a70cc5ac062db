// A snapshot as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "stats/tree.h"

namespace heddle::stats {

// Objects nested by the dots of the names; ratios are numbers, null without a denominator; histograms are lists.
[[nodiscard]] nlohmann::ordered_json to_json(const Snapshot&);

} // namespace heddle::stats
