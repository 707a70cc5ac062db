#include "sm/sub_core/read_ports.h"

#include <algorithm>
#include <bit>

#include "sm/sub_core/config.h"

namespace heddle::sm {

ReadPorts::ReadPorts(const RegisterFileConfig& config, Cycle window, Cycle dispatch)
    : config_(config), window_(window), dispatch_(dispatch),
      bank_mask_(std::has_single_bit(config.banks) ? config.banks - 1 : 0),
      banks_(config.banks, ReservationTable(config.ports, kReach)),
      write_ports_(config.has_write_ports() ? config.banks : 0, ReservationTable(config.write_ports, kReach)),
      needs_(config.banks), cache_(config.banks) {}

bool ReadPorts::hits(OperandRead read, RowId warp) {
    if (!config_.cache || read.place >= kPlaces)
        return false;
    Entry& entry = cache_[bank_of(read.number)][read.place];
    const bool hit = entry.valid && entry.warp == warp && entry.number == read.number;
    entry = {read.reuse, warp, read.number};
    return hit;
}

void ReadPorts::find_needs(const Decoded& op, RowId warp, unsigned cycles) {
    std::fill(needs_.begin(), needs_.end(), 0);
    for (unsigned i = 0; i < op.reads; ++i) {
        const OperandRead read = OperandRead::of(op.read[i]);
        if (hits(read, warp))
            ++stats_.hits;
        else if (!read.again)
            needs_[bank_of(read.number)] += cycles;
    }
}

bool ReadPorts::ports_are_free(Cycle from) const {
    if (config_.ports == 0)
        return true;
    for (std::size_t bank = 0; bank < banks_.size(); ++bank)
        if (const std::uint64_t needed = std::min(needs_[bank], config_.ports * window_);
            needed != 0 && banks_[bank].left(from, window_) < needed)
            return false;
    return true;
}

bool ReadPorts::queue_has_room(const Decoded& op, Cycle from) const {
    if (config_.queue == 0 || op.results_written == 0)
        return true;
    const Cycle written = from + window_ - 1 + dispatch_ + op.latency;
    return writes_.first_free(written, op.results_written) < written + config_.queue;
}

Cycle ReadPorts::allocate(const Decoded& op, RowId warp, Cycle now, Cycle from, unsigned cycles) {
    find_needs(op, warp, cycles);
    open_ = std::max(now + 1, entered_);
    Cycle at = std::max(from, entered_ + 1);
    for (;; ++at) {
        if (!ports_are_free(at))
            ++stats_.port_cycles;
        else if (!queue_has_room(op, at))
            ++stats_.queue_cycles;
        else
            break;
    }
    entered_ = at;
    Cycle end = at + window_;
    for (std::size_t bank = 0; bank < banks_.size(); ++bank)
        for (std::uint64_t n = 0; n < needs_[bank]; ++n) {
            ++stats_.reads;
            if (config_.ports != 0)
                end = std::max(end, banks_[bank].book(at) + 1);
        }
    written_ = at + window_ - 1 + dispatch_ + op.latency;
    if (config_.queue != 0 && op.results_written != 0) {
        written_ = writes_.first_free(written_, op.results_written);
        writes_.take(written_, op.results_written);
        write_results(op, written_);
        written_ += op.results_written - 1U;
    }
    return end;
}

// The results are written one a cycle, from `first` on.
void ReadPorts::write_results(const Decoded& op, Cycle first) {
    for (unsigned n = 0; n < op.results_written && !write_ports_.empty(); ++n)
        write_ports_[bank_of(op.first_result + n)].book(first + n);
}

Cycle ReadPorts::write_load(const Decoded& op, Cycle at) {
    const std::size_t banks = std::min<std::size_t>(op.results_written, banks_.size());
    const auto bank = [&](std::size_t n) -> ReservationTable& {
        return write_ports_[bank_of(op.first_result + static_cast<unsigned>(n))];
    };
    const auto is_free = [&](Cycle cycle) {
        for (std::size_t n = 0; n < banks; ++n)
            if (bank(n).left(cycle, 1) == 0)
                return false;
        return true;
    };
    for (; !is_free(at); ++at)
        ++stats_.load_cycles;
    for (std::size_t n = 0; n < banks; ++n)
        bank(n).take(at);
    return at;
}

Cycle ReadPorts::read_freely(const Decoded& op, Cycle from, unsigned cycles) {
    Cycle end = from + window_;
    for (unsigned i = 0; i < op.reads; ++i) {
        const OperandRead read = OperandRead::of(op.read[i]);
        if (read.again)
            continue;
        ReservationTable& bank = banks_[bank_of(read.number)];
        for (unsigned n = 0; n < cycles; ++n) {
            ++stats_.reads;
            if (config_.ports != 0)
                end = std::max(end, bank.book(from) + 1);
        }
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
