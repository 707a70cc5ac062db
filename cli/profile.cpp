// heddle profile: what each line of a profiled run cost, on the terminal and for other programs.
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/output_file.h"
#include "command.h"
#include "output_files.h"
#include "report/profile/exports.h"
#include "report/profile/tables.h"
#include "stored_runs.h"
#include "whole_number.h"

namespace heddle::cli {

namespace {

using report::RowsBy;

const std::map<std::string, RowsBy> kRows{{"line", RowsBy::Line},
                                          {"path", RowsBy::Path},
                                          {"function", RowsBy::Function},
                                          {"instruction", RowsBy::Instruction},
                                          {"kernel", RowsBy::Kernel}};

struct ProfileOptions {
    std::vector<std::string> results;
    std::string by = "line", kernel, sort, source;
    std::size_t lines = 20;
    std::string callgrind, collapsed, csv; // files; "-": standard output

    [[nodiscard]] std::vector<std::string> exports() const {
        std::vector<std::string> out;
        for (const std::string& file : {callgrind, collapsed, csv})
            if (!file.empty())
                out.push_back(file);
        return out;
    }
};

report::Profile read_profile(const std::string& file, const std::string& kernel) {
    report::StoredRun run = read_run(file);
    if (!run.profile)
        throw UsageError(fmt::format("{}: a run without a profile; run the program again with --profile", file));
    if (kernel.empty())
        return std::move(*run.profile);
    try {
        return report::only_kernels(std::move(*run.profile), kernel);
    } catch (const UserError& e) {
        throw UsageError(fmt::format("{}: {}", file, e.what()));
    }
}

void check(const ProfileOptions& options) {
    if (options.results.size() > 2)
        throw UsageError(fmt::format("{} results are given; a profile is shown alone or beside a second one",
                                     options.results.size()));
    const std::vector<std::string> exports = options.exports();
    if (options.results.size() == 2 && !exports.empty())
        throw UsageError("--callgrind, --collapsed and --csv write the profile of one result, and two are given");
    if (options.results.size() == 2 && !options.source.empty())
        throw UsageError("--source lists the source of one result, and two are given");
    if (options.results.size() == 2 && (options.by == "path" || options.by == "instruction"))
        throw UsageError(fmt::format("two results are compared by line, function or kernel, not by {}", options.by));
    if (!options.source.empty() && !exports.empty())
        throw UsageError("--source prints a listing, which is no part of an export; give one of them");
    for (std::size_t i = 0; i < exports.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (std::filesystem::path(exports[i]).lexically_normal() ==
                std::filesystem::path(exports[j]).lexically_normal())
                throw UsageError(fmt::format("{}: two exports cannot go to the same file", exports[i]));
}

void write(const ProfileOptions& options, const report::Profile& profile) {
    const struct {
        const std::string& file;
        std::string (*text)(const report::Profile&, RowsBy);
    } exports[] = {
        {options.callgrind, [](const report::Profile& p, RowsBy) { return report::callgrind_profile(p); }},
        {options.collapsed, [](const report::Profile& p, RowsBy) { return report::collapsed_stacks(p); }},
        {options.csv, report::profile_csv},
    };
    for (const auto& wanted : exports) {
        if (wanted.file.empty())
            continue;
        if (wanted.file == "-") {
            fmt::print("{}", wanted.text(profile, kRows.at(options.by)));
            continue;
        }
        refuse_to_overwrite(options.results, wanted.file);
        write_file(prepare_result_file(wanted.file), wanted.text(profile, kRows.at(options.by)));
        fmt::print(stderr, "{}\n", wanted.file);
    }
}

void run(const ProfileOptions& options) {
    check(options);
    report::ProfileView view{kRows.at(options.by), {}, options.lines};
    try {
        if (!options.sort.empty())
            view.sort = report::ProfileColumn::named(options.sort);
    } catch (const UserError& e) {
        throw UsageError(fmt::format("--sort: {}", e.what()));
    }
    std::vector<report::Profile> profiles;
    for (const std::string& file : options.results)
        profiles.push_back(read_profile(file, options.kernel));
    if (!options.exports().empty())
        return write(options, profiles.front());
    if (profiles.size() == 2) {
        fmt::print("1: {}\n2: {}\n{}", options.results[0], options.results[1],
                   report::compared_profiles_table(profiles[0], profiles[1], view));
    } else if (options.source.empty()) {
        fmt::print("{}", report::profile_table(profiles.front(), view));
    } else {
        try {
            fmt::print("{}", report::annotated_source(profiles.front(), options.source));
        } catch (const UserError& e) {
            throw UsageError(fmt::format("{}: {}", options.results.front(), e.what()));
        }
    }
}

} // namespace

void add_profile(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "profile",
        "Lists the source lines that cost most in a run with --profile: heddle profile RESULT.json [RESULT.json]");
    const auto options = std::make_shared<ProfileOptions>();
    command->add_option("results", options->results, "what `heddle run --profile -o` wrote; two are compared")
        ->type_name("RESULT.json...")
        ->required();
    command->add_option("--by", options->by, "what a row is")
        ->type_name("line|path|function|instruction|kernel")
        ->check(CLI::IsMember({"line", "path", "function", "instruction", "kernel"}))
        ->capture_default_str();
    command->add_option("--kernel", options->kernel, "of the kernels alone whose name is this or has it as a part")
        ->type_name("NAME");
    command->add_option("--sort", options->sort, "a figure to sort by (docs/profile-views.md); default: cost")
        ->type_name("FIGURE");
    command->add_option("--lines", options->lines, "rows to list at most")
        ->type_name("N")
        ->capture_default_str()
        ->check(whole_number(1));
    command->add_option("--source", options->source, "list this source file with the cost of its lines")
        ->type_name("FILE");
    command->add_option("--callgrind", options->callgrind, "write the format of KCachegrind; -: to standard output")
        ->type_name("FILE");
    command
        ->add_option("--collapsed", options->collapsed,
                     "write collapsed stacks for flame graphs; -: to standard output")
        ->type_name("FILE");
    command->add_option("--csv", options->csv, "write all figures of all rows; -: to standard output")
        ->type_name("FILE");
    command->callback([options, &status] {
        run(*options);
        status = 0;
    });
}

} // namespace heddle::cli
