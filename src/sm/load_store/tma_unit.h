// The unit of bulk copies from global to shared memory (TMA). A copy leaves the load/store unit at once. Its lines are
// requested past the L1, in the order of the copies, while others are on their way. The scoreboarded core has one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/ring_queue.h"
#include "config/parameter.h"
#include "mem/cache/access.h"
#include "sm/frame/memory_port.h"
#include "stats/statistic.h"
#include "warp/flight.h"

namespace heddle::sm {

// Machines without the section have no such unit: their bulk copies are accesses of the load/store unit.
struct TmaConfig {
    static constexpr std::string_view kSection = "tma";
    static constexpr bool kOptional = true;
    std::uint64_t bytes = 0;
    std::uint64_t requests = 384;
    std::uint64_t issue = 1;
    std::uint64_t latency = 0;
    static std::span<const config::Parameter<TmaConfig>> parameters();
};

struct TmaStats {
    std::uint64_t copies = 0;
    std::uint64_t lines = 0;
    std::uint64_t full = 0;
    static std::span<const stats::Statistic<TmaStats>> statistics();
};

class TmaUnit {
public:
    // `line`: bytes of a line of the first level. `sectors`: those of a line; 0: it has none.
    TmaUnit(const TmaConfig& config, std::uint64_t line, mem::SectorMask sectors, MemoryPort& memory)
        : config_(config), line_(line), sectors_(sectors), memory_(memory) {}

    void begin_kernel() { // after a launch that was stopped, copies may be left
        while (!copies_.empty())
            copies_.pop();
    }
    // Whether the instruction is a copy for the unit.
    [[nodiscard]] static bool takes(const ir::MicroOp& op) {
        return op.opcode == ir::Opcode::CpBulk && op.kind == ir::Kind::Texture;
    }
    // The flight's copy begins behind the others. `lines`: numbers of lines, which are there until all have come.
    void push(warp::FlightId flight, Pc pc, std::span<const Address> lines) {
        ++stats_.copies;
        copies_.push({flight, pc, lines});
    }
    // The cycle of the next step(), from `now` on; kNever: no line is left, or answers have to come first.
    [[nodiscard]] Cycle next(Cycle now) const {
        if (copies_.empty() || refused_ || on_way_ >= config_.requests)
            return kNever;
        return std::max(now, (free_ + config_.bytes - 1) / config_.bytes);
    }
    // Requests a line. Memory may take none: then the unit waits until retry().
    void step(Cycle now);
    void retry() {
        refused_ = false;
    }
    // A line has come.
    void answered() {
        --on_way_;
    }
    // From the arrival of a copy's last line until its barrier object has it.
    [[nodiscard]] Cycle latency() const {
        return config_.latency;
    }
    [[nodiscard]] TmaStats& stats() {
        return stats_;
    }

private:
    struct Copy {
        warp::FlightId flight = warp::kNoFlight;
        Pc pc = kNoPc;
        std::span<const Address> lines; // that have not been requested
    };

    const TmaConfig config_;
    const std::uint64_t line_;
    const mem::SectorMask sectors_;
    MemoryPort& memory_;
    RingQueue<Copy> copies_;
    std::uint64_t free_ = 0; // the end of the last line's transfer, in cycles * config_.bytes
    std::uint64_t on_way_ = 0;
    bool refused_ = false; // memory takes no request
    TmaStats stats_;
};

} // namespace heddle::sm
