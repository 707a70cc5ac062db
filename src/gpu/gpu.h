// The device's SMs and the thread-block scheduler in front of them.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "config/parameter.h"
#include "exec/launch.h"
#include "exec/memory_image.h"
#include "gpu/stop.h"
#include "ir/program.h"
#include "sm/core.h"
#include "stats/tree.h"

namespace heddle::gpu {

struct Limits { // of one launch; 0: none
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
};

struct Outcome {
    Cycle cycles = 0; // 0 when the launch was not timed
    Stop stop = Stop::None;
};

class Gpu {
public:
    Gpu(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program, sm::TraceSink trace);

    // Why a launch cannot run on this machine: empty when it can.
    [[nodiscard]] std::string refusal(const exec::Launch& launch) const;
    // Opcodes of the kernel that cannot execute yet, a line each.
    [[nodiscard]] std::string unsupported(const ir::Kernel& kernel);
    // Runs a launch to its end. `timed` false: functionally. `progress` is called now and then with the cycles so far.
    // Throws exec::Fault; what was counted up to then stays.
    Outcome run(exec::Launch launch, bool timed, const Limits& limits, const std::atomic<bool>& interrupted,
                const std::function<void(Cycle)>& progress);

    // Counted so far, over all launches: timed and functional.
    [[nodiscard]] const sm::CoreStats& core_stats(bool timed) const;
    [[nodiscard]] const stats::Tree& tree(bool timed) const {
        return timed ? timed_tree_ : functional_tree_;
    }
    [[nodiscard]] Cycle now() const {
        return now_;
    }

private:
    config::Machine machine_;
    const ir::Program& program_;
    std::unique_ptr<sm::Core> timed_;
    std::unique_ptr<sm::Core> functional_;
    stats::Tree timed_tree_;
    stats::Tree functional_tree_;
    Cycle now_ = 0;          // of the timed core: launches follow each other
    Cycle instructions_ = 0; // the functional core's clock
};

} // namespace heddle::gpu
