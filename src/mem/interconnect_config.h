// Settings of the network between the SMs and the memory: one for requests and one for replies, both of this make.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/divider.h"
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
};

// Packets by what they carry.
class PacketSize {
public:
    explicit PacketSize(const InterconnectConfig& config)
        : header_bytes_(config.header_bytes), flit_(config.flit_bytes) {}

    // Flits of a packet with `bytes` bytes of data; at least one.
    [[nodiscard]] unsigned flits(std::uint64_t bytes) const {
        return static_cast<unsigned>(
            std::max<std::uint64_t>(flit_.quotient(bytes + header_bytes_ + flit_.divisor() - 1), 1));
    }

private:
    std::uint64_t header_bytes_;
    Divider flit_;
};

} // namespace heddle::mem
