// Plug-ins: shared objects with policies, core models, settings and statistics of their own (docs/plug-ins.md).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::config {

struct Plugin {
    std::string name, meaning;
    std::filesystem::path file; // absolute, without links
    std::string digest;         // of its content
};

// Loads a plug-in, once: of a file that is loaded already, or of another one with the same content, only the
// description is returned. Throws UserError when the file is no plug-in, was built for another heddle, cannot be
// loaded, or registers a name that is taken. To be called before the machines that use it are read, by one thread at a
// time.
Plugin load_plugin(const std::filesystem::path&);

// All that are loaded, in that order.
[[nodiscard]] std::span<const Plugin> plugins();

// The plug-ins that the environment variable HEDDLE_PLUGINS names, separated by ':'.
inline constexpr const char* kPluginVariable = "HEDDLE_PLUGINS";
void load_plugins_of_environment();
// A value of the variable. Throws UserError for a path with ':'.
[[nodiscard]] std::string plugin_list(std::span<const std::string> files);

} // namespace heddle::config
