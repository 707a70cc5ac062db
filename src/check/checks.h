// What the checker looks for, by the names of --check.
#pragma once

#include <string>
#include <string_view>

namespace heddle::check {

struct Checks {
    bool races = false;
    bool uninitialised = false;
    bool barriers = false;
    bool leaks = false;
    bool memory = false; // accesses outside allocations, which the executor finds (exec::Launch::strict)

    [[nodiscard]] bool any() const {
        return races || uninitialised || barriers || leaks || memory;
    }
    [[nodiscard]] bool of_threads() const { // needs to know what threads do
        return races || uninitialised || barriers;
    }
    // "races,leaks": what parse_checks() reads.
    [[nodiscard]] std::string names() const;
};

// Names with commas between them; "all" stands for all. Throws UserError, which lists the names.
[[nodiscard]] Checks parse_checks(std::string_view names);

} // namespace heddle::check
