// Settings of an SM with sub-cores (sm/sub_core/core.h), its pipes apart (pipe_config.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::sm {

struct SubCoreConfig {
    static constexpr std::string_view kSection = "scoreboard";
    std::uint64_t schedulers = 2;
    std::string front_end = "shared";
    std::string register_file = "shared";
    std::uint64_t buffer = 2;
    std::uint64_t decode = 2;
    std::uint64_t branch = 1;
    std::uint64_t register_banks = 16;
    std::uint64_t collect = 2;
    std::uint64_t dispatch = 3;
    std::uint64_t collectors_ldst = 2;
    std::uint64_t result_buses = 2;
    std::uint64_t write_back = 1;
    std::string long_latency = "load";
    static std::span<const config::Parameter<SubCoreConfig>> parameters();
};

// How registers are read and results come back on cores after 2017; machines without the section have operand
// collectors.
struct SubCoreStagesConfig {
    static constexpr std::string_view kSection = "sub_core";
    static constexpr bool kOptional = true;
    std::uint64_t read_stages = 0;
    std::uint64_t barrier = 0;
    bool turns = false;
    std::string fetch = "empty";
    std::uint64_t wide_product = 0;
    std::uint64_t fence = 0;
    std::uint64_t phase_test = 0;
    std::uint64_t phase_wait = 0;
    [[nodiscard]] bool is_plain() const { // nothing differs from a machine without the section
        return read_stages == 0 && barrier == 0 && !turns && fetch == "empty" && wide_product == 0 && phase_test == 0 &&
               phase_wait == 0;
    }
    static std::span<const config::Parameter<SubCoreStagesConfig>> parameters();
};

// The scoreboards of chips after 2017, had they any (core.dependences = "scoreboard"): an experiment of Huerta et al.
struct HazardConfig {
    static constexpr std::string_view kSection = "hazards";
    static constexpr bool kOptional = true;
    std::string release = "bypass";
    std::uint64_t readers = 0;
    static std::span<const config::Parameter<HazardConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

} // namespace heddle::sm
