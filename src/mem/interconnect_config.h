// Settings of the network between the SMs and the memory: one for requests and one for replies, both of this make.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "config/parameter.h"

namespace heddle::mem {

struct InterconnectConfig {
    static constexpr std::string_view kSection = "interconnect";
    std::string kind = "none";
    std::string allocator = "islip";
    std::uint64_t iterations = 1;
    double clock_mhz = 1000;
    std::uint64_t flit_bytes = 32;
    std::uint64_t header_bytes = 8;
    std::uint64_t speedup = 1;
    std::uint64_t latency = 1;
    std::uint64_t input_flits = 64;
    std::uint64_t output_flits = 64;
    std::uint64_t link = 8;
    std::uint64_t seed = 1;
    static std::span<const config::Parameter<InterconnectConfig>> parameters();

    // Flits of a packet with `bytes` bytes of data; at least one.
    [[nodiscard]] unsigned flits(std::uint64_t bytes) const;
};

} // namespace heddle::mem
