// The instructions that single threads execute, and the instructions that their warps issue for them: for studies of
// better reconvergence points (docs/oracle.md).
//
// The traces are bounded: at the limit of runs the traces of threads and warps stop together, so both describe the same
// part of the execution. (The instruction that reaches the limit is kept for all its threads.)
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace heddle::probe {

struct ThreadTraceOptions {
    std::uint64_t threads = 128;    // the first of each launch; DWF07 3.3: 128
    std::uint64_t runs = 1'000'000; // over all launches, of threads and of warps
};

// Instructions that a thread executed one behind the other, the PC rising by one.
struct StraightRun {
    Pc first = 0;
    std::uint32_t instructions = 0;
    std::uint32_t epoch = 0; // barriers that the thread has passed
    bool operator==(const StraightRun&) const = default;
};

using ThreadTrace = std::vector<StraightRun>;

// A straight run that a warp issued for some of its threads.
struct IssuedRun {
    StraightRun run;
    LaneMask threads = 0;
    bool operator==(const IssuedRun&) const = default;
};

struct WarpTrace {
    std::uint64_t block = 0;          // linear index in the grid
    std::uint64_t first_thread = 0;   // number in the launch: threads of lower blocks come first
    std::uint64_t issued = 0;         // instructions that the warp issued for any of the threads
    std::vector<ThreadTrace> threads; // by lane; only traced threads of the warp
    std::vector<IssuedRun> order;     // the warp's order of issue; an instruction once for each epoch of its threads
};

struct LaunchTrace {
    std::string kernel;
    Dim3 grid, block;
    bool cut = false; // the limit of runs cut the trace
    std::vector<WarpTrace> warps;
};

class ThreadTraces {
public:
    ThreadTraces(const ThreadTraceOptions& options, unsigned rows, unsigned width)
        : options_(options), width_(width), warp_of_row_(rows, kUntraced) {}

    void begin_launch(const std::string& kernel, Dim3 grid, Dim3 block);
    // A block has come to the rows from `first_row` on.
    void start_block(std::uint64_t block, RowId first_row);
    // Threads of a row have executed an instruction in one issue slot.
    void issued(RowId row, LaneMask lanes, Pc pc) {
        if (warp_of_row_[row] != kUntraced)
            record(row, lanes, pc);
    }
    // The next instructions of these threads are behind a barrier.
    void passed_barrier(RowId row, LaneMask lanes);

    [[nodiscard]] std::span<const LaunchTrace> launches() const {
        return launches_;
    }

private:
    static constexpr std::uint32_t kUntraced = std::numeric_limits<std::uint32_t>::max();

    void record(RowId row, LaneMask lanes, Pc pc);
    void append(ThreadTrace& thread, std::uint32_t epoch, Pc pc);
    void append(std::vector<IssuedRun>& order, std::uint32_t epoch, LaneMask lanes, Pc pc);

    ThreadTraceOptions options_;
    unsigned width_;
    std::uint64_t runs_ = 0; // kept so far
    std::vector<LaunchTrace> launches_;
    std::vector<std::uint32_t> warp_of_row_;         // in the last of launches_
    std::vector<std::vector<std::uint32_t>> epochs_; // by warp and lane
};

} // namespace heddle::probe
