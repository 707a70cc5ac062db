#include "describe_command.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "command.h"
#include "command_pages.h"
#include "config/parameter.h"

namespace heddle::cli {

namespace {

[[noreturn]] void not_one_of(std::string_view what, const std::string& name, const std::vector<std::string>& known) {
    throw UsageError(
        fmt::format("there is no {} '{}'; valid: {}{}", what, name, comma_list(known), did_you_mean(name, known)));
}

} // namespace

void describe_man(const CLI::App& app, const std::string& name, const std::string& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> known;
    if (!folder.empty()) {
        std::error_code error;
        fs::create_directories(folder, error);
        write_file((fs::path(folder) / "heddle.1").string(), man_page(app, nullptr));
    } else if (name.empty()) {
        fmt::print("{}", man_page(app, nullptr));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        known.push_back(command->get_name());
        if (!folder.empty())
            write_file((fs::path(folder) / fmt::format("heddle-{}.1", command->get_name())).string(),
                       man_page(app, command));
        else if (name == command->get_name())
            return (void)fmt::print("{}", man_page(app, command));
    }
    if (folder.empty() && !name.empty())
        not_one_of("command", name, known);
}

void describe_completions(const CLI::App& app, const std::string& shell) {
    if (shell == "bash")
        fmt::print("{}", bash_completion(app));
    else if (shell == "zsh")
        fmt::print("{}", zsh_completion(app));
    else if (shell == "fish")
        fmt::print("{}", fish_completion(app));
    else
        not_one_of("shell", shell, {"bash", "zsh", "fish"});
}

void describe_words(const std::string& what) {
    if (what == "machines") {
        for (const std::string& name : config::machine_names())
            fmt::print("{}\n", name);
    } else if (what == "parameters") {
        for (const std::string& key : config::parameter_keys(""))
            fmt::print("{}\n", key);
    } else {
        not_one_of("list of words", what, {"machines", "parameters"});
    }
}

} // namespace heddle::cli
