// Operand collector, execution units and result buses of the scoreboarded core: when each step of an instruction
// happens is arithmetic at its issue. Nothing here ticks.
//
//   issue        the instruction takes a collector unit of its pipe
//   + collect    its operands are read: a register a cycle, of a bank one a cycle
//   + dispatch   behind the last read it begins to execute, when a unit takes it and a result bus is free at its end;
//                the collector unit is free again
//   + latency + write_back   its registers are written
//
// Whoever issues first chooses first. Assumed: a collector unit is given back in the order of issue, and writes have a
// port of each bank to themselves.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <vector>

#include "base/select.h"
#include "sm/sub_core/decoded.h"
#include "sm/sub_core/reservation_table.h"

namespace heddle::sm {

class ExecutionUnits {
public:
    ExecutionUnits(const ScoreboardConfig& config, const UnitsConfig& units)
        : config_(config), banks_(config.register_banks),
          bank_mask_(std::has_single_bit(config.register_banks) ? static_cast<unsigned>(config.register_banks - 1) : 0),
          buses_(config.result_buses, reach(config, units)) {
        pipes_[index(Pipe::Sp)].size(units.sp, config.collectors_sp);
        pipes_[index(Pipe::Sfu)].size(units.sfu, config.collectors_sfu);
        pipes_[index(Pipe::Dp)].size(units.dp, config.collectors_dp);
    }

    // Instructions that a pipe holds between issue and execution: one in each collector unit, and in the latches before
    // them, behind them and in front of the units, which are as wide as there are units.
    [[nodiscard]] static std::size_t places(std::uint64_t units, std::uint64_t collectors) {
        return collectors + 3 * units;
    }

    // The first cycle in which SP, SFU or DP may take another instruction. (Who waits for the load/store unit is its
    // own matter.)
    [[nodiscard]] Cycle open_at(Pipe pipe) const {
        return pipes_[index(pipe)].open_at;
    }

    // An instruction of SP, SFU or DP issues in cycle `now`, for threads of a row: the cycle in which its registers are
    // written.
    Cycle issue(const Decoded& op, RowId row, Cycle now) {
        PipeState& pipe = pipes_[index(op.pipe)];
        const Cycle start = begin(pipe, op, last_read(op, row, now) + config_.dispatch);
        pipe.enter(now, start);
        return start + op.latency + config_.write_back;
    }
    // A memory instruction issues: the first cycle in which the load/store unit may have it.
    Cycle collect(const Decoded& op, RowId row, Cycle now) {
        return last_read(op, row, now) + config_.dispatch;
    }

private:
    struct PipeState {
        std::vector<UnitReservations> units;
        std::vector<Cycle> leaves; // a ring of the instructions that entered last: when each begins to execute
        std::size_t oldest = 0;
        Cycle open_at = 0;
        Cycle last_issue = kNever; // and how many were issued in that cycle
        unsigned issued = 0;

        void size(std::uint64_t count, std::uint64_t collectors) {
            units.assign(count, {});
            leaves.assign(places(count, collectors), 0);
        }
        void enter(Cycle now, Cycle start) {
            leaves[oldest] = start;
            oldest = oldest + 1 == leaves.size() ? 0 : oldest + 1;
            issued = 1 + (issued & static_cast<unsigned>(mask_if(last_issue == now)));
            last_issue = now;
            open_at = std::max(leaves[oldest], issued < units.size() ? now : now + 1);
        }
    };
    static std::size_t index(Pipe pipe) {
        return static_cast<std::size_t>(pipe);
    }
    // Cycles from an instruction's issue to the end of its execution, at most: all that were issued before it read from
    // one bank, and those of its pipe go to one unit.
    [[nodiscard]] static Cycle reach(const ScoreboardConfig& config, const UnitsConfig& units) {
        const std::size_t pipes[] = {places(units.sp, config.collectors_sp), places(units.sfu, config.collectors_sfu),
                                     places(units.dp, config.collectors_dp), places(1, config.collectors_ldst)};
        const std::size_t all = std::accumulate(std::begin(pipes), std::end(pipes), std::size_t{1});
        const std::size_t most = *std::max_element(std::begin(pipes), std::end(pipes)) + 1;
        return config.collect + config.dispatch + all * std::tuple_size_v<decltype(Decoded::read)> +
               (most + 1) * UnitsConfig::kMostCycles;
    }

    // The same register of neighbouring warps lies in neighbouring banks.
    UnitReservations& bank_of(RegisterNumber r, RowId row) {
        const unsigned n = unsigned{r} + row;
        return banks_[bank_mask_ != 0 ? n & bank_mask_ : n % banks_.size()];
    }
    // When the instruction, ready at `at`, begins to execute: a unit takes it and a result bus is free at its end.
    Cycle begin(PipeState& pipe, const Decoded& op, Cycle at) {
        for (;;) {
            UnitReservations* unit = pipe.units.data();
            Cycle start = unit->first_free(at, op.interval);
            for (std::size_t i = 1; i < pipe.units.size() && start > at; ++i)
                if (const Cycle other = pipe.units[i].first_free(at, op.interval); other < start) {
                    start = other;
                    unit = &pipe.units[i];
                }
            if (buses_.take(start + op.latency)) [[likely]] {
                unit->take(start, op.interval);
                return start;
            }
            at = start + 1;
        }
    }
    Cycle last_read(const Decoded& op, RowId row, Cycle now) {
        Cycle next = now + config_.collect; // a collector unit reads a register a cycle
        for (unsigned i = 0; i < op.reads; ++i)
            next = bank_of(op.read[i], row).book(next) + 1;
        return next - 1;
    }

    const ScoreboardConfig config_;
    std::array<PipeState, kPipes - 1> pipes_; // LdSt is the last and has none
    std::vector<UnitReservations> banks_;
    const unsigned bank_mask_; // where there are a power of two, to spare a division a register; else 0
    ReservationTable buses_;
};

} // namespace heddle::sm
