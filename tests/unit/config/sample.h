// A component with one parameter of each kind, as the layers above describe theirs.
#pragma once

#include "config/parameter.h"

namespace heddle::config::test {

struct SampleConfig {
    static constexpr std::string_view kSection = "cache";
    std::uint64_t size = 131072;
    std::uint64_t ways = 4;
    std::uint64_t line = 128;
    double clock = 1.5;
    bool merge = true;
    std::string policy = "lru";
    std::string order = "plain";
    static std::span<const Parameter<SampleConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

// A section that machines lack unless it is set.
struct ExtraConfig {
    static constexpr std::string_view kSection = "extra";
    static constexpr bool kOptional = true;
    std::uint64_t depth = 3;
    std::uint64_t width = 5;
    static std::span<const Parameter<ExtraConfig>> parameters();
};

} // namespace heddle::config::test
