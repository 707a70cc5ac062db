#include "probe/thread_traces.h"

#include <algorithm>
#include <bit>

namespace heddle::probe {

namespace {

// Whether the run continues with this instruction; if so, adds the instruction to the run.
bool extend(StraightRun& run, std::uint32_t epoch, Pc pc) {
    if (run.epoch != epoch || pc != run.first + run.instructions)
        return false;
    ++run.instructions;
    return true;
}

} // namespace

void ThreadTraces::begin_launch(const std::string& kernel, Dim3 grid, Dim3 block) {
    std::fill(warp_of_row_.begin(), warp_of_row_.end(), kUntraced);
    epochs_.clear();
    launches_.push_back({kernel, grid, block, runs_ >= options_.runs, {}});
}

void ThreadTraces::start_block(std::uint64_t block, RowId first_row) {
    LaunchTrace& launch = launches_.back();
    const std::uint64_t threads = launch.block.count();
    for (std::uint64_t begin = 0, row = first_row; begin < threads; begin += width_, ++row) {
        warp_of_row_[row] = kUntraced;
        const std::uint64_t first = block * threads + begin;
        if (launch.cut || first >= options_.threads)
            continue;
        const std::uint64_t traced = std::min({std::uint64_t{width_}, threads - begin, options_.threads - first});
        warp_of_row_[row] = static_cast<std::uint32_t>(launch.warps.size());
        launch.warps.push_back({block, first, 0, std::vector<ThreadTrace>(traced), {}});
        epochs_.emplace_back(traced, 0);
    }
}

void ThreadTraces::record(RowId row, LaneMask lanes, Pc pc) {
    LaunchTrace& launch = launches_.back();
    const std::uint32_t number = warp_of_row_[row];
    WarpTrace& warp = launch.warps[number];
    lanes &= first_lanes(static_cast<unsigned>(warp.threads.size()));
    if (lanes == 0)
        return;
    if (runs_ >= options_.runs) {
        launch.cut = true;
        std::fill(warp_of_row_.begin(), warp_of_row_.end(), kUntraced);
        return;
    }
    ++warp.issued;
    while (lanes != 0) { // runs once, unless threads of a warp meet at different barriers
        const std::vector<std::uint32_t>& epochs = epochs_[number];
        const std::uint32_t epoch = epochs[static_cast<std::size_t>(std::countr_zero(lanes))];
        LaneMask together = 0;
        for (LaneMask left = lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(left));
            if (epochs[lane] == epoch) {
                together |= LaneMask{1} << lane;
                append(warp.threads[lane], epoch, pc);
            }
        }
        append(warp.order, epoch, together, pc);
        lanes &= ~together;
    }
}

void ThreadTraces::append(ThreadTrace& thread, std::uint32_t epoch, Pc pc) {
    if (!thread.empty() && extend(thread.back(), epoch, pc))
        return;
    thread.push_back({pc, 1, epoch});
    ++runs_;
}

void ThreadTraces::append(std::vector<IssuedRun>& order, std::uint32_t epoch, LaneMask lanes, Pc pc) {
    if (!order.empty() && order.back().threads == lanes && extend(order.back().run, epoch, pc))
        return;
    order.push_back({{pc, 1, epoch}, lanes});
    ++runs_;
}

void ThreadTraces::passed_barrier(RowId row, LaneMask lanes) {
    const std::uint32_t number = warp_of_row_[row];
    if (number == kUntraced)
        return;
    std::vector<std::uint32_t>& epochs = epochs_[number];
    for (std::size_t lane = 0; lane < epochs.size(); ++lane)
        epochs[lane] += static_cast<std::uint32_t>(lanes >> lane & 1);
}

} // namespace heddle::probe
