// A snapshot as JSON and CSV.
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stats/json.h"

namespace heddle::stats {

using Json = nlohmann::ordered_json;

namespace {

// Objects nested by the dots of the names, with f(field) for each.
template <class F>
Json nested(const Snapshot::Fields& fields, F&& f) {
    Json out = Json::object();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        Json* at = &out;
        std::string_view rest = fields[i].name;
        for (std::size_t dot; (dot = rest.find('.')) != std::string_view::npos; rest.remove_prefix(dot + 1))
            at = &(*at)[std::string(rest.substr(0, dot))];
        (*at)[std::string(rest)] = f(i);
    }
    return out;
}

Json value_json(const Snapshot& snapshot, std::size_t field) {
    switch (snapshot.fields()[field].kind) {
    case Kind::Counter:
        return snapshot.values(field)[0];
    case Kind::Histogram:
        return Histogram(snapshot.values(field).begin(), snapshot.values(field).end());
    case Kind::Ratio:
        if (const std::optional<double> value = snapshot.ratio(field))
            return *value;
        break;
    }
    return nullptr;
}

void append_number(std::string& out, std::uint64_t number) {
    const fmt::format_int text(number);
    out.append(text.data(), text.size());
}

void append_value(std::string& out, const Snapshot& snapshot, std::size_t field) {
    const std::span<const std::uint64_t> values = snapshot.values(field);
    switch (snapshot.fields()[field].kind) {
    case Kind::Counter:
        return append_number(out, values[0]);
    case Kind::Histogram:
        out += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 0)
                out += ',';
            append_number(out, values[i]);
        }
        out += ']';
        return;
    case Kind::Ratio:
        out += value_json(snapshot, field).dump();
        return;
    }
}

} // namespace

Json to_json(const Snapshot& snapshot) {
    return nested(snapshot.fields(), [&](std::size_t field) { return value_json(snapshot, field); });
}

void JsonText::outline(const Json& object) {
    between_ += '{';
    bool is_first = true;
    for (const auto& [key, value] : object.items()) {
        if (!std::exchange(is_first, false))
            between_ += ',';
        between_ += Json(key).dump();
        between_ += ':';
        if (value.is_object()) {
            outline(value);
        } else {
            pieces_.push_back({std::move(between_), value.get<std::size_t>()});
            between_.clear();
        }
    }
    between_ += '}';
}

void JsonText::append(std::string& out, const Snapshot& snapshot) {
    if (layout_ != snapshot.layout()) {
        layout_ = snapshot.layout();
        pieces_.clear();
        between_.clear();
        outline(nested(snapshot.fields(), [](std::size_t field) { return field; }));
    }
    for (const Piece& piece : pieces_) {
        out += piece.before;
        append_value(out, snapshot, piece.field);
    }
    out += between_;
}

std::string Snapshot::to_csv() const {
    std::string out = "name,unit,value\n";
    for (std::size_t i = 0; i < fields().size(); ++i) {
        const Field& field = fields()[i];
        switch (field.kind) {
        case Kind::Counter:
            out += fmt::format("{},{},{}\n", field.name, field.unit, values(i)[0]);
            break;
        case Kind::Histogram:
            for (std::size_t bucket = 0; bucket < values(i).size(); ++bucket)
                out += fmt::format("{}[{}],{},{}\n", field.name, bucket, field.unit, values(i)[bucket]);
            break;
        case Kind::Ratio:
            out += fmt::format("{},,{}\n", field.name, ratio(i) ? fmt::format("{}", *ratio(i)) : "");
            break;
        }
    }
    return out;
}

} // namespace heddle::stats
