#include "config/plugins.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/registration.h"
#include "base/source.h"
#include "config/plugin.h"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

std::vector<Plugin>& loaded() {
    static std::vector<Plugin> plugins;
    return plugins;
}

struct Mark {
    std::string_view abi, name, meaning;
};

std::optional<Mark> find_mark(std::string_view content) {
    constexpr std::string_view word = HEDDLE_PLUGIN_WORD;
    for (std::size_t at = content.find(word); at != std::string_view::npos; at = content.find(word, at + 1)) {
        std::string_view rest = content.substr(at + word.size());
        std::array<std::string_view, 3> lines;
        std::size_t found = 0;
        for (; found < lines.size(); ++found) {
            const std::size_t end = rest.find_first_of(std::string_view("\n\0", 2));
            if (end == std::string_view::npos || rest[end] == '\0')
                break;
            lines[found] = rest.substr(0, end);
            rest.remove_prefix(end + 1);
        }
        if (found == lines.size())
            return Mark{lines[0], lines[1], lines[2]};
    }
    return std::nullopt;
}

std::string read(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        throw UserError(fmt::format("{}: there is no such plug-in", file.string()));
    if (!fs::is_regular_file(file, error))
        throw UserError(fmt::format("{}: not a file; a plug-in is a shared object (.so)", file.string()));
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw UserError(fmt::format("{}: cannot be read", file.string()));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Mark check(const fs::path& file, std::string_view content) {
    if (!content.starts_with("\x7f"
                             "ELF"))
        throw UserError(fmt::format("{}: not a plug-in: it is no shared object; `heddle new` writes a plug-in to start "
                                    "from, and its build makes the .so file",
                                    file.string()));
    const std::optional<Mark> mark = find_mark(content);
    if (!mark)
        throw UserError(fmt::format("{}: not a plug-in of heddle: no source file of it has HEDDLE_PLUGIN(\"name\", "
                                    "\"meaning\") (config/plugin.h)",
                                    file.string()));
    if (mark->abi != HEDDLE_ABI)
        throw UserError(fmt::format("{}: the plug-in was built for another heddle; build it again with this one\n"
                                    "  plug-in: {}\n  this:    {}",
                                    file.string(), mark->abi, HEDDLE_ABI));
    return *mark;
}

// The loader's reason; a missing function by its name in C++.
std::string loader_error() {
    const char* const text = dlerror();
    std::string out = text == nullptr ? "unknown reason" : text;
    constexpr std::string_view kUndefined = "undefined symbol: ";
    const std::size_t at = out.find(kUndefined);
    if (at == std::string::npos)
        return out;
    const std::string symbol =
        out.substr(at + kUndefined.size(), out.find_first_of(" ,", at + kUndefined.size()) - at - kUndefined.size());
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return fmt::format("it needs {}, which heddle does not offer to plug-ins (docs/plug-ins.md)",
                       status == 0 ? name.get() : symbol.c_str());
}

void open(const Plugin& plugin) {
    const PluginRegistrations registrations(plugin.name);
    // Never closed: the registries point into it.
    if (dlopen(plugin.file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        throw UserError(fmt::format("{}: cannot be loaded: {}", plugin.file.string(), loader_error()));
    if (!registrations.refused().empty())
        throw UserError(fmt::format("{}: {}", plugin.file.string(), fmt::join(registrations.refused(), "; ")));
}

} // namespace

Plugin load_plugin(const fs::path& file) {
    const std::string content = read(file);
    Plugin plugin{{}, {}, fs::canonical(file), digest(content)};
    std::vector<Plugin>& all = loaded();
    if (const auto at =
            std::find_if(all.begin(), all.end(), [&](const Plugin& p) { return p.digest == plugin.digest; });
        at != all.end())
        return *at;
    const Mark mark = check(file, content);
    plugin.name = mark.name;
    plugin.meaning = mark.meaning;
    if (const auto at = std::find_if(all.begin(), all.end(), [&](const Plugin& p) { return p.name == plugin.name; });
        at != all.end())
        throw UserError(fmt::format("{}: another plug-in '{}' is loaded, {}; only one of them can be used at a time",
                                    file.string(), plugin.name, at->file.string()));
    open(plugin);
    all.push_back(plugin);
    return plugin;
}

std::span<const Plugin> plugins() {
    return loaded();
}

void load_plugins_of_environment() {
    const char* const variable = std::getenv(kPluginVariable);
    std::string_view list = variable == nullptr ? "" : variable;
    while (!list.empty()) {
        const std::size_t colon = std::min(list.find(':'), list.size());
        if (colon != 0)
            load_plugin(fs::path(list.substr(0, colon)));
        list.remove_prefix(std::min(colon + 1, list.size()));
    }
}

std::string plugin_list(std::span<const std::string> files) {
    for (const std::string& file : files)
        if (file.find(':') != std::string::npos)
            throw UserError(fmt::format("{}: the path of a plug-in must not have a ':' in it", file));
    return fmt::format("{}", fmt::join(files, ":"));
}

} // namespace heddle::config
