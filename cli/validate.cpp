// heddle validate: microbenchmarks and kernels on a machine, beside what is published of the chip.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "gpu_program.h"
#include "machine_options.h"
#include "output_files.h"
#include "own_folder.h"
#include "program_file.h"
#include "simulated_program.h"
#include "validate_workloads.h"
#include "validation.h"
#include "validation_page.h"
#include "validation_run.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct ValidateOptions {
    MachineOptions machine;
    LaunchOptions launches;
    std::string csv;
    std::string page;
    std::vector<std::string> programs; // empty: all
    bool kernels = false;              // instead of the microbenchmarks
    bool on_gpu = false;               // of this computer, in the place of the machine
    bool workloads = false;            // beside what was measured on a GPU

    [[nodiscard]] std::string what() const {
        return kernels ? "kernel" : "microbenchmark";
    }
};

// The programs that were asked for. Of kernels, if none were: those with a published value of the machine, if it has
// any.
std::vector<fs::path> programs(const ValidateOptions& options, const std::vector<PublishedValue>& published) {
    const std::vector<std::string>& wanted = options.programs;
    const fs::path all = own_folder("lib/heddle", "validation") / "programs";
    const fs::path folder = options.kernels ? all / "kernels" : all;
    std::error_code error;
    std::vector<fs::path> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file() && !entry.path().has_extension())
            out.push_back(entry.path());
    if (out.empty())
        throw UserError(fmt::format("{}: no {}s are there; build them with `make`", folder.string(), options.what()));
    std::sort(out.begin(), out.end());
    std::vector<std::string> names;
    for (const fs::path& program : out)
        names.push_back(program.filename().string());
    for (const std::string& name : wanted)
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw UsageError(fmt::format("there is no {} '{}'; valid: {}{}", options.what(), name, comma_list(names),
                                         did_you_mean(name, names)));
    const auto has_value = [&](const std::string& name) {
        return std::any_of(published.begin(), published.end(), [&](const PublishedValue& value) {
            return value.benchmark.starts_with(fmt::format("kernel.{}.", name));
        });
    };
    std::erase_if(out, [&](const fs::path& program) {
        if (wanted.empty())
            return options.kernels && !published.empty() && !has_value(program.filename());
        return std::find(wanted.begin(), wanted.end(), program.filename()) == wanted.end();
    });
    return out;
}

// What a program has measured on the GPU of this computer.
std::vector<Measurement> measure_on_gpu(const ValidateOptions& options, const fs::path& program) {
    const fs::path all = own_folder("lib/heddle", "validation");
    const fs::path sources = all / "sources";
    const fs::path source =
        (options.kernels ? sources / "kernels" : sources) / fmt::format("{}.cu", program.filename().string());
    const std::array<fs::path, 2> includes = {sources, all / "include"};
    return measurements_in(output_on_gpu(source, includes));
}

// What a program has measured on the machine; after an interrupt nothing, since its simulation was not whole.
std::vector<Measurement> measure(const ValidateOptions& options, const fs::path& program) {
    const std::optional<MachineRun> run = run_on_machine(options.machine, options.launches, {program.string()});
    return run ? measurements_in(run->output) : std::vector<Measurement>();
}

int run_programs(const ValidateOptions& options) {
    const config::Machine machine = options.machine.load();
    auto published = published_values_of(machine.name());
    std::erase_if(published, [&](const PublishedValue& value) { return value.is_of_kernel() != options.kernels; });
    const std::string csv = options.csv.empty() ? "" : prepare_result_file(options.csv);
    const std::string page = options.page.empty() ? "" : prepare_result_file(options.page);
    const std::string library = page.empty() ? "" : report::chart_library();
    std::vector<Measurement> measured;
    std::string unfinished; // the program that was interrupted
    for (const fs::path& program : programs(options, published)) {
        for (Measurement& one : options.on_gpu ? measure_on_gpu(options, program) : measure(options, program))
            measured.push_back(std::move(one));
        if (SignalForwarder::interrupted()) {
            unfinished = program.filename();
            break;
        }
    }
    const std::vector<Comparison> rows = compare(measured, published, options.programs.empty() && unfinished.empty());
    if (unfinished.empty() || !rows.empty())
        fmt::print("{}\n{}", comparison_table(rows), comparison_summary(rows));
    if (!csv.empty())
        write_file(csv, comparison_csv(rows));
    if (!page.empty())
        write_file(page, report::to_html(comparison_page(machine.name(), rows), library));
    int status = 0;
    for (const Comparison& row : rows) {
        if (row.verdict() == "no")
            fmt::print(stderr, "heddle: {} is outside of its tolerance\n", row.here.benchmark);
        else if (row.verdict() == "no longer")
            fmt::print(stderr, "heddle: {} is within its tolerance, but {} has it as a failure\n", row.here.benchmark,
                       published_file_of(machine.name()).string());
        else
            continue;
        status = kFailed;
    }
    if (unfinished.empty())
        return status;
    fmt::print(stderr, "heddle: interrupted in '{}'; the table has what was measured before\n", unfinished);
    return SignalForwarder::exit_status();
}

int run(const ValidateOptions& options) {
    if (!options.workloads)
        return run_programs(options);
    return validate_workloads(options.machine, options.launches, options.programs, options.csv);
}

} // namespace

void add_validate(CLI::App& app, int& status) {
    const auto options = std::make_shared<ValidateOptions>();
    CLI::App* const command =
        app.add_subcommand("validate", "Runs microbenchmarks on a machine, beside what is published of the chip");
    options->machine.add_to(*command);
    command->add_option("-o,--csv", options->csv, "also write the table to this file, as comma-separated values")
        ->type_name("FILE");
    CLI::Option* const kernels = command->add_flag(
        "--kernels", options->kernels, "run kernels whose cycles are published, instead of the microbenchmarks");
    CLI::Option* const on_gpu = command->add_flag(
        "--on-gpu", options->on_gpu,
        "run on the GPU of this computer instead of the machine, beside what is published of the machine's "
        "chip; needs nvcc");
    CLI::Option* const page = command
                                  ->add_option("--page", options->page,
                                               "also write a page with charts of the values beside the published ones")
                                  ->type_name("FILE.html");
    command
        ->add_flag("--workloads", options->workloads,
                   "run the workloads whose kernels were measured on a GPU of the machine's chip")
        ->excludes(kernels, on_gpu, page);
    command
        ->add_option("--program", options->programs,
                     "run only this microbenchmark, kernel or workload; may be given again")
        ->type_name("NAME");
    command->footer("Exit status 1: a value is outside of its tolerance and not listed as a failure, or the reverse.");
    command->callback([options, command, &status] {
        refuse_extras(*command);
        status = run(*options);
    });
}

} // namespace heddle::cli
