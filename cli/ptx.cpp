// heddle ptx: one kernel of a bare PTX file.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "child.h"
#include "command.h"
#include "config/value.h"
#include "exec/executor.h"
#include "machine_options.h"
#include "output_files.h"
#include "ptx_arguments.h"
#include "ptx_file.h"
#include "runtime/device.h"
#include "runtime/device_config.h"
#include "runtime/native_code.h"
#include "summary_options.h"
#include "timeline_options.h"

namespace heddle::cli {

namespace {

struct PtxOptions {
    MachineOptions machine;
    LaunchOptions launches;
    TimelineOptions timeline;
    SummaryOptions summary;
    std::string file, entry, grid, block, cluster, shared = "0", result;
    std::vector<std::string> arguments, dumps;
    bool trace = false;
    bool native = false; // prints native code, launches nothing
    std::string arch;    // of --native; empty: the machine's
    unsigned registers = 0;
};

struct Dump {
    std::size_t argument = 0;
    std::string file; // empty: standard output
};

// "X", "X,Y" or "X,Y,Z".
Dim3 parse_dimensions(std::string_view option, const std::string& text) {
    std::uint32_t sizes[3] = {1, 1, 1};
    std::string_view rest = text;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        std::uint64_t value = 0;
        try {
            value = config::parse_integer(rest.substr(0, comma));
        } catch (const UserError&) { // 0 is reported below
        }
        if (value == 0 || value > UINT32_MAX)
            break;
        sizes[i] = static_cast<std::uint32_t>(value);
        if (comma == rest.size())
            return {sizes[0], sizes[1], sizes[2]};
        rest.remove_prefix(comma + 1);
    }
    throw UsageError(
        fmt::format("{} {}: write X[,Y[,Z]], whole numbers from 1, for example 64 or 16,16", option, text));
}

std::uint32_t parse_shared(const std::string& text) {
    try {
        const std::uint64_t bytes = config::parse_bytes(text);
        if (bytes <= UINT32_MAX)
            return static_cast<std::uint32_t>(bytes);
    } catch (const UserError& e) {
        throw UsageError(fmt::format("--shared: {}", e.what()));
    }
    throw UsageError(fmt::format("--shared {}: more than a block can have", text));
}

Dump parse_dump(const std::string& text, const std::vector<Argument>& arguments) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    Dump out;
    try {
        out.argument = config::parse_integer(std::string_view(text).substr(0, colon));
    } catch (const UserError&) {
        throw UsageError(fmt::format("--dump {}: write the number of an argument, from 0, or N:FILE", text));
    }
    if (out.argument >= arguments.size())
        throw UsageError(fmt::format("--dump {}: there are {} arguments, counted from 0", text, arguments.size()));
    if (!arguments[out.argument].buffer)
        throw UsageError(fmt::format("--dump {}: argument {} ({}) is not a buffer", text, out.argument,
                                     arguments[out.argument].text));
    if (colon < text.size()) {
        out.file = text.substr(colon + 1);
        if (out.file.empty())
            throw UsageError(fmt::format("--dump {}: a file's name follows the colon", text));
        out.file = prepare_result_file(out.file);
    }
    return out;
}

runtime::KernelId choose_kernel(const runtime::Device& device, runtime::ModuleId module, const PtxOptions& options) {
    const std::vector<std::string> names = device.kernel_names(module);
    if (!options.entry.empty())
        return device.kernel(module, options.entry);
    if (names.empty())
        throw UsageError(fmt::format("{}: there is no .entry in it", options.file));
    if (names.size() > 1)
        throw UsageError(
            fmt::format("{}: it has several entries; choose one with -e: {}", options.file, fmt::join(names, ", ")));
    return device.kernel(module, names.front());
}

runtime::Options device_options(const PtxOptions& options, runtime::ProgressLine& progress) {
    runtime::Options out;
    out.program = std::filesystem::path(options.file).filename().string();
    out.functional = options.launches.functional;
    out.strict = options.launches.strict;
    out.profile = options.launches.profile;
    out.checks = options.launches.named_checks();
    out.max_cycles = options.launches.max_cycles;
    out.max_instructions = options.launches.max_instructions;
    out.host_threads = options.launches.host_threads;
    out.timed_kernels = options.launches.timed_kernels();
    out.timeline = options.timeline.recorded();
    if (options.trace)
        out.trace = [](std::string_view line) { fmt::print("{}\n", line); };
    if (isatty(STDERR_FILENO) != 0)
        out.progress = [&progress](const runtime::Progress& now) { progress.show(now); };
    return out;
}

void print_warnings(runtime::Device& device) {
    for (const std::string& warning : device.take_warnings())
        fmt::print(stderr, "heddle: {}\n", warning);
}

void print_dump(const runtime::Device& device, const Dump& dump, const PlacedArguments& placed, std::size_t bytes) {
    std::vector<std::byte> content(bytes);
    device.read(content.data(), placed.buffers[dump.argument], bytes);
    if (dump.file.empty())
        fmt::print("dump {}: {}\n", dump.argument, to_hex(content));
    else
        write_file(dump.file, {reinterpret_cast<const char*>(content.data()), bytes});
}

void write_timeline(const runtime::Device& device, const std::string& path) {
    std::string losses;
    write_file(path, [&](std::ostream& file) { losses = device.write_timeline(file); });
    if (!losses.empty())
        fmt::print(stderr, "heddle: {}\n", losses);
}

// The files of the results; empty: not written.
struct Files {
    std::string result, timeline;
};

// Writes and shows the results so far.
report::Summary report_results(runtime::Device& device, const Files& files, const PtxOptions& options) {
    device.finish_checks();
    const std::string json = device.result_json();
    if (!files.result.empty())
        write_results(files.result, json);
    if (!files.timeline.empty())
        write_timeline(device, files.timeline);
    report::Summary summary = report::read_summary(json);
    options.summary.print(summary, !options.machine.named);
    return summary;
}

std::atomic<int> interrupted_by = 0; // the first signal

void interrupt(int signal) {
    int none = 0;
    interrupted_by.compare_exchange_strong(none, signal);
    runtime::Device::interrupt();
}

// The chip that --native compiles for.
std::string native_chip(const PtxOptions& options) {
    if (!options.arch.empty())
        return options.arch;
    if (!options.machine.named)
        return "sm_80";
    return fmt::format("sm_{}", options.machine.load().get<runtime::DeviceConfig>().compute_capability);
}

int print_native(const PtxOptions& options) {
    const native::Settings settings{.registers = options.registers,
                                    .in_place = options.machine.load().get<runtime::NativeConfig>().inline_limit};
    fmt::print("{}", runtime::native_code(options.file, read_ptx(options.file), options.entry, native_chip(options),
                                          settings));
    return 0;
}

int run(const PtxOptions& options) {
    if (options.native)
        return print_native(options);
    for (const auto& [option, text] : {std::pair("--grid", &options.grid), std::pair("--block", &options.block)})
        if (text->empty())
            throw UsageError(fmt::format("{} is required (but with --native, which launches nothing)", option));
    options.summary.check();
    runtime::LaunchShape shape{parse_dimensions("--grid", options.grid), parse_dimensions("--block", options.block),
                               parse_shared(options.shared)};
    if (!options.cluster.empty())
        shape.cluster = parse_dimensions("--cluster", options.cluster);
    std::vector<Argument> arguments;
    for (const std::string& text : options.arguments)
        arguments.push_back(parse_argument(text));
    std::vector<Dump> dumps;
    for (const std::string& text : options.dumps)
        dumps.push_back(parse_dump(text, arguments));
    const std::string result = options.result.empty() ? "" : prepare_results(options.result);
    const Files files{result, prepare_timeline_file(options.timeline, result)};

    runtime::ProgressLine progress;
    runtime::Device device(options.machine.load(), device_options(options, progress));
    const runtime::ModuleId module = device.load_module(options.file, read_ptx(options.file));
    const runtime::KernelId kernel = choose_kernel(device, module, options);
    const PlacedArguments placed = place_arguments(device, device.info(kernel), arguments);

    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal, interrupt) == SIG_IGN) // nohup
            std::signal(signal, SIG_IGN);
    try {
        device.launch(kernel, shape, placed.block);
        progress.clear();
        print_warnings(device);
    } catch (const exec::Fault&) {
        progress.clear();
        print_warnings(device);
        report_results(device, files, options); // the results before the fault
        throw;
    }
    for (const Dump& dump : dumps)
        print_dump(device, dump, placed, arguments[dump.argument].size());
    const report::Summary summary = report_results(device, files, options);
    if (summary.status == "interrupted")
        return 128 + interrupted_by;
    if (summary.checks != 0)
        return kFailed;
    return summary.status == "complete" ? 0 : options.launches.limit_status;
}

} // namespace

void add_ptx(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("ptx", "Runs one kernel of a PTX file");
    const auto options = std::make_shared<PtxOptions>();
    command->add_option("FILE", options->file, "PTX text")->required()->type_name("FILE.ptx");
    command->add_option("-e,--entry", options->entry, "the kernel, where the file has several")->type_name("ENTRY");
    command->add_option("--grid", options->grid, "thread blocks")->type_name("X[,Y[,Z]]");
    command->add_option("--block", options->block, "threads of a block")->type_name("X[,Y[,Z]]");
    command->add_option("--cluster", options->cluster, "thread blocks of a cluster")->type_name("X[,Y[,Z]]");
    command->add_option("--shared", options->shared, "dynamic shared memory of a block")->type_name("BYTES");
    command
        ->add_option(
            "--arg", options->arguments,
            "an argument, in order: u8|s8|u16|s16|u32|s32|u64|s64|f32|f64:VALUE, bytes:HEX (by value), buf:SIZE "
            "(zeroed), buf:hex=HEX, buf:@FILE (a buffer's address is passed), "
            "tex:FORMAT:WIDTH[xHEIGHT[xDEPTH]][:OPTION,...]:hex=HEX, "
            "surf:FORMAT:SIZE:hex=HEX (an object's handle is passed)")
        ->type_name("SPEC")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command
        ->add_option("--dump", options->dumps,
                     "after the run print the bytes of argument N's buffer, or write them to FILE")
        ->type_name("N[:FILE]")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_flag("--trace", options->trace, "print what each pipeline stage holds, a line a cycle");
    auto* native = command->add_flag("--native", options->native,
                                     "print machine-like code of the kernels, with control bits; run nothing");
    command
        ->add_option("--arch", options->arch,
                     "the chip that --native compiles for; that of the machine of -m, without one sm_80")
        ->type_name("SM")
        ->needs(native);
    command->add_option("--registers", options->registers, "registers of a thread at most, with --native")
        ->type_name("N")
        ->check(CLI::Range(16, 255))
        ->needs(native);
    options->machine.add_to(*command);
    options->launches.add_to(*command);
    options->launches.add_checks_to(*command);
    options->timeline.add_to(*command);
    options->summary.add_to(*command);
    command->add_option("-o,--output", options->result, kResultMeaning)->type_name("RESULT.json");
    command->callback([options, &status] { status = run(*options); });
}

} // namespace heddle::cli
