// Numbers on the command line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

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

// "A-B", or one number, with A not above B; nothing for another text.
[[nodiscard]] inline std::optional<std::pair<std::uint64_t, std::uint64_t>> number_range(std::string_view text) {
    try {
        const std::size_t dash = std::min(text.find('-'), text.size());
        const std::uint64_t first = config::parse_integer(text.substr(0, dash));
        const std::uint64_t last = dash == text.size() ? first : config::parse_integer(text.substr(dash + 1));
        return last >= first ? std::optional(std::pair(first, last)) : std::nullopt;
    } catch (const UserError&) {
        return std::nullopt;
    }
}

// How many runs are made at a time on this computer.
struct RunsAtATime {
    unsigned number = 0; // 0: one a processor core

    void add_to(CLI::App& command) {
        command.add_option("-j,--jobs", number, "runs at a time (default: one a processor core)")
            ->check(CLI::Range(1U, 1024U))
            ->type_name("N");
    }
    [[nodiscard]] std::size_t count() const {
        return number != 0 ? number : std::max(1U, std::thread::hardware_concurrency());
    }
};

} // namespace heddle::cli
