#include "report/source_json.h"

#include <nlohmann/json.hpp>

#include "report/profile/frames.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

Json number_json(std::optional<double> value) {
    if (!value)
        return nullptr;
    if (*value == static_cast<double>(static_cast<std::int64_t>(*value)))
        return static_cast<std::int64_t>(*value);
    return static_cast<double>(static_cast<std::int64_t>(*value * 10000 + 0.5)) / 10000; // more is never shown
}

Json costs_json(const std::optional<ListedCosts>& costs) {
    if (!costs)
        return nullptr;
    Json values = Json::array(), stalls = Json::array(), instructions = Json::array();
    for (const auto& value : costs->values)
        values.push_back(number_json(value));
    for (const ListedStall& stall : costs->stalls)
        stalls.push_back({stall.cause, stall.slots, stall.producer ? Json(*stall.producer) : Json(nullptr)});
    for (const ListedInstruction& i : costs->instructions)
        instructions.push_back({i.pc, i.text, i.executions, number_json(i.lanes), i.slots, i.cause, i.path});
    return {{"values", values}, {"stalls", stalls}, {"instructions", instructions}};
}

// The lines of each gap, by the index of its first.
Json gaps_json(const ListedFile& file) {
    Json out = Json::object();
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        if (file.lines[i].shown)
            continue;
        const std::size_t begin = i;
        Json lines = Json::array();
        for (; i < file.lines.size() && !file.lines[i].shown; ++i)
            lines.push_back({file.lines[i].numbers, file.lines[i].text});
        if (lines.size() <= kMostHidden)
            out[std::to_string(begin)] = std::move(lines);
    }
    return out;
}

} // namespace

Json source_json(const SourceListing& listing, const std::string& anchor) {
    Json columns = Json::array(), rows = Json::array(), files = Json::array(), words = Json::object();
    for (const ProfileColumn& c : listing.columns)
        columns.push_back({{"name", c.name},
                           {"heading", c.heading},
                           {"unit", c.unit},
                           {"meaning", c.meaning},
                           {"decimals", c.decimals},
                           {"least", c.least_first},
                           {"kind", c.is_cause()     ? "cause"
                                    : c.is_counter() ? "counter"
                                                     : "figure"}});
    for (const ListedRow& row : listing.rows) {
        Json runs = Json::array();
        for (const auto& run : row.runs)
            runs.push_back(costs_json(run));
        rows.push_back({{"place", row.place}, {"runs", runs}});
    }
    for (const ListedFile& file : listing.files)
        files.push_back(gaps_json(file));
    for (const ListedCause& cause : listing.causes)
        words[cause.code] = cause.name;
    return {{"id", anchor},   {"runs", listing.runs}, {"columns", columns}, {"beside", listing.beside},
            {"words", words}, {"rows", rows},         {"files", files}};
}

} // namespace heddle::report
