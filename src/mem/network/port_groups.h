// Groups of ports of a crossbar that share a port of their own: SMs of a TPC, or of a GPC. A packet that the switch has
// granted passes the port of its group, packets of a group one after another in the order of grants, on its way to its
// output. Times are network cycles.
//
// A group's port moves a number of flits a cycle that need not be whole, and at least one: then the flits of a packet
// come as fast as the link of an output takes them. A packet that finds the port free loses no time.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle::mem {

struct PortGroupsShape {
    bool of_inputs = false;              // of outputs else
    std::vector<std::uint16_t> group_of; // by port
    double flits = 1;                    // a cycle and group, at least 1
};

class PortGroups {
public:
    explicit PortGroups(PortGroupsShape shape)
        : of_inputs_(shape.of_inputs), group_of_(std::move(shape.group_of)),
          flit_parts_(static_cast<std::uint64_t>(std::lround(kParts / shape.flits))),
          free_(group_of_.empty() ? 0 : std::size_t{1} + *std::max_element(group_of_.begin(), group_of_.end())) {
        assert(shape.flits >= 1);
    }

    // A packet that could be at the port of its group in cycle `at` goes through it. Returns the cycle of its first
    // flit there.
    Cycle pass(unsigned input, unsigned output, unsigned flits, Cycle at) {
        std::uint64_t& free = free_[group_of_[of_inputs_ ? input : output]];
        const std::uint64_t begin = std::max(at * kParts, free);
        free = begin + flits * flit_parts_;
        return begin / kParts;
    }

private:
    static constexpr std::uint64_t kParts = 1U << 16; // of a cycle

    bool of_inputs_;
    std::vector<std::uint16_t> group_of_;
    std::uint64_t flit_parts_;        // of one flit
    std::vector<std::uint64_t> free_; // by group: parts of cycles until its port is free
};

} // namespace heddle::mem
