// Numbers on the command line.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "config/value.h"

namespace heddle::cli {

// Decimal digits, at least `least`. CLI11 by itself reads -1 as the largest number.
[[nodiscard]] inline CLI::Validator whole_number(std::uint64_t least) {
    const auto complaint = [least](const std::string& text) -> std::string {
        try {
            if (config::parse_integer(text) >= least)
                return {};
        } catch (const UserError& error) {
            return error.what();
        }
        return fmt::format("'{}' is too small; write {} or more", text, least);
    };
    return {complaint, ""};
}

} // namespace heddle::cli
