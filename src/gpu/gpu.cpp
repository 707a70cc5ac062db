#include "gpu/gpu.h"

#include <algorithm>

#include <fmt/format.h>

#include "sm/barrel.h"
#include "sm/core_config.h"
#include "sm/functional.h"

namespace heddle::gpu {
namespace {

constexpr Cycle kWindow = 1 << 16; // cycles between looks at limits, interrupts and progress

// Hands out the blocks of a grid in order of their linear index, x fastest.
class BlockQueue {
public:
    explicit BlockQueue(Dim3 grid) : grid_(grid) {}

    [[nodiscard]] bool empty() const {
        return next_ == grid_.count();
    }
    void fill(sm::Core& core, Cycle now) {
        while (!empty() && core.can_accept()) {
            const auto x = static_cast<std::uint32_t>(next_ % grid_.x);
            const auto y = static_cast<std::uint32_t>(next_ / grid_.x % grid_.y);
            const auto z = static_cast<std::uint32_t>(next_ / grid_.x / grid_.y);
            core.start_block({x, y, z}, next_++, now);
        }
        core.set_blocks_left(!empty());
    }

private:
    Dim3 grid_;
    std::uint64_t next_ = 0;
};

} // namespace

Gpu::Gpu(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program, sm::TraceSink trace)
    : machine_(machine), program_(program),
      timed_(std::make_unique<sm::Barrel>(machine, image, program, std::move(trace))),
      functional_(std::make_unique<sm::Functional>(machine, image, program)) {
    timed_->add_statistics(timed_tree_);
    functional_->add_statistics(functional_tree_);
}

std::string Gpu::refusal(const exec::Launch& launch) const {
    const auto core = machine_.get<sm::CoreConfig>();
    const auto shared = machine_.get<sm::SharedConfig>();
    const std::uint64_t threads = launch.block.count();
    const ir::Kernel& kernel = *launch.kernel;
    if (threads == 0 || launch.grid.count() == 0)
        return "a grid and a block must hold at least one thread";
    if (threads > core.threads)
        return fmt::format("a block of {} threads does not fit: machine '{}' holds {} threads an SM (core.threads)",
                           threads, machine_.name(), core.threads);
    if (launch.shared_bytes() > shared.size)
        return fmt::format(
            "a block with {} bytes of shared memory does not fit: machine '{}' has {} an SM (shared.size)",
            launch.shared_bytes(), machine_.name(), shared.size);
    if (kernel.max_threads != 0 && threads > kernel.max_threads)
        return fmt::format("a block of {} threads is more than the kernel's .maxntid of {}", threads,
                           kernel.max_threads);
    const Dim3 required = kernel.required_block;
    if (required.count() != 0 && !(required == launch.block))
        return fmt::format("the kernel's .reqntid asks for blocks of {}x{}x{} threads", required.x, required.y,
                           required.z);
    return {};
}

std::string Gpu::unsupported(const ir::Kernel& kernel) {
    timed_->executor().bind(program_);
    return timed_->executor().unsupported(kernel);
}

Outcome Gpu::run(exec::Launch launch, bool timed, const Limits& limits, const std::atomic<bool>& interrupted,
                 const std::function<void(Cycle)>& progress) {
    sm::Core& core = timed ? *timed_ : *functional_;
    Cycle& clock = timed ? now_ : instructions_;
    const auto config = machine_.get<sm::CoreConfig>();
    launch.width = static_cast<unsigned>(config.width);
    launch.rows = static_cast<unsigned>(config.threads / config.width);
    launch.block_slots = static_cast<unsigned>(config.blocks);
    core.begin(launch);

    BlockQueue blocks(launch.grid);
    const Cycle start = clock;
    const std::uint64_t instructions_before = core.stats().warp_instructions;
    Outcome outcome;
    Cycle look = start; // when limits are looked at next
    blocks.fill(core, clock);
    while (core.resident_blocks() != 0) {
        if (clock >= look) {
            const std::uint64_t instructions = core.stats().warp_instructions - instructions_before;
            if (interrupted)
                outcome.stop = Stop::Interrupted;
            else if (timed && limits.cycles != 0 && clock - start >= limits.cycles)
                outcome.stop = Stop::MaxCycles;
            else if (limits.warp_instructions != 0 && instructions >= limits.warp_instructions)
                outcome.stop = Stop::MaxInstructions;
            if (outcome.stop != Stop::None)
                break;
            if (progress)
                progress(clock - start);
            // At most one instruction a cycle: a window that is no longer than what is left cannot overshoot.
            look = clock + kWindow;
            if (timed && limits.cycles != 0)
                look = std::min(look, start + limits.cycles);
            if (limits.warp_instructions != 0)
                look = std::min(look, clock + limits.warp_instructions - instructions);
        }
        clock = core.run(clock, look);
        blocks.fill(core, clock);
    }
    outcome.cycles = timed ? clock - start : 0;
    return outcome;
}

const sm::CoreStats& Gpu::core_stats(bool timed) const {
    return timed ? timed_->stats() : functional_->stats();
}

} // namespace heddle::gpu
