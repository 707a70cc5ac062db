// Settings of the device outside its SMs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::runtime {

struct DeviceConfig {
    static constexpr std::string_view kSection = "device";
    std::uint64_t memory = std::uint64_t{4} << 30;
    std::uint64_t compute_capability = 75; // ten times the major number, plus the minor number
    std::uint64_t allocation_alignment = 256;
    std::uint64_t allocation_gap = 256;
    // Settings that are not possible together.
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
    static std::span<const config::Parameter<DeviceConfig>> parameters();
};

} // namespace heddle::runtime
