#include "experiment/views.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"

namespace heddle::experiment {

namespace {

using Json = nlohmann::json;

std::string named(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + ": " + name;
}

// The category's place; a new one is added at the end.
std::size_t category(report::Figure& figure, const std::string& name) {
    const auto at = std::find(figure.categories.begin(), figure.categories.end(), name);
    if (at != figure.categories.end())
        return static_cast<std::size_t>(at - figure.categories.begin());
    figure.categories.push_back(name);
    for (report::Series& series : figure.series)
        series.values.resize(figure.categories.size());
    return figure.categories.size() - 1;
}

// MAWS Figure 2: a row a degree, the highest first, a column an interval.
void add_divergence(const Json& result, const std::string& prefix, report::Figure& figure) {
    if (!result["views"].contains("divergence"))
        throw UserError("the result has no divergence over time: only core model wpu and formation maws look at it");
    const Json& rows = result["views"]["divergence"]["rows"];
    std::size_t degrees = 0;
    for (const Json& row : rows)
        degrees = std::max(degrees, row["degree"].size());
    for (std::size_t degree = degrees; degree-- > 1;) {
        report::Series series{named(prefix, fmt::format("{}", degree)), "", {}, {}};
        for (const Json& row : rows) {
            const std::size_t at = category(figure, fmt::format("{}", row["cycle"].get<std::uint64_t>()));
            series.values.resize(std::max(series.values.size(), at + 1));
            series.values[at] = row["degree"][degree].get<double>();
        }
        series.values.resize(figure.categories.size());
        figure.series.push_back(std::move(series));
    }
}

const Json& timeline_of(const Json& result) {
    if (!result.contains("timeline"))
        throw UserError("the result has nothing that was recorded over time");
    return result["timeline"];
}

// PRO Figure 2: a row a block slot of the SM.
void add_blocks(const Experiment& experiment, const Json& result, const std::string& prefix, report::Figure& figure) {
    std::map<std::uint64_t, report::Series> slots;
    for (const Json& block : timeline_of(result)["blocks"]) {
        if (block["sm"].get<std::uint64_t>() != experiment.sm)
            continue;
        const auto slot = block["slot"].get<std::uint64_t>();
        report::Series& series = slots[slot];
        series.name = named(prefix, fmt::format("slot {}", slot));
        series.spans.push_back({block["start"].get<double>(), block["end"].get<double>(),
                                fmt::format("block {}", block["block"].get<std::uint64_t>())});
    }
    for (auto& [slot, series] : slots)
        figure.series.push_back(std::move(series));
}

// PRO Table IV: a column a sample, a row a place in the order.
void add_block_order(const Experiment& experiment, const Json& result, const std::string& prefix,
                     report::Figure& figure) {
    std::vector<report::Series> places;
    for (const Json& sample : timeline_of(result)["samples"]) {
        if (sample["sm"].get<std::uint64_t>() != experiment.sm || !sample["block_order"].is_array())
            continue;
        const std::size_t at = category(figure, fmt::format("{}", sample["cycle"].get<std::uint64_t>()));
        const Json& order = sample["block_order"];
        while (places.size() < order.size())
            places.push_back({named(prefix, fmt::format("place {}", places.size() + 1)), "", {}, {}});
        for (std::size_t place = 0; place < order.size(); ++place) {
            places[place].values.resize(std::max(places[place].values.size(), at + 1));
            places[place].values[at] = order[place].get<double>();
        }
    }
    if (places.empty())
        throw UserError("the scheduler of the run ranks no blocks");
    for (report::Series& series : places) {
        series.values.resize(figure.categories.size());
        figure.series.push_back(std::move(series));
    }
}

} // namespace

void add_view(const Experiment& experiment, const Json& result, const std::string& prefix, report::Figure& figure) {
    switch (experiment.view) {
    case View::divergence:
        return add_divergence(result, prefix, figure);
    case View::blocks:
        return add_blocks(experiment, result, prefix, figure);
    case View::block_order:
        return add_block_order(experiment, result, prefix, figure);
    case View::none:
        return;
    }
}

} // namespace heddle::experiment
