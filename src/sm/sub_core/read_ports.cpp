#include "sm/sub_core/read_ports.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sm/sub_core/config.h"

namespace heddle::sm {

ReadPorts::ReadPorts(const RegisterFileConfig& config, Cycle window, Cycle dispatch)
    : config_(config), window_(window), dispatch_(dispatch), places_(config.cache ? kPlaces : 0),
      bank_mask_(std::has_single_bit(config.banks) ? config.banks - 1 : 0), read_ports_(config.banks, config.ports),
      write_ports_(config.banks, config.has_write_ports() ? config.write_ports : 0) {}

inline bool ReadPorts::hits(OperandRead read, std::size_t bank, RowId warp) {
    if (read.place >= places_)
        return false;
    const Entry wanted = entry_of(read.number, warp);
    return std::exchange(cache_[bank][read.place], read.reuse ? wanted : 0) == wanted;
}

inline ReadPorts::Needs ReadPorts::find_needs(const Decoded& op, RowId warp) {
    Needs needs = 0;
    for (unsigned i = 0; i < op.reads; ++i) {
        const OperandRead read = OperandRead::of(op.read[i]);
        const std::size_t bank = bank_of(read.number);
        if (hits(read, bank, warp))
            ++stats_.hits;
        else if (!read.again)
            needs += Needs{1} << (8 * bank);
    }
    return needs;
}

inline bool ReadPorts::ports_are_free(Needs needs, Cycle from, unsigned cycles) const {
    if (!read_ports_.there_are())
        return true;
    for (std::size_t bank = 0; needs != 0; ++bank, needs >>= 8)
        if (const std::uint64_t needed = std::min<std::uint64_t>((needs & 0xff) * cycles, config_.ports * window_);
            needed != 0 && read_ports_.free_in(bank, from, static_cast<unsigned>(window_)) < needed)
            return false;
    return true;
}

inline Cycle ReadPorts::leaves_queue(const Decoded& op, Cycle from) const {
    const Cycle comes = from + window_ - 1 + dispatch_ + op.latency;
    if (config_.queue == 0 || op.results_written == 0)
        return comes;
    const Cycle written = writes_.first_free(comes, op.results_written);
    return written < comes + config_.queue ? written : kNever;
}

[[gnu::noinline]] Cycle ReadPorts::wait_in_allocate(const Decoded& op, Needs needs, Cycle at, unsigned cycles) {
    for (;; ++at) {
        if (!ports_are_free(needs, at, cycles))
            ++stats_.port_cycles;
        else if (leaves_queue(op, at) == kNever)
            ++stats_.queue_cycles;
        else
            return at;
    }
}

Cycle ReadPorts::allocate(const Decoded& op, RowId warp, Cycle now, Cycle from, unsigned cycles) {
    const Needs needs = find_needs(op, warp);
    open_ = std::max(now + 1, entered_);
    Cycle at = std::max(from, entered_ + 1);
    Cycle written = leaves_queue(op, at);
    if (written == kNever || !ports_are_free(needs, at, cycles)) [[unlikely]] {
        at = wait_in_allocate(op, needs, at, cycles);
        written = leaves_queue(op, at);
    }
    entered_ = at;
    Cycle end = at + window_;
    Needs left = needs;
    for (std::size_t bank = 0; left != 0; ++bank, left >>= 8)
        if (const auto registers = static_cast<unsigned>(left & 0xff); registers != 0 && cycles != 0)
            end = std::max(end, read(bank, at, registers * cycles));
    if (config_.queue != 0 && op.results_written != 0) {
        writes_.take(written, op.results_written);
        write_results(op, written);
        written += op.results_written - 1U;
    }
    written_ = written;
    return end;
}

// Reads registers of a bank at the first chances from `at` on. Returns the cycle behind them; `at` if no ports limit
// them.
inline Cycle ReadPorts::read(std::size_t bank, Cycle at, unsigned count) {
    stats_.reads += count;
    return read_ports_.there_are() ? read_ports_.book(bank, at, count) + 1 : at;
}

// The results are written one a cycle, from `first` on.
void ReadPorts::write_results(const Decoded& op, Cycle first) {
    for (unsigned n = 0; n < op.results_written && write_ports_.there_are(); ++n)
        write_ports_.book(bank_of(op.first_result + n), first + n);
}

Cycle ReadPorts::write_load(const Decoded& op, Cycle at) {
    const auto banks = std::min<unsigned>(op.results_written, static_cast<unsigned>(config_.banks));
    const auto is_free = [&](Cycle cycle) {
        for (unsigned n = 0; n < banks; ++n)
            if (write_ports_.free_in(bank_of(op.first_result + n), cycle, 1) == 0)
                return false;
        return true;
    };
    for (; !is_free(at); ++at)
        ++stats_.load_cycles;
    for (unsigned n = 0; n < banks; ++n)
        write_ports_.book(bank_of(op.first_result + n), at);
    return at;
}

Cycle ReadPorts::read_freely(const Decoded& op, Cycle from, unsigned cycles) {
    Cycle end = from + window_;
    for (unsigned i = 0; i < op.reads; ++i) {
        const OperandRead operand = OperandRead::of(op.read[i]);
        if (!operand.again && cycles != 0)
            end = std::max(end, read(bank_of(operand.number), from, cycles));
    }
    return end;
}

std::vector<std::string> RegisterFileConfig::problems(const config::Machine& machine) const {
    if (banks == 0)
        return {};
    std::vector<std::string> out;
    if (machine.get<SubCoreStagesConfig>().read_stages == 0)
        out.emplace_back("register_file.banks needs sub_core.read_stages: registers are read in these stages");
    if (machine.get<SubCoreConfig>().register_file != "own")
        out.emplace_back("register_file.banks needs scoreboard.register_file = 'own': it is that of one sub-core");
    if (write_ports != 0 && queue == 0)
        out.emplace_back("register_file.write_ports needs a register_file.queue: results leave it one a cycle");
    return out;
}

std::span<const config::Parameter<RegisterFileConfig>> RegisterFileConfig::parameters() {
    using C = RegisterFileConfig;
    static const config::Parameter<C> table[] = {
        {"banks", &C::banks, "banks", "0..8",
         "banks of a sub-core's registers, by the remainder of their number; 0: as scoreboard.register_banks says",
         "Jia et al., arXiv 1804.06826: 2"},
        {"ports", &C::ports, "ports", "0..8", "registers that a bank reads in a cycle; 0: as many as are needed",
         "Huerta et al., MICRO 2025: 1"},
        {"cache", &C::cache, "", "", "operands with a reuse flag are kept for the next instruction",
         "Jia et al., arXiv 1804.06826"},
        {"queue", &C::queue, "results", "0..64",
         "results of fixed latency that may wait to be written, one register a cycle; 0: no limit",
         "Huerta et al., MICRO 2025: 8"},
        {"write_ports", &C::write_ports, "ports", "0..8",
         "registers that a bank writes in a cycle: results of the queue go first, those of loads wait; 0: loads do not",
         "Huerta et al., MICRO 2025: 1"},
    };
    return table;
}

std::span<const stats::Statistic<RegisterFileStats>> RegisterFileStats::statistics() {
    using S = RegisterFileStats;
    static const stats::Statistic<S> table[] = {
        {"reads", &S::reads, "registers", "registers read through a port of a bank"},
        {"hits", &S::hits, "registers", "registers taken from the register-file cache"},
        {"port_cycles", &S::port_cycles, "cycles",
         "cycles in which an instruction of fixed latency waited for ports of the banks"},
        {"queue_cycles", &S::queue_cycles, "cycles",
         "cycles in which an instruction of fixed latency waited for room in the queue of results"},
        {"load_cycles", &S::load_cycles, "cycles", "cycles in which the result of a load waited for a write port"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::RegisterFileConfig, "banks and ports of the registers of chips after 2017")
HEDDLE_STATISTICS(heddle::sm::RegisterFileStats, "register_file",
                  "register files of sub-cores with banks and ports (register_file.banks)")
