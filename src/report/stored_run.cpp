#include "report/stored_run.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/profile_json.h"
#include "report/result.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

std::vector<StoredSetting> settings_of(const Json& config) {
    std::vector<StoredSetting> out;
    for (const auto& [key, setting] : config.items()) {
        const Json& value = setting.at("value");
        out.push_back({key, value.is_string() ? value.get<std::string>() : value.dump(), setting.at("origin")});
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return out;
}

// Histograms are left out: they are not single values.
void add_values(const Json& stats, const std::string& prefix, StoredRun& out) {
    for (const auto& [name, value] : stats.items()) {
        if (value.is_object())
            add_values(value, prefix + name + ".", out);
        else if (value.is_number())
            out.values.emplace_back(prefix + name, value.get<double>());
        else if (value.is_null())
            out.values.emplace_back(prefix + name, std::nullopt);
    }
}

StoredTimeline timeline_of(const Json& json) {
    StoredTimeline out;
    out.blocks_left_out = json.at("dropped").at("blocks");
    for (const Json& b : json.at("blocks"))
        out.blocks.push_back({b.at("sm"), b.at("slot"), b.at("launch"), b.at("block"), b.at("start"), b.at("end")});
    for (const Json& s : json.at("samples"))
        out.samples.push_back({s.at("sm"), s.at("cycle"), s.at("warps"), s.at("requests"), s.at("ipc")});
    return out;
}

// Rejects other files, with a message that says what the file is.
void check_kind(const Json& json, const std::string& file) {
    for (const char* key : {"heddle", "machine", "config", "kernels", "totals", "views", "stats", "host"})
        if (!json.is_object() || !json.contains(key))
            throw UserError(fmt::format("{}: not a RESULT.json: it has no '{}'; `heddle run -o RESULT.json` and "
                                        "`heddle compare -o DIR` write such files",
                                        file, key));
}

std::string version_of(const Json& json) {
    const Json& heddle = json.at("heddle");
    return heddle.is_object() && heddle.contains("version") && heddle["version"].is_string()
               ? heddle["version"].get<std::string>()
               : std::string("unknown");
}

// Each interval must have the same number of degrees: they are rows of a heat map.
void check_degrees(const DegreesOverTime& all, const std::string& file) {
    for (const auto& row : all.rows)
        if (row.size() < 2 || row.size() != all.rows.front().size())
            throw UserError(
                fmt::format("{}: not a RESULT.json: the rows of views.divergence have different lengths", file));
}

StoredRun stored_run(const Json& json, std::string file) {
    StoredRun out;
    out.file = std::move(file);
    out.version = json.at("heddle").at("version");
    out.commit = json.at("heddle").at("commit");
    out.summary = summary_of(json);
    if (out.summary.over_time)
        check_degrees(*out.summary.over_time, out.file);
    out.settings = settings_of(json.at("config"));
    add_values(json.at("stats"), "", out);
    if (const auto timeline = json.find("timeline"); timeline != json.end())
        out.timeline = timeline_of(*timeline);
    if (const auto profile = json.find("profile"); profile != json.end()) {
        try {
            out.profile = profile_of(*profile);
        } catch (const UserError& e) {
            throw UserError(fmt::format("{}: a damaged profile: {}", out.file, e.what()));
        }
    }
    return out;
}

} // namespace

std::optional<double> StoredRun::value(std::string_view statistic) const {
    const auto at =
        std::find_if(values.begin(), values.end(), [&](const auto& named) { return named.first == statistic; });
    return at == values.end() ? std::nullopt : at->second;
}

std::string StoredRun::setting(std::string_view key) const {
    const auto at = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.key == key; });
    return at == settings.end() ? std::string() : at->value;
}

std::string StoredRun::stem() const {
    return std::filesystem::path(file).stem().string();
}

StoredRun read_stored_run(std::string_view text, std::string file) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& e) {
        throw UserError(
            fmt::format("{}: not JSON (byte {}); wanted is a RESULT.json as `heddle run -o` writes it", file, e.byte));
    } catch (const Json::exception& e) { // a number outside the range of its type
        throw UserError(fmt::format("{}: not JSON that can be read: {}", file, e.what()));
    }
    check_kind(json, file);
    try {
        return stored_run(json, file);
    } catch (const Json::exception& e) {
        if (const std::string written = version_of(json); written != version())
            throw UserError(
                fmt::format("{}: written by heddle {}, whose results are laid out in another way than those "
                            "of this one ({}); run the program again",
                            file, written, version()));
        throw UserError(
            fmt::format("{}: not a RESULT.json as schema/result.schema.json describes it: {}", file, e.what()));
    }
}

} // namespace heddle::report
