// What every policy must keep to, as checks that need no simulation of a whole device: the unit tests run them over all
// policies of heddle, `heddle test-policy` over those of a plug-in.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/registry.h"

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

// A policy whose answers are not checked by anything else.
template <class T, class... Args>
[[nodiscard]] std::unique_ptr<T> make_unguarded(const Registry<T, Args...>& registry, std::string_view name,
                                                std::type_identity_t<Args>... args) {
    std::unique_ptr<T> made = registry.find(name).factory(args...);
    expect(made != nullptr, "its factory returns no object");
    return made;
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
