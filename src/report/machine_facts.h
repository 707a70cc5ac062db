// The numbers of a machine that a summary compares a kernel with, from the settings in a result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

struct PipeFacts {
    std::string name;
    std::uint64_t units = 0; // of an SM
};

// A number is 0 where the machine has no such thing, or the result does not say.
struct MachineFacts {
    std::uint64_t sms = 0;
    std::uint64_t warps = 0; // the most that an SM holds
    std::uint64_t width = 0; // lanes
    double mhz = 0;
    std::vector<PipeFacts> pipes; // by name
    std::uint64_t l1_line = 0;    // bytes
    // The most bytes in a cycle of the device.
    double l1_bytes = 0, l2_bytes = 0, dram_bytes = 0;
    std::uint64_t l2_line = 0; // bytes

    // Microseconds; 0 where the clock is not known.
    [[nodiscard]] double time(std::uint64_t cycles) const {
        return mhz == 0 ? 0 : static_cast<double>(cycles) / mhz;
    }
};

// `config`: that of a RESULT.json. Throws nlohmann::json::exception.
[[nodiscard]] MachineFacts machine_facts(const nlohmann::ordered_json& config);

} // namespace heddle::report
