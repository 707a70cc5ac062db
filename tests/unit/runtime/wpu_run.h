// Kernels on a small WPU whose every cycle can be worked out by hand: maws-bulk with one SM of few lanes and memory
// right behind its caches, 100 cycles away, whose bus takes a line a cycle.
//
// What the numbers of the tests are made of:
//   kStart     the first instruction is missing in the instruction cache: 100 cycles. All instructions are on one line,
//              so that none is missing afterwards.
//   access     looked up in the cycle in which it executes. Where all threads hit, the warp goes on 3 cycles later;
//              else kMiss = 101 later: the line comes after 100, the warp goes on a cycle after that.
//   ld.param   comes from a store that never misses, and is no access.
//   stalls     of the 100 cycles that nothing executes for a miss 99 count as `memory`; the one in which the line comes
//              counts as `pipeline`, unless another warp waits.
#pragma once

#include <cstdio>
#include <ostream>

#include "kernel_run.h"

namespace heddle::runtime {

inline constexpr Cycle kStart = 100;
inline constexpr Cycle kHit = 3;
inline constexpr Cycle kMiss = 100 + 1;

struct Issued {
    Cycle at;
    Pc pc;
    unsigned row; // the warp
    LaneMask lanes;
    bool operator==(const Issued&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Issued& i) {
        return out << "{" << i.at << ", " << i.pc << ", " << i.row << ", " << std::hex << i.lanes << std::dec << "}";
    }
};

struct WpuRun : KernelRun {
    std::vector<Issued> issued;

    // The cycles in which instruction `pc` of a warp executed.
    [[nodiscard]] std::vector<Cycle> cycles_of(Pc pc, unsigned row = 0) const {
        std::vector<Cycle> out;
        for (const Issued& i : issued)
            if (i.pc == pc && i.row == row)
                out.push_back(i.at);
        return out;
    }
    [[nodiscard]] std::uint64_t stalled(const char* cause) const {
        return result.at("stalls").at(cause).get<std::uint64_t>();
    }
};

// `threads` threads a block, in warps of `width`, one after the other.
inline WpuRun run_wpu(const std::string& body, std::uint32_t threads, unsigned width,
                      const std::vector<std::string>& settings = {}, std::uint32_t blocks = 1) {
    const std::string lanes = std::to_string(width);
    RunSetup setup{.machine = "maws-bulk",
                   .settings = {"gpu.sms=1", "core.width=" + lanes, "core.threads=" + std::to_string(8 * width),
                                "dcache.banks=" + lanes, "shared.banks=" + lanes, "icache.line=1024",
                                "interconnect.kind=none", "dram.row_hit=100", "dram.row_conflict=100",
                                "dram.bytes_per_cycle=1024"},
                   .buffer = 1 << 16};
    setup.settings.insert(setup.settings.end(), settings.begin(), settings.end());
    WpuRun run;
    setup.options.trace = [&](std::string_view line) {
        unsigned long long at = 0, lanes_in = 0;
        unsigned unit = 0, pc = 0, row = 0;
        if (std::sscanf(std::string(line).c_str(), "%llu issued u%u@%u[r%u %llx]", &at, &unit, &pc, &row, &lanes_in) ==
            5)
            run.issued.push_back({at, pc, row, lanes_in});
    };
    static_cast<KernelRun&>(run) = run_kernel_on(setup, body, threads, blocks);
    return run;
}

} // namespace heddle::runtime
