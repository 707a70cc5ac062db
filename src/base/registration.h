// What comes with a plug-in (config/plugins.h): policies, settings and statistics register themselves when its file is
// loaded, as those of heddle itself do before main.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// While it lives, registrations belong to a plug-in. Used by one thread at a time.
class PluginRegistrations {
public:
    explicit PluginRegistrations(std::string plugin);
    ~PluginRegistrations();
    PluginRegistrations(const PluginRegistrations&) = delete;
    PluginRegistrations& operator=(const PluginRegistrations&) = delete;

    // The reasons of the registrations that were refused.
    [[nodiscard]] const std::vector<std::string>& refused() const {
        return refused_;
    }

private:
    friend void refuse_registration(std::string reason);
    friend const std::string& registering_plugin();

    std::string plugin_;
    std::vector<std::string> refused_;
};

// The name of the plug-in that is being loaded; empty: what registers itself is part of heddle.
[[nodiscard]] const std::string& registering_plugin();

// For messages: "heddle itself", "the plug-in extra".
[[nodiscard]] inline std::string place_of(const std::string& plugin) {
    return plugin.empty() ? "heddle itself" : "the plug-in " + plugin;
}

// Throws std::logic_error with the reason. Of a plug-in, notes the reason instead and returns: no exception may leave a
// file that is being loaded.
void refuse_registration(std::string reason);

} // namespace heddle
