#include "oracle/basic_blocks.h"

#include <algorithm>

namespace heddle::oracle {

using probe::StraightRun;

template <class F>
void BasicBlocks::for_each_block(const StraightRun& run, F&& f) const {
    for (std::size_t i = at(run.first); starts_[i] < run.first + run.instructions; ++i)
        f(static_cast<Block>(i));
}

BasicBlocks::BasicBlocks(const probe::LaunchTrace& launch) {
    const auto for_each_run = [&](auto&& f) {
        for (const probe::WarpTrace& warp : launch.warps) {
            for (const probe::ThreadTrace& thread : warp.threads)
                for (const StraightRun& run : thread)
                    f(run);
            for (const probe::IssuedRun& issued : warp.order)
                f(issued.run);
        }
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
    for_each_run([&](const StraightRun& run) { for_each_block(run, [&](Block block) { executed_[block] = true; }); });
}

std::size_t BasicBlocks::at(Pc pc) const {
    return static_cast<std::size_t>(std::lower_bound(starts_.begin(), starts_.end(), pc) - starts_.begin());
}

std::uint64_t BasicBlocks::executed() const {
    return static_cast<std::uint64_t>(std::count(executed_.begin(), executed_.end(), true));
}

namespace {

template <class T>
T& of_epoch(std::vector<T>& all, std::uint32_t epoch) {
    if (all.size() <= epoch)
        all.resize(std::size_t{epoch} + 1);
    return all[epoch];
}

} // namespace

std::vector<Sequence> BasicBlocks::sequences(const probe::ThreadTrace& thread) const {
    std::vector<Sequence> out;
    for (const StraightRun& run : thread)
        for_each_block(run, [&](Block block) { of_epoch(out, run.epoch).push_back(block); });
    return out;
}

std::vector<Order> BasicBlocks::orders(const probe::WarpTrace& warp) const {
    std::vector<Order> out;
    for (const probe::IssuedRun& issued : warp.order)
        for_each_block(issued.run, [&](Block block) {
            of_epoch(out, issued.run.epoch).push_back({block, issued.threads});
        });
    return out;
}

} // namespace heddle::oracle
