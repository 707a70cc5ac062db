#include "mem/network/gpc_config.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

namespace heddle::mem {

std::vector<std::uint64_t> GpcConfig::sizes() const {
    std::vector<std::uint64_t> out;
    const char* at = sms.data();
    const char* const end = at + sms.size();
    while (at != end) {
        std::uint64_t size = 0;
        const auto [rest, error] = std::from_chars(at, end, size);
        if (error != std::errc() || (rest != end && *rest != ' ') || size == 0)
            return {};
        out.push_back(size);
        at = rest == end ? end : rest + 1;
    }
    return out;
}

std::vector<std::uint16_t> GpcConfig::gpc_of_sm() const {
    std::vector<std::uint64_t> room = sizes();
    std::vector<std::uint16_t> out;
    std::size_t gpc = 0;
    for (std::uint64_t left = std::reduce(room.begin(), room.end()); left != 0; left -= tpc_sms) {
        while (room[gpc] == 0)
            gpc = (gpc + 1) % room.size();
        room[gpc] -= tpc_sms;
        out.insert(out.end(), tpc_sms, static_cast<std::uint16_t>(gpc));
        gpc = (gpc + 1) % room.size();
    }
    return out;
}

std::vector<std::vector<std::size_t>> GpcConfig::sms_of_gpcs(std::size_t device_sms) const {
    std::vector<std::vector<std::size_t>> out;
    if (!any())
        return out;
    out.resize(sizes().size());
    const std::vector<std::uint16_t> gpc_of = gpc_of_sm();
    for (std::size_t sm = 0; sm < device_sms; ++sm)
        out[gpc_of[sm]].push_back(sm);
    std::erase_if(out, [](const std::vector<std::size_t>& gpc) { return gpc.empty(); });
    return out;
}

std::vector<std::uint16_t> GpcConfig::tpc_of_sm() const {
    std::vector<std::uint16_t> out = gpc_of_sm();
    for (std::size_t sm = 0; sm < out.size(); ++sm)
        out[sm] = static_cast<std::uint16_t>(sm / tpc_sms);
    return out;
}

std::vector<PortGroupsShape> GpcConfig::request_groups() const {
    std::vector<PortGroupsShape> out;
    if (any() && tpc_requests != 0)
        out.push_back({.of_inputs = true, .group_of = tpc_of_sm(), .flits = tpc_requests});
    if (any() && requests != 0)
        out.push_back({.of_inputs = true, .group_of = gpc_of_sm(), .flits = requests});
    return out;
}

std::vector<PortGroupsShape> GpcConfig::answer_groups() const {
    std::vector<PortGroupsShape> out;
    if (any() && answers != 0)
        out.push_back({.of_inputs = false, .group_of = gpc_of_sm(), .flits = answers});
    if (any() && tpc_answers != 0)
        out.push_back({.of_inputs = false, .group_of = tpc_of_sm(), .flits = tpc_answers});
    return out;
}

std::vector<std::string> GpcConfig::problems() const {
    std::vector<std::string> out;
    const std::vector<std::uint64_t> list = sizes();
    if (any() && list.empty())
        out.push_back(
            fmt::format("gpc.sms = '{}' is no list of SMs; write those of each GPC, for example '14 14 12'", sms));
    if (std::ranges::any_of(list, [&](std::uint64_t size) { return size % tpc_sms != 0; }))
        out.push_back(fmt::format("gpc.sms = '{}' has a GPC that is not whole TPCs of gpc.tpc_sms = {}", sms, tpc_sms));
    if (!any() &&
        (answers != 0 || requests != 0 || tpc_answers != 0 || tpc_requests != 0 || request_bytes != 0 || merges_reads))
        out.emplace_back("gpc.sms = '': the rates of [gpc] need the SMs of each GPC");
    return out;
}

std::span<const config::Parameter<GpcConfig>> GpcConfig::parameters() {
    using C = GpcConfig;
    static const config::Parameter<C> table[] = {
        {"sms", &C::sms, "", "",
         "SMs of each GPC, for example '14 14 12'. TPCs go to the GPCs in turn, in order of the numbers of their SMs, "
         "to each while it has room; a device with fewer SMs has the first of them; '': there are no GPCs",
         "Jin et al., MICRO 2024: the V100 has 14 14 14 14 12 12"},
        {"tpc_sms", &C::tpc_sms, "SMs", "1..64", "of a TPC, which have neighbouring numbers", "V100 and later: 2"},
        {"answers", &C::answers, "flits", "0|1..1024",
         "that the port of a GPC moves to its SMs in a network cycle; 0: no limit", "Jin et al., MICRO 2024"},
        {"requests", &C::requests, "flits", "0|1..1024",
         "that the port of a GPC moves from its SMs in a network cycle; 0: no limit", "Jin et al., MICRO 2024"},
        {"tpc_answers", &C::tpc_answers, "flits", "0|1..1024", "the same of a TPC's port",
         "Jin et al., MICRO 2024: two SMs of a TPC read at full rate"},
        {"tpc_requests", &C::tpc_requests, "flits", "0|1..1024", "the same of a TPC's port",
         "Jin et al., MICRO 2024: on a V100 two SMs of a TPC write 1.09 times what one does"},
        {"request_bytes", &C::request_bytes, "bytes", "0..1024",
         "what a link for requests carries in a network cycle, a flit of them; 0: interconnect.flit_bytes",
         "an H200 (validation/network.cu): an SM writes 32 bytes a cycle, and reads three times as many"},
        {"merges_reads", &C::merges_reads, "", "",
         "whether reads of a GPC's SMs that are for the same sectors go to the last level once, while the first of "
         "them is on its way",
         "Nsight Compute: the L2 request coalescer of Ampere and later"},
    };
    return table;
}

InterconnectConfig request_network(const config::Machine& machine) {
    auto out = machine.get<InterconnectConfig>();
    if (const auto gpcs = machine.get<GpcConfig>(); gpcs.request_bytes != 0)
        out.flit_bytes = gpcs.request_bytes;
    return out;
}

} // namespace heddle::mem

HEDDLE_CONFIG_SECTION(heddle::mem::GpcConfig, "GPCs and TPCs: ports that SMs share between them and the network")
