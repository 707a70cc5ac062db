#include "native/registers/more_warps.h"

#include <algorithm>

namespace heddle::native {

namespace {

unsigned warps_of_block(const ir::Kernel& kernel) {
    return kernel.max_threads == 0 ? kSubCores : (kernel.max_threads + kLanes - 1) / kLanes;
}

// Warps that the registers of an SM have room for.
unsigned warps_of(unsigned registers, const ir::Kernel& kernel, const Target& target) {
    const unsigned given = std::max(1U, (registers + kRegisterUnit - 1) / kRegisterUnit) * kRegisterUnit;
    const unsigned warps = target.registers / kLanes / kSubCores / given * kSubCores;
    return warps / warps_of_block(kernel) * warps_of_block(kernel);
}

// With which there is room for a block more, or a warp more on each sub-core. 0: an SM has no more warps.
unsigned registers_for_more(unsigned warps, const ir::Kernel& kernel, const Target& target) {
    const unsigned more = warps + warps_of_block(kernel);
    if (more > target.threads / kLanes)
        return 0;
    const unsigned of_sub_core = (more + kSubCores - 1) / kSubCores;
    return target.registers / kLanes / kSubCores / of_sub_core / kRegisterUnit * kRegisterUnit;
}

} // namespace

MoreWarps more_warps(unsigned registers, const ir::Kernel& kernel, const Target& target) {
    constexpr double kLeastGain = 0.25, kLeastShare = 0.75;
    const unsigned warps = warps_of(registers, kernel, target);
    const unsigned fewer = registers_for_more(warps, kernel, target);
    if (warps == 0 || fewer >= registers || fewer < kLeastShare * registers)
        return {};
    const double gain = static_cast<double>(warps_of(fewer, kernel, target)) / warps - 1;
    return gain < kLeastGain ? MoreWarps{} : MoreWarps{fewer, gain};
}

} // namespace heddle::native
