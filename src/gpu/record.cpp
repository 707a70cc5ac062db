// Recording: the timelines and profiles of a device's SMs.
#include <algorithm>

#include "gpu/gpu.h"

namespace heddle::gpu {

std::vector<const probe::Timeline*> Gpu::record(const probe::TimelineOptions& options) {
    std::vector<const probe::Timeline*> out;
    for (const auto& core : timed_) {
        timelines_.push_back(std::make_unique<probe::Timeline>(options, timed_.size(), core->shape()));
        core->record(*timelines_.back());
        out.push_back(timelines_.back().get());
    }
    return out;
}

std::optional<probe::MissIntervals> Gpu::miss_intervals() const {
    std::optional<probe::MissIntervals> sum;
    for (const auto& core : timed_)
        if (const probe::MissIntervals* one = core->miss_intervals(); one == nullptr)
            return {};
        else if (sum)
            sum->add(*one);
        else
            sum = *one;
    if (sum)
        sum->extend(now_);
    return sum;
}

void Gpu::count_by_instruction() {
    for (const Cores* cores : {&timed_, &functional_})
        for (const auto& core : *cores) {
            profiles_.push_back(std::make_unique<probe::SmProfile>(cores == &timed_));
            core->count_in(*profiles_.back(), machine_);
        }
}

probe::SmProfile Gpu::profile() const {
    probe::SmProfile sum(true);
    for (const auto& one : profiles_)
        sum.add(*one);
    return sum;
}

void Gpu::begin_record(std::uint32_t launch, std::size_t kernel) {
    for (const auto& profile : profiles_)
        profile->begin_launch(kernel);
    for (const auto& timeline : timelines_)
        timeline->residency.begin_launch(launch);
}

void Gpu::end_record() {
    Cycle end = now_; // after a fault, SMs may be ahead of it
    for (const auto& core : timed_)
        end = std::max(end, core->now());
    for (std::size_t sm = 0; sm < timelines_.size(); ++sm)
        timelines_[sm]->end_launch(end, timed_[sm]->block_order());
    for (const auto& profile : profiles_)
        profile->end_launch();
}

} // namespace heddle::gpu
