#include "base/registration.h"

#include <stdexcept>
#include <utility>

namespace heddle {

namespace {

PluginRegistrations* current = nullptr;

} // namespace

PluginRegistrations::PluginRegistrations(std::string plugin) : plugin_(std::move(plugin)) {
    current = this;
}

PluginRegistrations::~PluginRegistrations() {
    current = nullptr;
}

const std::string& registering_plugin() {
    static const std::string none;
    return current == nullptr ? none : current->plugin_;
}

void refuse_registration(std::string reason) {
    if (current == nullptr)
        throw std::logic_error(reason);
    current->refused_.push_back(std::move(reason));
}

} // namespace heddle
