// Settings of the network between the SMs and the memory: one for requests and one for replies, both of this make.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "mem/network/port_groups.h"

namespace heddle::mem {

struct CrossbarShape {
    unsigned inputs = 1;        // 1..PortMask::kSize
    unsigned outputs = 1;       // 1..PortMask::kSize
    unsigned input_flits = 64;  // buffer of an input, over all its queues
    unsigned output_flits = 64; // buffer of an output: granted and not yet taken
    unsigned speedup = 1;       // slots a cycle
    unsigned latency = 1;       // cycles through the switch, at least 1
    std::string allocator = "islip";
    unsigned iterations = 1;
    std::uint64_t seed = 1;
    bool fifo = false;                     // an input has one queue for all outputs, not one for each
    unsigned setup = 0;                    // slots that a packet holds its ports before its first flit goes
    std::vector<PortGroupsShape> groups{}; // in the order in which a packet passes them
};

struct InterconnectConfig {
    static constexpr std::string_view kSection = "interconnect";
    std::string kind = "none";
    std::string queues = "virtual-output";
    std::string allocator = "islip";
    std::uint64_t iterations = 1;
    double clock_mhz = 1000;
    std::uint64_t flit_bytes = 32;
    std::uint64_t header_bytes = 8;
    std::uint64_t answer_bytes = 0;
    std::uint64_t speedup = 1;
    std::uint64_t setup = 0;
    std::uint64_t latency = 1;
    std::uint64_t input_flits = 64;
    std::uint64_t output_flits = 64;
    std::uint64_t link = 8;
    std::uint64_t seed = 1;
    static std::span<const config::Parameter<InterconnectConfig>> parameters();
    // Of one network.
    [[nodiscard]] CrossbarShape shape(unsigned inputs, unsigned outputs) const;
};

// Packets by what they carry.
class PacketSize {
public:
    explicit PacketSize(const InterconnectConfig& config)
        : more_(config.header_bytes + config.flit_bytes - 1),
          inverse_(((std::uint64_t{1} << kShift) - 1) / config.flit_bytes + 1) {}

    // Flits of a packet with `bytes` bytes of data, fewer than 2^16; at least one.
    [[nodiscard]] unsigned flits(std::uint64_t bytes) const {
        return static_cast<unsigned>(std::max<std::uint64_t>((bytes + more_) * inverse_ >> kShift, 1));
    }

private:
    // The inverse is too large by less than one: the quotient is right for numbers below 2^32 / flit_bytes.
    static constexpr unsigned kShift = 32;
    std::uint64_t more_; // header, and what rounds up
    std::uint64_t inverse_;
};

} // namespace heddle::mem
