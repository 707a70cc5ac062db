#include "config/plugins.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <map>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

#include "base/registration.h"
#include "base/source.h"
#include "config/plugin_file.h"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

std::vector<Plugin>& loaded() {
    static std::vector<Plugin> plugins;
    return plugins;
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

// The loader lets no exception pass: what a constructor of an object at file scope throws ends in std::terminate.
class ReportExceptions {
public:
    explicit ReportExceptions(const fs::path& file) : before_(std::set_terminate(report)) {
        loading = file.string();
    }
    ~ReportExceptions() {
        std::set_terminate(before_);
    }
    ReportExceptions(const ReportExceptions&) = delete;
    ReportExceptions& operator=(const ReportExceptions&) = delete;

private:
    [[noreturn]] static void report() {
        std::string text = "no std::exception";
        try {
            if (const std::exception_ptr thrown = std::current_exception())
                std::rethrow_exception(thrown);
        } catch (const std::exception& e) {
            text = e.what();
        } catch (...) { // text says so
        }
        fmt::print(stderr, "heddle: error: {}: cannot be loaded: an object at file scope throws: {}\n", loading, text);
        _exit(2);
    }

    static inline std::string loading;
    std::terminate_handler before_;
};

// Why plug-ins were refused after they had been loaded, by digest: the loader would not register their policies again.
std::map<std::string, std::string>& refusals() {
    static std::map<std::string, std::string> by_digest;
    return by_digest;
}

void open(const Plugin& plugin) {
    if (const auto at = refusals().find(plugin.digest); at != refusals().end())
        throw UserError(at->second);
    const PluginRegistrations registrations(plugin.name);
    const ReportExceptions reports(plugin.file);
    // Never closed: the registries point into it.
    if (dlopen(plugin.file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        throw UserError(fmt::format("{}: cannot be loaded: {}", plugin.file.string(), loader_error()));
    if (!registrations.refused().empty()) {
        std::string& reason = refusals()[plugin.digest];
        reason = fmt::format("{}: {}", plugin.file.string(), fmt::join(registrations.refused(), "; "));
        throw UserError(reason);
    }
}

} // namespace

Plugin load_plugin(const fs::path& file) {
    const PluginFile content = read_plugin_file(file);
    std::vector<Plugin>& all = loaded();
    if (const auto at =
            std::find_if(all.begin(), all.end(), [&](const Plugin& p) { return p.digest == content.digest; });
        at != all.end())
        return *at;
    if (const auto at = std::find_if(all.begin(), all.end(), [&](const Plugin& p) { return p.name == content.name; });
        at != all.end())
        throw UserError(fmt::format("{}: another plug-in '{}' is loaded, {}; only one of them can be used at a time",
                                    file.string(), content.name, at->file.string()));
    Plugin plugin{content.name, content.meaning, fs::canonical(file), content.digest};
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
