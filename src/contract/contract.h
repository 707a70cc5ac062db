// What every policy must keep to, as checks that need no simulation of a whole device: the unit tests run them over all
// policies of heddle, `heddle test-policy` over those of a plug-in.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::contract {

// A policy does not keep to its contract; the text says how.
class Broken : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void expect(bool kept, const char* otherwise) {
    if (!kept) [[unlikely]]
        throw Broken(otherwise);
}

struct Check {
    std::string_view promise; // "picks a unit that can issue"
    // Throws Broken.
    void (*run)(const std::string& policy);
};

// By kind of policy, which is registered under the name that a check gets.
[[nodiscard]] std::span<const Check> scheduler_checks();
[[nodiscard]] std::span<const Check> formation_checks();
// For policies with an order of their own only (mem::Replacement::Order::Own) all but the first pass at once.
[[nodiscard]] std::span<const Check> replacement_checks();
[[nodiscard]] std::span<const Check> prefetcher_checks();

} // namespace heddle::contract
