// A snapshot as JSON and CSV.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stats/json.h"

namespace heddle::stats {

nlohmann::ordered_json to_json(const Snapshot& snapshot) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < snapshot.fields().size(); ++i) {
        const Field& field = snapshot.fields()[i];
        nlohmann::ordered_json* at = &out;
        std::string_view rest = field.name;
        for (std::size_t dot; (dot = rest.find('.')) != std::string_view::npos; rest.remove_prefix(dot + 1))
            at = &(*at)[std::string(rest.substr(0, dot))];
        nlohmann::ordered_json& leaf = (*at)[std::string(rest)];
        switch (field.kind) {
        case Kind::Counter:
            leaf = snapshot.values()[i][0];
            break;
        case Kind::Histogram:
            leaf = snapshot.values()[i];
            break;
        case Kind::Ratio:
            if (const std::optional<double> value = snapshot.ratio(field))
                leaf = *value;
            break;
        }
    }
    return out;
}

std::string Snapshot::to_csv() const {
    std::string out = "name,unit,value\n";
    for (std::size_t i = 0; i < fields_->size(); ++i) {
        const Field& field = (*fields_)[i];
        switch (field.kind) {
        case Kind::Counter:
            out += fmt::format("{},{},{}\n", field.name, field.unit, values_[i][0]);
            break;
        case Kind::Histogram:
            for (std::size_t bucket = 0; bucket < values_[i].size(); ++bucket)
                out += fmt::format("{}[{}],{},{}\n", field.name, bucket, field.unit, values_[i][bucket]);
            break;
        case Kind::Ratio:
            out += fmt::format("{},,{}\n", field.name, ratio(field) ? fmt::format("{}", *ratio(field)) : "");
            break;
        }
    }
    return out;
}

} // namespace heddle::stats
