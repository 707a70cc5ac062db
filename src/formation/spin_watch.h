// Distinguishes a livelock from a long loop: in a livelock the state of the threads repeats. A stack whose threads have
// executed many instructions without progress is watched: its registers are kept at one instruction, and compared
// whenever the same unit comes to that instruction again. A loop that counts its iterations never has equal registers.
//
// The values that a loop reads are in its registers. Other warps may still change memory later: threads that wait for a
// store of another warp, while threads of their own warp wait for them, count as a livelock after stack.spin_limit
// instructions (assumed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/types.h"
#include "exec/executor.h"

namespace heddle::formation {

class SpinWatch {
public:
    // The executor with the threads' registers. Without it, in tests without registers, all states are equal.
    void read_registers_of(exec::Executor& executor) {
        executor_ = &executor;
    }
    // A unit of the stack whose first row is `stack` is at `pc`, after `spun` instructions of the stack without
    // progress. True when it was there before with equal registers in all of `rows`, without progress in between.
    [[nodiscard]] bool repeats(RowId stack, UnitId unit, Pc pc, std::span<const RowId> rows, std::uint64_t spun);

private:
    struct State {
        UnitId unit = 0;
        Pc pc = 0;
        std::uint64_t spun = 0;
        std::vector<std::byte> registers;
    };
    // Calls f(bytes) for the registers of each row until it returns false.
    template <class F>
    bool each_frame(std::span<const RowId> rows, F&& f) const;

    exec::Executor* executor_ = nullptr;
    std::map<RowId, State> states_; // of stacks that spin for long: few, and rarely accessed
};

} // namespace heddle::formation
