// One array for shared memory and the data cache ([l1]), which each kernel divides anew: in the same way on all SMs of
// a device.
#pragma once

#include <vector>

#include "sm/frame/core_config.h"
#include "sm/frame/occupancy.h"

namespace heddle::sm {

class SharedArray {
public:
    explicit SharedArray(const config::Machine& machine)
        : core_(machine.get<CoreConfig>()), shared_(machine), sizes_(machine.get<L1Config>().shared_sizes()) {}

    // Whether a machine has one.
    [[nodiscard]] static bool is_in(const config::Machine& machine) {
        return !machine.get<L1Config>().carve_outs.empty();
    }
    // A launch begins.
    void divide(const exec::Launch& launch) {
        shared_bytes_ = carve_out(core_, sizes_, shared_, launch);
    }
    // What shared memory gets of it; the data cache has the rest.
    [[nodiscard]] std::uint64_t shared_bytes() const {
        return shared_bytes_;
    }

private:
    CoreConfig core_;
    SharedRoom shared_;
    std::vector<std::uint64_t> sizes_;
    std::uint64_t shared_bytes_ = 0;
};

} // namespace heddle::sm
