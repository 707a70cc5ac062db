// The straight-line runs of a launch, divided into blocks that are always executed as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/merge.h"
#include "probe/thread_traces.h"

namespace heddle::oracle {

// Basic blocks of a launch: a block begins where a run of a thread or warp begins, or after the end of a run.
class BasicBlocks {
public:
    explicit BasicBlocks(const probe::LaunchTrace& launch);

    // Instructions of each block.
    [[nodiscard]] std::span<const std::uint32_t> weights() const {
        return weights_;
    }
    // The number of blocks that a thread has executed; other blocks lie between them.
    [[nodiscard]] std::uint64_t executed() const;

    // The blocks that a thread executed, or that its warp issued, by epoch. Basic blocks of different epochs are never
    // executed together: threads of a CTA pass a barrier together.
    [[nodiscard]] std::vector<Sequence> sequences(const probe::ThreadTrace& thread) const;
    [[nodiscard]] std::vector<Order> orders(const probe::WarpTrace& warp) const;

private:
    [[nodiscard]] std::size_t at(Pc pc) const; // place in starts_
    template <class F>
    void for_each_block(const probe::StraightRun& run, F&& f) const;

    std::vector<Pc> starts_; // rising; the last is the end of the last block
    std::vector<std::uint32_t> weights_;
    std::vector<bool> executed_;
};

} // namespace heddle::oracle
