// Operand collector, execution units and result buses of the scoreboarded core: when each step of an instruction
// happens is arithmetic at its issue. Nothing here ticks.
//
//   issue        the instruction takes a collector unit of its pipe
//   + collect    its operands are read: a register a cycle, a bank serves one access a cycle, in the order of issue
//   + dispatch   behind the last read it begins to execute: in the order of issue within a pipe, when a unit takes it
//                and a result bus is free at its end; the collector unit is free again
//   + latency + write_back   its registers are written
//
// Assumed: a younger instruction of the same pipe never overtakes an older one in the collector, and a write takes its
// bank's cycle from the reads that are granted after it only.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "sm/decoded.h"

namespace heddle::sm {

// Cycles of a resource that serves so many things a cycle, booked ahead.
class Calendar {
public:
    explicit Calendar(std::uint64_t a_cycle) : a_cycle_(a_cycle) {
        days_.fill({kNever, 0});
    }
    // Takes one place in a cycle, if one is left. Bookings reach less than kSpan cycles ahead.
    bool take(Cycle at) {
        Day& day = days_[at % kSpan];
        if (day.at != at)
            day = {at, 0};
        if (day.taken == a_cycle_)
            return false;
        ++day.taken;
        return true;
    }
    // The first cycle from `at` on with a place left; takes it.
    Cycle book(Cycle at) {
        while (!take(at))
            ++at;
        return at;
    }

private:
    static constexpr std::size_t kSpan = 4096;
    struct Day {
        Cycle at;
        std::uint64_t taken;
    };

    std::uint64_t a_cycle_;
    std::array<Day, kSpan> days_;
};

class ExecutionUnits {
public:
    ExecutionUnits(const ScoreboardConfig& config, const UnitsConfig& units)
        : config_(config), bank_(config.register_banks), buses_(config.result_buses) {
        pipes_[index(Pipe::Sp)].size(units.sp, config.collectors_sp);
        pipes_[index(Pipe::Sfu)].size(units.sfu, config.collectors_sfu);
        pipes_[index(Pipe::Dp)].size(units.dp, config.collectors_dp);
        pipes_[index(Pipe::LdSt)].size(1, config.collectors_ldst);
    }

    // The first cycle in which the pipe may take another instruction; for LdSt, whose waiting is the load/store
    // unit's, see enter_ldst().
    [[nodiscard]] Cycle open_at(Pipe pipe) const {
        return pipes_[index(pipe)].open_at;
    }

    // An instruction of SP, SFU or DP issues in cycle `now`: the cycle in which its registers are written.
    Cycle issue(const Decoded& op, Cycle now) {
        PipeState& pipe = pipes_[index(op.pipe)];
        Cycle& unit = *std::min_element(pipe.unit_free.begin(), pipe.unit_free.end());
        Cycle start = std::max({last_read(op, now) + config_.dispatch, unit, pipe.last_start});
        start = buses_.book(start + op.latency) - op.latency;
        pipe.last_start = start;
        unit = start + op.interval;
        pipe.enter(now, start);
        return start + op.latency + config_.write_back;
    }
    // A memory instruction issues: the first cycle in which the load/store unit may have it.
    Cycle collect(const Decoded& op, Cycle now) {
        return last_read(op, now) + config_.dispatch;
    }
    // A write in cycle `now`: the register's bank serves no read that is granted after it.
    void write(RegisterNumber r, Cycle now) {
        Cycle& bank = bank_[r % bank_.size()];
        bank = std::max(bank, now + 1);
    }

private:
    struct PipeState {
        std::vector<Cycle> unit_free; // by unit: from when on it takes an instruction
        std::vector<Cycle> leaves;    // a ring of the instructions that entered last: when each begins to execute
        std::size_t oldest = 0;
        Cycle last_start = 0;
        Cycle open_at = 0;
        Cycle last_issue = kNever; // and how many were issued in that cycle
        unsigned issued = 0;

        // Instructions between issue and execution: one in each collector unit, and in the latches before and behind
        // them, which are as wide as there are units.
        void size(std::uint64_t units, std::uint64_t collectors) {
            unit_free.assign(units, 0);
            leaves.assign(collectors + 2 * units, 0);
        }
        void enter(Cycle now, Cycle start) {
            leaves[oldest] = start;
            oldest = oldest + 1 == leaves.size() ? 0 : oldest + 1;
            issued = last_issue == now ? issued + 1 : 1;
            last_issue = now;
            open_at = std::max(leaves[oldest], issued < unit_free.size() ? now : now + 1);
        }
    };
    static std::size_t index(Pipe pipe) {
        return static_cast<std::size_t>(pipe);
    }

    Cycle last_read(const Decoded& op, Cycle now) {
        Cycle next = now + config_.collect; // a collector unit reads a register a cycle
        for (unsigned i = 0; i < op.reads; ++i) {
            Cycle& bank = bank_[op.read[i] % bank_.size()];
            const Cycle at = std::max(next, bank);
            bank = next = at + 1;
        }
        return next - 1;
    }

    const ScoreboardConfig config_;
    std::array<PipeState, kPipes> pipes_;
    std::vector<Cycle> bank_; // the first cycle in which it serves a read
    Calendar buses_;
};

} // namespace heddle::sm
