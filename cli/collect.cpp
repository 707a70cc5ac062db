// heddle collect: takes result files into a store (docs/batch.md).
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "experiment/result_folder.h"
#include "experiment/store.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct CollectOptions {
    std::vector<std::string> folders;
    std::string store = "results/runs.sqlite";
    bool keep = false;
};

struct Collected {
    std::size_t stored = 0, failed = 0, damaged = 0;
};

void collect_file(const fs::path& file, bool keep, experiment::Store& store, Collected& out) {
    experiment::StoredRun run;
    try {
        run = experiment::read_result_file(file);
    } catch (const UserError& e) {
        ++out.damaged;
        fmt::print(stderr, "heddle: error: {}; `heddle work` makes the run again\n", e.what());
        return;
    }
    store.put(run);
    ++out.stored;
    out.failed += run.failed() ? 1 : 0;
    std::error_code ignored;
    if (!keep)
        fs::remove(file, ignored);
}

int collect(const CollectOptions& options) {
    std::error_code error;
    for (const std::string& folder : options.folders)
        if (!fs::is_directory(folder, error))
            throw UsageError(fmt::format("{}: there is no such folder", folder));
    if (options.store.empty())
        throw UsageError("'': no name of a file; name one for the store");
    if (const fs::path beside = fs::absolute(options.store).parent_path(); !fs::is_directory(beside, error))
        throw UsageError(fmt::format("{}: there is no folder {}", options.store, beside.string()));
    experiment::Store store(options.store, experiment::Store::Mode::write);
    Collected out;
    for (const std::string& folder : options.folders)
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".run")
                collect_file(entry.path(), options.keep, store, out);
    fmt::print("{} results are in {}{}{}\n", out.stored, options.store,
               out.failed == 0 ? std::string() : fmt::format(", {} of them failures", out.failed),
               out.damaged == 0 ? std::string() : fmt::format("; {} files are damaged", out.damaged));
    return out.damaged == 0 ? 0 : kFailed;
}

} // namespace

void add_collect(CLI::App& app, int& status) {
    auto* command =
        app.add_subcommand("collect", "Takes the result files of heddle work into a store: heddle collect DIR ...");
    const auto options = std::make_shared<CollectOptions>();
    command->add_option("DIR", options->folders, "folders of result files")->required();
    command->add_option("--store", options->store, "the store")->type_name("FILE")->capture_default_str();
    command->add_flag("--keep", options->keep, "leave the result files where they are");
    command->callback([options, &status] { status = collect(*options); });
}

} // namespace heddle::cli
