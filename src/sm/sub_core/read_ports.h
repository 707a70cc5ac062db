// The register file of a sub-core with few read ports (Jia et al., arXiv 1804.06826; Huerta et al., MICRO 2025, 5.3):
// banks by the remainder of the register number, and a cache of operands.
//
// Instructions of fixed latency pass the stage Allocate in order. One leaves it when in the cycles of the read stages
// each bank has a free port for each register that the instruction has to read there, and when the queue of results has
// room for its own. Until then the instructions behind it wait, and what has not issued does not. Other instructions
// read each register when its bank has a port free.
//
// The cache has an entry for each place of an operand (0 to 2) and bank. A register that is read with its reuse flag is
// kept in the entry; any other read of the place and bank empties it. An instruction of the same warp that reads the
// same register in the same place takes it from there, without a port. Only instructions of fixed latency use it.
//
// Results of fixed latency leave the queue one a cycle, each for a write port of its bank. A load writes when no such
// result takes the port of a bank that it writes; of several registers of a bank the last one counts, as those before
// are written while its data come.
//
// Assumed: a register that an instruction names twice is read once; instructions of both kinds take ports in the order
// of issue. An instruction that waits in Allocate delays no instruction that relies on its stall count for the result:
// the hardware does not check.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "sm/sub_core/bank_ports.h"
#include "sm/sub_core/decoded.h"
#include "sm/sub_core/operand_read.h"
#include "stats/statistic.h"

namespace heddle::sm {

struct RegisterFileConfig {
    static constexpr std::string_view kSection = "register_file";
    static constexpr bool kOptional = true;
    std::uint64_t banks = 0;
    std::uint64_t ports = 1;
    bool cache = true;
    std::uint64_t queue = 8;
    std::uint64_t write_ports = 0;
    [[nodiscard]] bool has_write_ports() const {
        return banks != 0 && write_ports != 0;
    }
    static std::span<const config::Parameter<RegisterFileConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

struct RegisterFileStats {
    std::uint64_t reads = 0;
    std::uint64_t hits = 0;
    std::uint64_t port_cycles = 0;
    std::uint64_t queue_cycles = 0;
    std::uint64_t load_cycles = 0;
    static std::span<const stats::Statistic<RegisterFileStats>> statistics();
};

class ReadPorts {
public:
    // `window`: read stages. `dispatch`: from the last of them to execution.
    ReadPorts(const RegisterFileConfig& config, Cycle window, Cycle dispatch);

    // An instruction of a warp issues at `now` and may read from cycle `from` on. Returns the first cycle behind its
    // reads. A register needs a port in `cycles` cycles.
    Cycle read(const Decoded& op, RowId warp, Cycle now, Cycle from, unsigned cycles = 1) {
        return op.fixed ? allocate(op, warp, now, from, cycles) : read_freely(op, from, cycles);
    }
    // The results of a load have come at `at`. Returns the first cycle in which each bank that it writes has a write
    // port that no result of fixed latency takes; takes these ports. Needs write ports.
    Cycle write_load(const Decoded& op, Cycle at);
    // The first cycle in which another instruction of fixed latency may issue, as far as Allocate goes.
    [[nodiscard]] Cycle open() const {
        return open_;
    }
    // The cycle in which the last instruction of fixed latency writes its last register.
    [[nodiscard]] Cycle written() const {
        return written_;
    }
    [[nodiscard]] const RegisterFileStats& stats() const {
        return stats_;
    }

private:
    static constexpr unsigned kPlaces = 3; // of operands that the cache has entries for
    static constexpr std::size_t kMostBanks = 8;

    // What an entry of the cache holds; 0: nothing.
    using Entry = std::uint32_t;
    [[nodiscard]] static Entry entry_of(unsigned number, RowId warp) {
        return 1U << 31 | static_cast<Entry>(warp) << 8 | number;
    }

    // Registers that an instruction reads through ports: those of bank b in byte b.
    using Needs = std::uint64_t;

    Cycle allocate(const Decoded& op, RowId warp, Cycle now, Cycle from, unsigned cycles);
    Cycle read_freely(const Decoded& op, Cycle from, unsigned cycles);
    [[nodiscard]] bool hits(OperandRead read, std::size_t bank, RowId warp);
    [[nodiscard]] Needs find_needs(const Decoded& op, RowId warp);
    [[nodiscard]] bool ports_are_free(Needs needs, Cycle from, unsigned cycles) const;
    // The first cycle from `at` on in which an instruction leaves Allocate, which it does not do before.
    [[nodiscard]] Cycle wait_in_allocate(const Decoded& op, Needs needs, Cycle at, unsigned cycles);
    Cycle read(std::size_t bank, Cycle at, unsigned count);
    void write_results(const Decoded& op, Cycle first);
    // The cycle in which an instruction that reads from `from` on writes its first result; kNever when the queue has no
    // room for its results.
    [[nodiscard]] Cycle leaves_queue(const Decoded& op, Cycle from) const;

    // The bank of a register.
    [[nodiscard]] std::size_t bank_of(unsigned number) const {
        return bank_mask_ != 0 ? number & bank_mask_ : number % config_.banks;
    }

    const RegisterFileConfig config_;
    const Cycle window_, dispatch_;
    const unsigned places_;       // of operands that are kept: kPlaces, or 0 without a cache
    const std::size_t bank_mask_; // banks - 1 if they are a power of two, which saves divisions; else 0
    BankPorts read_ports_;
    BankPorts write_ports_;                                      // none: writes have no limit but the queue
    std::array<std::array<Entry, kPlaces>, kMostBanks> cache_{}; // by bank
    UnitReservations writes_;                                    // of the queue: one result a cycle
    Cycle entered_ = 0; // the cycle in which the last instruction left Allocate
    Cycle open_ = 0;
    Cycle written_ = 0;
    RegisterFileStats stats_;
};

} // namespace heddle::sm
