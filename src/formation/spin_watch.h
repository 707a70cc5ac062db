// Tells a livelock from a long loop: in a livelock the state of the threads repeats. A stack whose threads have
// executed many instructions without headway is watched: its registers are kept at one instruction, and compared
// whenever the same unit comes to that instruction again. A loop that counts its rounds never finds them equal.
//
// The values that a loop reads are in its registers. Memory that others write may still change later: threads that
// wait for a store of another warp, with threads of their own warp behind them, count as a livelock when they have
// waited for stack.spin_limit instructions (assumed).
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
    // Registers of the threads are the executor's. Without it, in tests without registers, every state is the same.
    void read_registers_of(exec::Executor& executor) {
        executor_ = &executor;
    }
    // A unit of the stack whose first row is `stack` is at `pc`, after `spun` instructions of the stack without
    // headway. True when it was there before with the same registers in all of `rows`, without headway in between.
    [[nodiscard]] bool repeats(RowId stack, UnitId unit, Pc pc, std::span<const RowId> rows, std::uint64_t spun);

private:
    struct State {
        UnitId unit = 0;
        Pc pc = 0;
        std::uint64_t spun = 0;
        std::vector<std::byte> registers;
    };
    // Calls f(bytes) for the registers of each row until it says false.
    template <class F>
    bool each_frame(std::span<const RowId> rows, F&& f) const;

    exec::Executor* executor_ = nullptr;
    std::map<RowId, State> states_; // of stacks that have spun for long: few, and rarely looked at
};

} // namespace heddle::formation
