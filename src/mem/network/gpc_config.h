// Settings of the levels between an SM and the network: the SMs of a TPC, and of a GPC, share ports of the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "mem/network/config.h"

namespace heddle::mem {

// Machines without the section have SMs with ports of their own.
struct GpcConfig {
    static constexpr std::string_view kSection = "gpc";
    static constexpr bool kOptional = true;
    std::string sms;
    std::uint64_t tpc_sms = 2;
    double answers = 0;
    double requests = 0;
    double tpc_answers = 0;
    double tpc_requests = 0;
    std::uint64_t request_bytes = 0;
    bool merges_reads = false;
    static std::span<const config::Parameter<GpcConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;

    [[nodiscard]] bool any() const {
        return !sms.empty();
    }
    // The SMs of each GPC; empty when `sms` is no list of numbers.
    [[nodiscard]] std::vector<std::uint64_t> sizes() const;
    // The GPC of each SM: TPCs go to the GPCs in turn, to each while it has room. The list has no problems().
    [[nodiscard]] std::vector<std::uint16_t> gpc_of_sm() const;
    // The SMs of each GPC of a device of so many SMs, without GPCs that have none; empty without GPCs.
    [[nodiscard]] std::vector<std::vector<std::size_t>> sms_of_gpcs(std::size_t device_sms) const;
    // The ports that requests of SMs pass, and those that answers pass, in this order.
    [[nodiscard]] std::vector<PortGroupsShape> request_groups() const;
    [[nodiscard]] std::vector<PortGroupsShape> answer_groups() const;

private:
    [[nodiscard]] std::vector<std::uint16_t> tpc_of_sm() const;
};

// The settings of the network for requests, whose links need not be as wide as those for answers.
[[nodiscard]] InterconnectConfig request_network(const config::Machine& machine);

} // namespace heddle::mem
