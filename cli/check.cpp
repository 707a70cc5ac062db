// heddle check: what of a PTX file cannot be loaded or executed, without a launch.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "child.h"
#include "command.h"
#include "machine_options.h"
#include "ptx_file.h"
#include "runtime/device.h"

namespace heddle::cli {

namespace {

struct CheckOptions {
    MachineOptions machine;
    std::vector<std::string> files;
};

// The messages about one file; empty: every instruction of it can be executed.
std::string problems_of(runtime::Device& device, const std::string& file) {
    std::string text = read_ptx(file);
    try {
        return device.unsupported(device.load_module(file, std::move(text)));
    } catch (const UserError& e) {
        return e.what();
    }
}

int run(const CheckOptions& options) {
    runtime::Device device(options.machine.load());
    bool good = true;
    for (const std::string& file : options.files) {
        const std::string problems = problems_of(device, file);
        good = good && problems.empty();
        fmt::print("{}", problems);
    }
    return good ? 0 : kFailed;
}

} // namespace

void add_check(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("check", "Reports what of PTX files cannot be executed, and runs nothing");
    const auto options = std::make_shared<CheckOptions>();
    command->add_option("FILE", options->files, "PTX texts; each is a module of its own")
        ->required()
        ->type_name("FILE.ptx...");
    options->machine.add_to(*command);
    command->callback([options, &status] { status = run(*options); });
}

} // namespace heddle::cli
