// One array for shared memory and the data cache ([l1]), which each kernel divides anew.
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
    // What shared memory gets of it; the data cache has the rest.
    [[nodiscard]] std::uint64_t shared_bytes(const exec::Launch& launch) const {
        return carve_out(core_, sizes_, shared_, launch);
    }

private:
    CoreConfig core_;
    SharedRoom shared_;
    std::vector<std::uint64_t> sizes_;
};

} // namespace heddle::sm
