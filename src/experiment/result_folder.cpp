#include "experiment/result_folder.h"

#include <fstream>
#include <iterator>
#include <memory>
#include <unistd.h>
#include <zstd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "base/source.h"
#include "experiment/unpack.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

std::string packed(const std::string& text) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string out(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
    if (ZSTD_isError(size) != 0)
        throw UserError(fmt::format("a result cannot be compressed: {}", ZSTD_getErrorName(size)));
    out.resize(size);
    return out;
}

std::string whole_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

StoredRun read_result_file(const fs::path& path) {
    const auto text = unpack(whole_file(path));
    const nlohmann::ordered_json json =
        text ? nlohmann::ordered_json::parse(*text, nullptr, false) : nlohmann::ordered_json();
    if (!json.is_object())
        throw UserError(fmt::format("{}: not a whole result file", path.string()));
    try {
        return {json.at("key"),     json.at("revision"), json.at("failure"),  json.at("label"),
                json.at("seconds"), json.at("result"),   json.at("megabytes")};
    } catch (const nlohmann::ordered_json::exception& e) {
        throw UserError(fmt::format("{}: not a result file: {}", path.string(), e.what()));
    }
}

ResultFolder::ResultFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error || access(folder_.c_str(), W_OK) != 0)
        throw UserError(fmt::format("{}: not a folder that can be written to", folder_.string()));
}

fs::path ResultFolder::file_of(const std::string& key) const {
    return folder_ / (key + ".run");
}

fs::path ResultFolder::loss_of(const std::string& key) const {
    return folder_ / (key + ".lost");
}

std::optional<StoredRun> ResultFolder::find(const std::string& key, const std::string& version) const {
    std::error_code error;
    if (!fs::exists(file_of(key), error))
        return std::nullopt;
    try {
        StoredRun out = read_result_file(file_of(key));
        if (out.key == key && (version.empty() || out.version == version))
            return out;
    } catch (const UserError&) { // damaged: the run is made again
    }
    return std::nullopt;
}

void ResultFolder::put(const StoredRun& run) {
    const nlohmann::ordered_json json{{"key", run.key},      {"revision", run.version}, {"failure", run.failure},
                                      {"label", run.label},  {"seconds", run.seconds},  {"megabytes", run.megabytes},
                                      {"result", run.result}};
    write_file(file_of(run.key).string(),
               packed(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
}

void ResultFolder::put_killed(const StoredRun& run) {
    note(run, Loss::Cause::killed);
}

void ResultFolder::put_interrupted(const StoredRun& run) {
    note(run, Loss::Cause::interrupted);
}

void ResultFolder::note(const StoredRun& run, Loss::Cause cause) {
    const nlohmann::ordered_json json{{"cause", cause == Loss::Cause::killed ? "killed" : "interrupted"},
                                      {"reason", run.failure}};
    write_file(loss_of(run.key).string(), json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::optional<Loss> ResultFolder::loss(const std::string& key) const {
    std::error_code error;
    if (!fs::exists(loss_of(key), error))
        return std::nullopt;
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(whole_file(loss_of(key)), nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    const auto text = [&](const char* name) { // empty in a damaged file
        const auto at = json.find(name);
        return at != json.end() && at->is_string() ? at->get<std::string>() : "";
    };
    return Loss{text("cause") == "killed" ? Loss::Cause::killed : Loss::Cause::interrupted, text("reason")};
}

void ResultFolder::forget_loss(const std::string& key) {
    std::error_code ignored;
    fs::remove(loss_of(key), ignored);
}

} // namespace heddle::experiment
