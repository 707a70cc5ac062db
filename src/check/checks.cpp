#include "check/checks.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::check {

namespace {

constexpr std::array<std::pair<std::string_view, bool Checks::*>, 5> kNames{{
    {"races", &Checks::races},
    {"uninitialised", &Checks::uninitialised},
    {"barriers", &Checks::barriers},
    {"leaks", &Checks::leaks},
    {"memory", &Checks::memory},
}};

} // namespace

std::string Checks::names() const {
    std::string out;
    for (const auto& [name, member] : kNames)
        if (this->*member)
            out += fmt::format("{}{}", out.empty() ? "" : ",", name);
    return out;
}

Checks parse_checks(std::string_view names) {
    Checks out;
    for (std::string_view rest = names;;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view name = rest.substr(0, comma);
        const auto* const known =
            std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == name; });
        if (known != kNames.end())
            out.*known->second = true;
        else if (name == "all")
            out = {true, true, true, true, true};
        else
            throw UserError(fmt::format("'{}' is no check: there are races, uninitialised, barriers, leaks, memory and "
                                        "all, with commas between them",
                                        name));
        if (comma == rest.size())
            return out;
        rest.remove_prefix(comma + 1);
    }
}

} // namespace heddle::check
