// Storage of a launch: frames, shared and local memory, the state of rows and blocks.
#include <algorithm>
#include <cassert>
#include <cstring>

#include "exec/executor_impl.h"

namespace heddle::exec {

namespace {

hwy::AlignedFreeUniquePtr<std::byte[]> zeroed(std::size_t bytes) {
    auto b = hwy::AllocateAligned<std::byte>(bytes);
    if (b == nullptr)
        throw UserError("not enough host memory for the registers, shared and local memory of a launch");
    std::memset(b.get(), 0, bytes);
    return b;
}

constexpr std::size_t round_up(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

// The constants of a kernel end where the next kernel's begin.
std::size_t pool_end(const ir::Program& program, const ir::Kernel& kernel) {
    std::size_t end = program.pool.size();
    for (const ir::Kernel& other : program.kernels)
        if (other.pool_begin > kernel.pool_begin)
            end = std::min(end, other.pool_begin);
    return end;
}

} // namespace

void Storage::hold(std::size_t bytes) {
    if (bytes <= size_)
        return;
    data_ = zeroed(bytes);
    size_ = bytes;
}

void Executor::Impl::begin(const Launch& what) {
    assert(std::has_single_bit(what.width) && what.width <= kMaxWidth);
    assert(what.program == program && tables->bound.size() == program->ops.size());
    launch = what;
    log.clear();
    const ir::Kernel& kernel = *launch.kernel;
    ops = program->ops.data();
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc)
        ranges[pc].space = ir::Space::Generic; // allocations may have changed since the last launch

    if (!follows)
        make_tables();
    pool = tables->pool_copy.get();

    halves = launch.width > kVectorLanes ? 2 : 1;
    stride = frame_stride(kernel.slots, kernel.predicates);
    frames.hold(std::size_t{launch.rows} * halves * stride);
    operands = {frames.get(), stride, pool};
    shared_bytes = launch.shared_bytes();
    shared_stride = round_up(shared_bytes, kFrameAlignment);
    shared.hold(2 * kRowSlack + launch.block_slots * shared_stride);
    local_stride = round_up(kernel.local_bytes, 16);
    local.hold(2 * kRowSlack + std::size_t{launch.rows} * launch.width * local_stride);

    rows.assign(launch.rows, RowState{});
    ctaid.assign(launch.block_slots, Dim3{});
    stacks.clear();
    if (std::any_of(ops + kernel.begin, ops + kernel.end,
                    [](const ir::MicroOp& op) { return op.kind == ir::Kind::Call; }))
        stacks.resize(std::size_t{launch.rows} * launch.width);
    segments.reserve(std::size_t{launch.rows} * halves);
}

// What does not change during the launch.
void Executor::Impl::make_tables() {
    const ir::Kernel& kernel = *launch.kernel;
    const std::size_t pool_bytes = pool_end(*program, kernel) - kernel.pool_begin;
    tables->pool_copy = zeroed(pool_bytes + kFrameSlack);
    if (pool_bytes != 0)
        std::memcpy(tables->pool_copy.get(), program->pool.data() + kernel.pool_begin, pool_bytes);
    tables->parameters = zeroed(2 * kRowSlack + round_up(launch.parameters.size(), kFrameAlignment));
    if (!launch.parameters.empty())
        std::memcpy(parameter_block(), launch.parameters.data(), launch.parameters.size());
    make_thread_tables();
}

void Executor::Impl::start_block(unsigned slot, Dim3 where, RowId first_row) {
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const std::uint32_t width = launch.width;
    const std::uint32_t count = (threads + width - 1) / width;
    assert(slot < launch.block_slots && first_row + count <= launch.rows);
    ctaid[slot] = where;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t first_thread = i * width;
        const bool swizzled = launch.swizzled && is_swizzled(first_row + i, width);
        rows[first_row + i] = {lanes_of_row(std::min(width, threads - first_thread), swizzled), first_thread,
                               static_cast<std::uint16_t>(slot), first_row, swizzled};
    }
    std::memset(frame(first_row, 0), 0, std::size_t{count} * halves * stride);
    if (shared_stride != 0)
        std::memset(shared.get() + kRowSlack + slot * shared_stride, 0, shared_stride);
    if (local_stride != 0)
        std::memset(local_of(first_row, 0), 0, std::size_t{count} * width * local_stride);
    if (!stacks.empty())
        for (std::size_t i = 0; i < std::size_t{count} * width; ++i) {
            CallStack& s = stacks[std::size_t{first_row} * width + i];
            s.frames.clear();
            s.saved.clear();
        }
}

} // namespace heddle::exec
