#include "report/result.h"

#include <algorithm>

namespace heddle::report {

double Counts::ipc() const {
    return cycles == 0 ? 0 : static_cast<double>(thread_instructions) / static_cast<double>(cycles);
}

Counts& Counts::operator+=(const Counts& other) {
    cycles += other.cycles;
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    if (active_lanes.size() < other.active_lanes.size())
        active_lanes.resize(other.active_lanes.size());
    for (std::size_t i = 0; i < other.active_lanes.size(); ++i)
        active_lanes[i] += other.active_lanes[i];
    for (const auto& added : other.stalls) {
        const auto at =
            std::find_if(stalls.begin(), stalls.end(), [&](const auto& own) { return own.first == added.first; });
        if (at == stalls.end())
            stalls.push_back(added);
        else
            at->second += added.second;
    }
    stats += other.stats;
    return *this;
}

Counts RunResult::totals() const {
    const bool any_timed = std::any_of(kernels.begin(), kernels.end(), [](const KernelResult& k) { return k.timed; });
    Counts out;
    for (const KernelResult& kernel : kernels)
        if (kernel.timed || !any_timed)
            out += kernel.counts;
    return out;
}

std::uint64_t RunResult::executed_warp_instructions() const {
    std::uint64_t out = 0;
    for (const KernelResult& kernel : kernels)
        out += kernel.counts.warp_instructions;
    return out;
}

} // namespace heddle::report
