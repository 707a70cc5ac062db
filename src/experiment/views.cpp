#include "experiment/views.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/whole_number.h"

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
            const std::size_t at = category(figure, fmt::format("{}", report::whole<std::uint64_t>(row["cycle"])));
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

// The blocks of the SM in the order of their starts: papers number them in this way.
class BlocksOfSm {
public:
    BlocksOfSm(const Json& timeline, std::uint64_t sm) {
        for (const Json& block : timeline["blocks"])
            if (report::whole<std::uint64_t>(block["sm"]) == sm)
                blocks_.push_back(&block);
        std::stable_sort(blocks_.begin(), blocks_.end(),
                         [](const Json* a, const Json* b) { return key(*a) < key(*b); });
    }
    [[nodiscard]] const std::vector<const Json*>& all() const {
        return blocks_;
    }
    // The number of the block with this index in the grid that is resident at `cycle`.
    [[nodiscard]] double number(std::uint64_t block, std::uint64_t cycle) const {
        const auto at = std::find_if(blocks_.begin(), blocks_.end(), [&](const Json* one) {
            return report::whole<std::uint64_t>((*one)["block"]) == block &&
                   report::whole<std::uint64_t>((*one)["start"]) <= cycle &&
                   cycle <= report::whole<std::uint64_t>((*one)["end"]);
        });
        if (at == blocks_.end())
            throw UserError("the timeline of the run does not hold all blocks of the SM");
        return static_cast<double>(at - blocks_.begin());
    }

private:
    static std::pair<std::uint64_t, std::uint64_t> key(const Json& block) {
        return {report::whole<std::uint64_t>(block["start"]), report::whole<std::uint64_t>(block["block"])};
    }

    std::vector<const Json*> blocks_;
};

// PRO Figure 2: a row a block slot of the SM.
void add_blocks(const Experiment& experiment, const Json& result, const std::string& prefix, report::Figure& figure) {
    std::map<std::uint64_t, report::Series> slots;
    const BlocksOfSm blocks(timeline_of(result), experiment.sm);
    for (std::size_t i = 0; i < blocks.all().size(); ++i) {
        const Json& block = *blocks.all()[i];
        const auto slot = report::whole<std::uint64_t>(block["slot"]);
        report::Series& series = slots[slot];
        series.name = named(prefix, fmt::format("slot {}", slot));
        series.spans.push_back({block["start"].get<double>(), block["end"].get<double>(), fmt::format("block {}", i)});
    }
    for (auto& [slot, series] : slots)
        figure.series.push_back(std::move(series));
}

// PRO Table IV: a column a sample, a row a place in the order.
void add_block_order(const Experiment& experiment, const Json& result, const std::string& prefix,
                     report::Figure& figure) {
    std::vector<report::Series> places;
    const BlocksOfSm blocks(timeline_of(result), experiment.sm);
    for (const Json& sample : timeline_of(result)["samples"]) {
        if (report::whole<std::uint64_t>(sample["sm"]) != experiment.sm || !sample["block_order"].is_array())
            continue;
        const auto cycle = report::whole<std::uint64_t>(sample["cycle"]);
        const std::size_t at = category(figure, fmt::format("{}", cycle));
        const Json& order = sample["block_order"];
        while (places.size() < order.size())
            places.push_back({named(prefix, fmt::format("place {}", places.size() + 1)), "", {}, {}});
        for (std::size_t place = 0; place < order.size(); ++place) {
            places[place].values.resize(std::max(places[place].values.size(), at + 1));
            places[place].values[at] = blocks.number(report::whole<std::uint64_t>(order[place]), cycle);
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
