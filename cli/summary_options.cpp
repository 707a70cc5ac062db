#include "summary_options.h"

#include <cstdio>

#include <fmt/format.h>

#include "command.h"

namespace heddle::cli {

void SummaryOptions::add_to(CLI::App& command) {
    CLI::Option* const silent =
        command.add_flag("-q,--quiet", quiet, "print no summary; errors are printed all the same");
    command
        .add_option("--view", views, "add a view of the run to the summary (heddle describe views); may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all()
        ->excludes(silent);
}

void SummaryOptions::check() const {
    try {
        for (const std::string& view : views)
            (void)report::view_named(view);
    } catch (const UserError& e) {
        throw UsageError(fmt::format("--view: {}", e.what()));
    }
}

void SummaryOptions::print(const report::Summary& summary, bool is_default) const {
    if (quiet)
        return;
    std::fflush(stdout); // where both go to one file, the output of the program comes first
    fmt::print(stderr, "\n{}", report::run_summary(summary, is_default));
    for (const std::string& view : views)
        fmt::print(stderr, "\n{}", report::view_named(view).text(summary));
}

} // namespace heddle::cli
