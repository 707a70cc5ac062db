// heddle report: results of runs as a page.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "base/output_file.h"
#include "child.h"
#include "command.h"
#include "output_files.h"
#include "report/run_page.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::vector<std::string> results;
    std::string page = "report.html";
};

report::StoredRun read_run(const std::string& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        throw UsageError(fmt::format("{}: no such file; name a RESULT.json as `heddle run -o` writes it", file));
    if (fs::is_directory(file, error))
        throw UsageError(fmt::format("{}: a folder; name the RESULT.json files in it", file));
    if (fs::is_character_file(file, error)) // it may have no end
        throw UsageError(fmt::format("{}: a device; name a RESULT.json as `heddle run -o` writes it", file));
    if (!std::ifstream(file, std::ios::binary))
        throw UsageError(fmt::format("{}: cannot be read", file));
    try {
        return report::read_stored_run(read_file(file), file);
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
}

void check_output(const Options& options) {
    std::error_code error;
    for (const std::string& result : options.results)
        if (fs::equivalent(result, options.page, error))
            throw UsageError(
                fmt::format("{}: a result that the page is made from; name another file for the page", options.page));
}

void run(const Options& options) {
    std::vector<report::StoredRun> runs;
    for (const std::string& file : options.results)
        runs.push_back(read_run(file));
    const std::string library = report::chart_library();
    check_output(options);
    const std::string output = prepare_result_file(options.page);
    const report::Page page = runs.size() == 1 ? report::run_page(runs.front()) : report::compared_page(runs);
    write_file(output, report::to_html(page, library));
    fmt::print("{}\n", options.page);
}

} // namespace

void add_report(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "report", "Makes a page of a run, or of several side by side: heddle report RESULT.json... [-o FILE.html]");
    const auto options = std::make_shared<Options>();
    command->add_option("results", options->results, "what `heddle run -o` and `heddle compare -o` wrote")
        ->type_name("RESULT.json...")
        ->required();
    command->add_option("-o,--output", options->page, "the page, one file that needs no other")
        ->type_name("FILE.html")
        ->capture_default_str();
    command->callback([options, &status] {
        run(*options);
        status = 0;
    });
}

} // namespace heddle::cli
