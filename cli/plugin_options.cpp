#include "plugin_options.h"

#include <cstdlib>
#include <string_view>

#include "base/source.h"
#include "command.h"
#include "config/plugins.h"

namespace heddle::cli {

namespace {

constexpr std::string_view kOption = "--plugin";

std::vector<std::string>& given() {
    static std::vector<std::string> files;
    return files;
}

std::vector<std::string> taken_out_of(std::vector<std::string>& words) {
    std::vector<std::string> files, rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == kOption) {
            if (++i == words.size() || words[i].empty() || words[i].starts_with('-'))
                throw UsageError("--plugin needs a file: --plugin FILE.so");
            files.push_back(words[i]);
        } else if (word.starts_with(kOption) && word[kOption.size()] == '=') {
            files.push_back(word.substr(kOption.size() + 1));
        } else {
            rest.push_back(word);
        }
    }
    words = std::move(rest);
    return files;
}

} // namespace

void add_plugin_option(CLI::App& app) {
    app.add_option("--plugin", given(),
                   "a plug-in with policies of its own, a shared object; may be repeated, and stands before or after "
                   "the command")
        ->type_name("FILE.so")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
}

void take_plugins(std::vector<std::string>& words) {
    const std::vector<std::string> files = taken_out_of(words);
    try {
        config::load_plugins_of_environment();
        for (const std::string& file : files)
            (void)config::load_plugin(file);
        for (const config::Plugin& plugin : config::plugins())
            given().push_back(plugin.file.string());
        if (!given().empty())
            (void)setenv(config::kPluginVariable, config::plugin_list(given()).c_str(), 1);
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
}

const std::vector<std::string>& plugins_of_command_line() {
    return given();
}

} // namespace heddle::cli
