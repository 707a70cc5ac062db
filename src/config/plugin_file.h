// The file of a plug-in before it is loaded: whether it is one, and whether it fits this heddle. No code of it runs
// here.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::config {

struct PluginFile {
    std::string name, meaning; // as its mark says (config/plugin.h)
    std::string digest;        // of its content
};

// Throws UserError when the file cannot be read, is no shared object for this computer, ends early, has no mark, or was
// built for another heddle.
[[nodiscard]] PluginFile read_plugin_file(const std::filesystem::path&);

} // namespace heddle::config
