// The steps of instructions of native code that are several micro-ops (ir::Steps): those before an instruction compute
// its sources, those behind it take its results.
#pragma once

#include <span>
#include <vector>

#include "exec/launch_state.h"

namespace heddle::exec {

class StepExecution {
public:
    explicit StepExecution(const LaunchState& state) : state_(state) {}

    // After LaunchState::begin().
    void begin() {
        deferred_.clear();
    }
    // Whether a micro-op has steps.
    [[nodiscard]] bool has(Pc pc) const {
        return state_.code().bound(pc).has_steps;
    }
    void before(Pc pc, std::span<const warp::Part> threads) const {
        run(state_.code().steps(pc).before, threads);
    }
    void behind(Pc pc, std::span<const warp::Part> threads) const {
        run(state_.code().steps(pc).behind, threads);
    }
    // The results come at the end of the window: so do the steps behind them, in finish().
    void defer(const warp::Group& group);
    [[nodiscard]] bool are_deferred() const {
        return !deferred_.empty();
    }
    void finish();

private:
    [[gnu::noinline]] void run(std::span<const BoundStep> steps, std::span<const warp::Part> threads) const;
    void run_under_guard(const BoundStep& step, std::span<const warp::Part> threads) const;

    const LaunchState& state_;
    std::vector<warp::Waiting> deferred_;
};

} // namespace heddle::exec
