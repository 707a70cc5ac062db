// Operand collectors, pipes and result buses of an SM with sub-cores. The cycle of each step of an instruction is
// computed when it issues; nothing here has work in each cycle.
//
//   issue        the instruction takes a collector unit of its pipe
//   + collect    its operands are read: a register a cycle, of a bank one a cycle
//   + dispatch   behind the last read it begins to execute, when a unit of the pipe takes it and a result bus is free
//                at its end; the collector unit is free again
//   + latency + write_back   its registers are written
//
// With [sub_core] all registers are read within a window of cycles behind `collect`, and results are bypassed: without
// conflicts an instruction that needs a result issues `latency` cycles behind the one that gives it.
//
// Instructions take resources in the order of issue. Assumed: collector units are given back in the order of issue, and
// writes have a port of each bank to themselves.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <tuple>
#include <vector>

#include "base/select.h"
#include "sm/sub_core/config.h"
#include "sm/sub_core/decoded.h"
#include "sm/sub_core/read_ports.h"
#include "sm/sub_core/reservation_table.h"

namespace heddle::sm {

// Instructions that a pipe holds between issue and execution: one in each collector unit, and `units` in each of three
// latches: before the collector units, behind them, and in front of the units of the pipe.
[[nodiscard]] constexpr std::size_t places_of(std::uint64_t units, std::uint64_t collectors) {
    return collectors + 3 * units;
}

// One pipe: its units and the instructions that wait to begin in them.
class Pipe {
public:
    Pipe(std::uint64_t units, std::uint64_t collectors)
        : width_(static_cast<unsigned>(units)), places_(static_cast<unsigned>(places_of(units, collectors))),
          units_(units), leaves_(places_, 0) {}

    // The first cycle from `at` on in which a unit can begin, and that unit.
    [[nodiscard]] std::pair<Cycle, UnitReservations*> first_free(Cycle at, unsigned interval) {
        return first_free_of(units_.data(), width_, at, interval);
    }
    // An instruction that issues in cycle `now` begins to execute at `start`. Returns the first cycle in which the pipe
    // may take another.
    Cycle enter(Cycle now, Cycle start) {
        leaves_[oldest_] = start;
        oldest_ = oldest_ + 1 == places_ ? 0 : oldest_ + 1;
        issued_ = 1 + (issued_ & static_cast<unsigned>(mask_if(last_issue_ == now)));
        last_issue_ = now;
        return std::max(leaves_[oldest_], issued_ < width_ ? now : now + 1);
    }

private:
    const unsigned width_, places_; // sizes of units_ and leaves_
    std::vector<UnitReservations> units_;
    std::vector<Cycle> leaves_; // a ring of the instructions that entered last: when each begins to execute
    unsigned oldest_ = 0;
    Cycle last_issue_ = kNever; // the cycle of the last issue
    unsigned issued_ = 0;
};

// The register banks that operands are read from, and the result buses of the pipes.
class RegisterFile {
public:
    // `cycles`: the most cycles for which an operand occupies its bank.
    RegisterFile(const SubCoreConfig& config, const PipeTable& pipes, unsigned cycles = 1, Cycle window = 0)
        : collect_(config.collect), dispatch_(config.dispatch), window_(window),
          write_back_(window == 0 ? config.write_back : 0 - (config.collect + window - 1 + config.dispatch)),
          banks_(config.register_banks),
          bank_mask_(std::has_single_bit(config.register_banks) ? static_cast<unsigned>(config.register_banks - 1) : 0),
          buses_(config.result_buses, reach(config, pipes, cycles) + window) {}

    // Issues an instruction to a pipe in cycle `now`, for threads of a row. Returns the cycle in which its registers
    // are written. `open_at` becomes the first cycle in which the pipe may take another. An operand occupies its bank
    // for `cycles`: the most threads that lie in one home lane. kPlain, here and below: there is no window.
    template <bool kPlain = false>
    [[gnu::always_inline]] Cycle issue(const Decoded& op, RowId row, Cycle now, Pipe& pipe, Cycle& open_at,
                                       unsigned cycles) {
        const Cycle start = begin(pipe, op, collect<kPlain>(op, row, now, cycles));
        open_at = pipe.enter(now, start);
        return start + op.latency + write_back_;
    }
    // The first cycle behind the reads of an instruction whose registers are written at `written`.
    [[nodiscard]] Cycle read_by(const Decoded& op, Cycle written) const {
        return written - write_back_ - op.latency - dispatch_ + 1;
    }
    // The cycle in which an instruction that issues at `now` can begin to execute at the earliest. Needs a window.
    [[nodiscard]] Cycle begins(Cycle now) const {
        return now - write_back_;
    }
    // The cycle in which the last instruction that issued writes its registers, whose results can be met on a bypass by
    // instructions that issue at `bypassed` or later. Needs a window.
    [[nodiscard]] Cycle write_of(const Decoded& op, Cycle bypassed) const {
        return op.fixed && ports_ != nullptr ? ports_->written() : bypassed - write_back_;
    }
    // From now on operands are read through these ports. Needs a window.
    void read_through(std::unique_ptr<ReadPorts> ports) {
        ports_ = std::move(ports);
    }
    [[nodiscard]] ReadPorts* ports() const { // null: there are none
        return ports_.get();
    }
    // Reads the operands. Returns the first cycle in which the instruction may begin to execute, or enter the
    // load/store unit.
    template <bool kPlain = false>
    Cycle collect(const Decoded& op, RowId row, Cycle now, unsigned cycles) {
        if (!kPlain && window_ != 0)
            return read_in_window(op, row, now, cycles);
        Cycle next = now + collect_; // a collector unit reads a register a cycle
        for (unsigned i = 0; i < op.reads; ++i) {
            UnitReservations& bank = bank_of(op.read[i], row);
            next = bank.book(next) + 1;
            for (unsigned k = 1; k < cycles; ++k)
                [[unlikely]] next = bank.book(next) + 1;
        }
        return next - 1 + dispatch_;
    }

private:
    // The operands are read from `collect` behind the issue on, each when its bank is free. A register that is named
    // twice is read once.
    [[gnu::noinline]] Cycle read_in_window(const Decoded& op, RowId row, Cycle now, unsigned cycles) {
        const Cycle from = now + collect_;
        if (ports_ != nullptr)
            return ports_->read(op, row, now, from, cycles) - 1 + dispatch_;
        Cycle end = from + window_;
        for (unsigned i = 0; i < op.reads; ++i) {
            const auto* const earlier = op.read.data() + i;
            if (std::find(op.read.data(), earlier, op.read[i]) != earlier)
                continue;
            for (unsigned k = 0; k < cycles; ++k)
                end = std::max(end, bank_of(op.read[i], row).book(from) + 1);
        }
        return end - 1 + dispatch_;
    }
    // The most cycles from an instruction's issue to the end of its execution: all instructions issued before it read
    // from one bank, and all of its pipe go to one unit.
    [[nodiscard]] static Cycle reach(const SubCoreConfig& config, const PipeTable& pipes, unsigned cycles) {
        std::size_t all = 1 + places_of(1, config.collectors_ldst);
        std::size_t most = places_of(1, config.collectors_ldst);
        for (const PipeTable::Spec& pipe : pipes.specs()) {
            all += places_of(pipe.width, pipe.collectors) * (pipe.shared ? 1 : config.schedulers);
            most = std::max(most, places_of(pipe.width, pipe.collectors));
        }
        return config.collect + config.dispatch + all * std::tuple_size_v<decltype(Decoded::read)> * cycles +
               (most + 2) * PipeTiming::kMostCycles;
    }

    // The same register of neighbouring warps lies in neighbouring banks.
    UnitReservations& bank_of(RegisterNumber r, RowId row) {
        const unsigned n = unsigned{r} + row;
        return banks_[bank_mask_ != 0 ? n & bank_mask_ : n % banks_.size()];
    }
    // The cycle in which the instruction, ready at `at`, begins to execute: a unit takes it, and a result bus is free
    // at the end of its execution.
    Cycle begin(Pipe& pipe, const Decoded& op, Cycle at) {
        for (;;) {
            const auto [start, unit] = pipe.first_free(at, op.interval);
            if (buses_.take(start + op.latency)) [[likely]] {
                unit->take(start, op.interval);
                return start;
            }
            at = start + 1;
        }
    }

    const Cycle collect_, dispatch_, window_;
    const Cycle write_back_; // with a window what is subtracted, modulo 2^64
    std::vector<UnitReservations> banks_;
    const unsigned bank_mask_; // banks - 1 if they are a power of two, which saves a division for each register; else 0
    ReservationTable buses_;
    std::unique_ptr<ReadPorts> ports_; // null: each operand has its bank's port
};

} // namespace heddle::sm
