// Numbers on the command line.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "config/value.h"

namespace heddle::cli {

// Decimal digits, `least` or more. CLI11 by itself takes -1 for the largest number there is.
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
