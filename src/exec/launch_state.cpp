#include "exec/launch_state.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/round_up.h"
#include "exec/frame.h"

namespace heddle::exec {

void LaunchState::begin(const Launch& launch, const MemoryImage& image) {
    assert(std::has_single_bit(launch.width) && launch.width <= kMaxWidth);
    launch_ = launch;
    code_.begin(launch_, image);

    const ir::Kernel& kernel = *launch_.kernel;
    halves_ = launch_.width > kVectorLanes ? 2 : 1;
    const std::size_t stride = frame_stride(kernel.slots, kernel.predicates);
    registers_.hold(std::size_t{launch_.rows} * halves_ * stride);
    frames_ = {registers_.get(), stride, pool()};
    shared_bytes_ = launch_.reachable_shared_bytes();
    shared_stride_ = round_up(shared_bytes_, kFrameAlignment);
    shared_.hold(2 * kRowSlack + launch_.block_slots * shared_stride_);
    local_stride_ = round_up(kernel.local_bytes, 16);
    local_.hold(2 * kRowSlack + std::size_t{launch_.rows} * launch_.width * local_stride_);

    rows_.assign(launch_.rows, RowState{});
    ctaid_.assign(launch_.block_slots, Dim3{});
    cluster_.assign(launch_.clusters == nullptr ? 0 : launch_.block_slots, nullptr);
    const auto& ops = code_.program().ops;
    const bool has_calls = std::any_of(ops.begin() + kernel.begin, ops.begin() + kernel.end,
                                       [](const ir::MicroOp& op) { return op.kind == ir::Kind::Call; });
    calls_.begin(has_calls ? launch_.rows : 0, launch_.width);
}

void LaunchState::start_block(unsigned slot, Dim3 ctaid, RowId first_row, unsigned sm) {
    const auto threads = static_cast<std::uint32_t>(launch_.block.count());
    const std::uint32_t width = launch_.width;
    const std::uint32_t count = (threads + width - 1) / width;
    assert(slot < launch_.block_slots && first_row + count <= launch_.rows);
    ctaid_[slot] = ctaid;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t first_thread = i * width;
        const bool swizzled = launch_.swizzled && is_swizzled(first_row + i, width);
        rows_[first_row + i] = {lanes_of_row(std::min(width, threads - first_thread), swizzled), first_thread,
                                static_cast<std::uint16_t>(slot), first_row, swizzled};
    }
    std::memset(frame(first_row, 0), 0, std::size_t{count} * halves_ * frames_.stride);
    if (shared_stride_ != 0)
        std::memset(shared_.get() + kRowSlack + slot * shared_stride_, 0, shared_stride_);
    if (local_stride_ != 0)
        std::memset(local_of(first_row, 0), 0, std::size_t{count} * width * local_stride_);
    calls_.clear(first_row, count);
    if (launch_.clusters != nullptr)
        cluster_[slot] = &launch_.clusters->start(launch_.cluster_of(ctaid), launch_.rank_in_cluster(ctaid),
                                                  {shared_of(first_row), sm, slot}, threads);
}

} // namespace heddle::exec
