// Settings of the device as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::gpu {

struct GpuConfig {
    static constexpr std::string_view kSection = "gpu";
    std::uint64_t sms = 1;
    std::string sm_order = "ascending";
    static std::span<const config::Parameter<GpuConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

// How kernels begin; without the section at once, and blocks go to the SMs in the order of their numbers.
struct LaunchConfig {
    static constexpr std::string_view kSection = "launch";
    static constexpr bool kOptional = true;
    std::uint64_t latency = 0;
    std::uint64_t group = 1;
    bool by_gpc = false;
    static std::span<const config::Parameter<LaunchConfig>> parameters();
};

} // namespace heddle::gpu
