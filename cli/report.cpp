// heddle report: results of runs as a page.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/output_file.h"
#include "command.h"
#include "output_files.h"
#include "report/run_page.h"
#include "stored_runs.h"

namespace heddle::cli {

namespace {

struct ReportOptions {
    std::vector<std::string> results;
    std::string page = "report.html";
};

void run(const ReportOptions& options) {
    std::vector<report::StoredRun> runs;
    for (const std::string& file : options.results)
        runs.push_back(read_run(file));
    const std::string library = report::chart_library();
    refuse_to_overwrite(options.results, options.page);
    const std::string output = prepare_result_file(options.page);
    const report::Page page = runs.size() == 1 ? report::run_page(runs.front()) : report::compared_page(runs);
    write_file(output, report::to_html(page, library));
    fmt::print("{}\n", options.page);
}

} // namespace

void add_report(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "report", "Makes a page of a run, or of several side by side: heddle report RESULT.json... [-o FILE.html]");
    const auto options = std::make_shared<ReportOptions>();
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
