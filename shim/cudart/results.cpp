#include "results.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "state.h"

namespace heddle::cudart {
namespace {

using Kind = ProcessRecord::Kind;

// The file of process `number`: result.json, result-2.json. Nothing: there is only one file of that kind.
std::optional<std::string> numbered(const std::string& path, std::size_t number) {
    if (number == 1)
        return path;
    if (is_written_directly(path))
        return std::nullopt;
    const std::filesystem::path first(path);
    return (first.parent_path() / fmt::format("{}-{}{}", first.stem().string(), number, first.extension().string()))
        .string();
}

} // namespace

Results::Results(ResultFiles files) : files_(std::move(files)), process_(getpid()) {
    if (files_.log.empty())
        return;
    log_ = std::make_unique<ProcessLog>(files_.log);
    log_->add(Kind::Uses);
}

bool Results::is_mine() const {
    return getpid() == process_;
}

void Results::launches() {
    if (number_ != 0 || !is_mine())
        return;
    number_ = 1;
    if (log_ == nullptr)
        return;
    const std::lock_guard held(*log_);
    log_->add(Kind::Launches);
    number_ = log_->count(Kind::Launches);
}

void Results::write(const runtime::Device& device) {
    const std::lock_guard once(writing_);
    if (written_ || !is_mine())
        return;
    written_ = true;
    if (number_ != 0 || log_ == nullptr)
        return write_all(device);
    const std::lock_guard held(*log_); // no process begins to launch meanwhile
    if (log_->count(Kind::Launches) == 0)
        write_all(device);
}

// Writes one of the files. The path of what was written; empty: nothing.
template <class F>
std::string Results::write_one(const std::string& name, const char* what, F&& content) {
    const std::optional<std::string> path =
        name.empty() ? std::nullopt : numbered(name, std::max<std::size_t>(number_, 1));
    if (!path)
        return {};
    std::string reason;
    try {
        write_file(*path, content);
        return *path;
    } catch (const UserError& e) {
        reason = e.what();
    } catch (const std::bad_alloc&) {
        reason = "there is no memory left";
    }
    const std::string message = fmt::format("{} are lost: {}", what, reason);
    complain(message);
    fail(message);
    return {};
}

void Results::write_all(const runtime::Device& device) {
    const std::string result =
        write_one(files_.result, "the results", [&](std::ostream& file) { file << device.result_json(); });
    std::string losses;
    write_one(files_.timeline, "the events of the time line",
              [&](std::ostream& file) { losses = device.write_timeline(file); });
    if (!losses.empty())
        complain(losses);
    write_one(files_.thread_traces, "the threads' traces",
              [&](std::ostream& file) { device.write_thread_traces(file); });
    if (!result.empty())
        add(Kind::Wrote, result);
}

void Results::fail(std::string_view reason) {
    written_ = true;
    add(Kind::Failed, reason);
}

void Results::add(Kind kind, std::string_view text) {
    try {
        if (log_ != nullptr)
            log_->add(kind, text);
    } catch (const UserError& e) {
        complain(e.what());
    }
}

} // namespace heddle::cudart
