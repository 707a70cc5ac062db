// Registries of policies that settings choose from.
#pragma once

#include <string>
#include <utility>

#include "base/registry.h"
#include "config/parameter.h"

namespace heddle::config {

// The only registry of type R in the program. `kind` names its members in messages. Their names are the valid values of
// settings whose range is `range`.
template <class R>
[[nodiscard]] R& choices(std::string kind, std::string range, typename R::Guard guard = nullptr) {
    static R registry(std::move(kind), guard);
    static const bool told = (register_choices(std::move(range), [] { return registry.names(); }), true);
    static_cast<void>(told);
    return registry;
}
template <class R>
[[nodiscard]] R& choices(const std::string& kind, typename R::Guard guard = nullptr) {
    return choices<R>(kind, kind, guard);
}

} // namespace heddle::config
