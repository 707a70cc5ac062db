#include "oracle/basic_blocks.h"

#include <algorithm>

namespace heddle::oracle {

using probe::StraightRun;

BasicBlocks::BasicBlocks(const probe::LaunchTrace& launch) {
    const auto for_each_run = [&](auto&& f) {
        for (const probe::WarpTrace& warp : launch.warps)
            for (const probe::ThreadTrace& thread : warp.threads)
                for (const StraightRun& run : thread)
                    f(run);
    };
    const auto tidy = [this] {
        std::sort(starts_.begin(), starts_.end());
        starts_.erase(std::unique(starts_.begin(), starts_.end()), starts_.end());
    };
    for_each_run([&](const StraightRun& run) {
        starts_.push_back(run.first);
        starts_.push_back(run.first + run.instructions);
        constexpr std::size_t kMany = 1 << 16; // loops repeat the same few
        if (starts_.size() >= kMany)
            tidy();
    });
    tidy();
    for (std::size_t i = 1; i < starts_.size(); ++i)
        weights_.push_back(starts_[i] - starts_[i - 1]);
    executed_.resize(weights_.size());
    for_each_run([&](const StraightRun& run) {
        for (std::size_t i = at(run.first); starts_[i] < run.first + run.instructions; ++i)
            executed_[i] = true;
    });
}

std::size_t BasicBlocks::at(Pc pc) const {
    return static_cast<std::size_t>(std::lower_bound(starts_.begin(), starts_.end(), pc) - starts_.begin());
}

std::uint64_t BasicBlocks::executed() const {
    return static_cast<std::uint64_t>(std::count(executed_.begin(), executed_.end(), true));
}

std::vector<Sequence> BasicBlocks::sequences(const probe::ThreadTrace& thread) const {
    std::vector<Sequence> out;
    for (const StraightRun& run : thread) {
        if (out.size() <= run.epoch)
            out.resize(std::size_t{run.epoch} + 1);
        for (std::size_t i = at(run.first); starts_[i] < run.first + run.instructions; ++i)
            out[run.epoch].push_back(static_cast<Block>(i));
    }
    return out;
}

} // namespace heddle::oracle
