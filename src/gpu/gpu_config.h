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

} // namespace heddle::gpu
