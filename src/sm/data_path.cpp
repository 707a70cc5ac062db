#include "sm/data_path.h"

#include <algorithm>
#include <bit>

#include "mem/coalescer.h"

namespace heddle::sm {
namespace {

// Local memory that does not fit on chip, as the data cache sees it: word w of all threads side by side.
constexpr Address kSpillBase = 0x0800'0000'0000;

} // namespace

DataPath::DataPath(const config::Machine& machine, MainMemory& memory, std::span<warp::Flight> flights)
    : memory_(memory), flights_(flights), cache_(machine.get<DCacheConfig>().shape()),
      ideal_(machine.get<DCacheConfig>().ideal), line_bytes_(machine.get<DCacheConfig>().line),
      private_bytes_(machine.get<PrivateConfig>().bytes_per_thread), threads_(machine.get<CoreConfig>().threads),
      width_(static_cast<unsigned>(machine.get<CoreConfig>().width)),
      shared_banks_(static_cast<unsigned>(machine.get<SharedConfig>().banks)), jobs_(flights.size()),
      waiters_(machine.get<DCacheConfig>().size / line_bytes_) {}

void DataPath::prepare(const warp::Flight& flight, const exec::Access& access) {
    Job& job = jobs_[flight.id];
    job.lines = 0;
    job.next = 0;
    job.bank_cycles = 0;
    job.operations = 1;
    job.store = access.store;
    job.atomic = access.atomic;
    job.left = false;
    if (access.count == 0)
        return;

    const std::uint64_t all = first_lanes(access.count);
    const std::uint64_t through_cache = access.global | access.constant;
    if (through_cache == all) {
        const std::span<const Address> addresses(access.address.data(), access.count);
        job.lines = static_cast<std::uint8_t>(mem::distinct_lines(addresses, cache_.line_shift(), job.line.data()));
        if (access.atomic)
            job.operations = static_cast<std::uint8_t>(mem::most_on_one_word(addresses));
    } else {
        prepare_on_chip(job, access);
    }
    if (job.lines != 0)
        ++(access.atomic ? stats_.atomics : access.store ? stats_.stores : stats_.loads);
}

void DataPath::prepare_on_chip(Job& job, const exec::Access& access) {
    std::array<Address, kMaxWidth> cached; // what goes through the data cache
    std::array<Address, kMaxWidth> shared;
    unsigned n_cached = 0, n_shared = 0, n_private = 0;
    for (unsigned i = 0; i < access.count; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((access.shared & bit) != 0) {
            shared[n_shared++] = access.address[i];
        } else if ((access.local & bit) == 0) {
            cached[n_cached++] = access.address[i];
        } else if (access.address[i] + access.bytes <= private_bytes_) {
            ++n_private;
        } else {
            cached[n_cached++] = spill_address(access, i);
            ++stats_.spilled_accesses;
        }
    }
    if (n_private != 0) { // a bank a lane: as many cycles as words
        const unsigned cycles = std::max(1U, access.bytes / 4U);
        ++stats_.private_accesses;
        stats_.private_cycles += cycles;
        job.bank_cycles = static_cast<std::uint16_t>(job.bank_cycles + cycles);
    }
    if (n_shared != 0) {
        const std::span<const Address> offsets(shared.data(), n_shared);
        const unsigned cycles = access.atomic ? mem::atomic_bank_cycles(offsets, access.bytes, shared_banks_)
                                              : mem::bank_cycles(offsets, access.bytes, shared_banks_);
        ++stats_.shared_accesses;
        stats_.shared_cycles += cycles;
        job.bank_cycles = static_cast<std::uint16_t>(job.bank_cycles + cycles);
    }
    if (n_cached != 0) {
        const std::span<const Address> addresses(cached.data(), n_cached);
        job.lines = static_cast<std::uint8_t>(mem::distinct_lines(addresses, cache_.line_shift(), job.line.data()));
        if (access.atomic)
            job.operations = static_cast<std::uint8_t>(mem::most_on_one_word(addresses));
    }
}

Address DataPath::spill_address(const exec::Access& access, unsigned entry) const {
    const Address beyond = access.address[entry] - std::min<Address>(private_bytes_, access.address[entry]);
    const std::uint64_t thread = std::uint64_t{access.row[entry]} * width_ + access.lane[entry];
    return kSpillBase + (beyond / 4 * threads_ + thread) * 4 + beyond % 4;
}

DataPath::Step DataPath::step(warp::Flight& flight, Cycle now) {
    Job& job = jobs_[flight.id];
    if (job.bank_cycles != 0) {
        --job.bank_cycles;
        if (job.bank_cycles != 0)
            return Step::Bank;
    } else if (job.next < job.lines) {
        if (job.store && fill_cycle_ == now) { // fills go first on the write port
            ++stats_.port_conflicts;
            return Step::Line;
        }
        const Address line = job.line[job.next++];
        ++stats_.lines;
        if (ideal_)
            ++stats_.hits;
        else if (job.atomic)
            request_atomic(flight.id, line, now);
        else
            look_up(flight.id, line, now);
    }
    if (job.next < job.lines)
        return Step::Line;
    job.left = true;
    if (flight.lines_left != 0)
        ++stats_.put_aside;
    return Step::Done;
}

void DataPath::look_up(warp::FlightId flight, Address line, Cycle now) {
    const Address address = line << cache_.line_shift();
    const bool store = jobs_[flight].store;
    if (!store && cache_.same_line_again(address)) {
        ++stats_.hits;
        return;
    }
    const mem::Cache::Found found = cache_.access(address, store);
    switch (found.result) {
    case mem::Cache::Result::Hit:
        ++stats_.hits;
        return;
    case mem::Cache::Result::Pending:
        ++stats_.merges;
        ++flights_[flight].lines_left;
        wait_for(found.line, flight);
        return;
    case mem::Cache::Result::Miss: {
        ++stats_.misses;
        ++flights_[flight].lines_left;
        const mem::Cache::Victim victim = cache_.reserve(address, store);
        if (victim.dirty) {
            ++stats_.write_backs;
            memory_.write(victim.address, line_bytes_, now);
        }
        wait_for(victim.line, flight);
        memory_.read(address, line_bytes_, MainMemory::For::Data, victim.line, now);
        return;
    }
    case mem::Cache::Result::Full:
        ++stats_.full_sets;
        ++flights_[flight].lines_left;
        blocked_.push_back({flight, line});
        return;
    }
}

// Atomic operations are done at the memory: the line leaves the cache first.
void DataPath::request_atomic(warp::FlightId flight, Address line, Cycle now) {
    const Address address = line << cache_.line_shift();
    if (cache_.drop(address)) {
        ++stats_.write_backs;
        memory_.write(address, line_bytes_, now);
    }
    ++flights_[flight].lines_left;
    memory_.atomic(address, line_bytes_, jobs_[flight].operations, flight, now);
}

void DataPath::wait_for(mem::LineId line, warp::FlightId flight) {
    if (free_node_ == kNone) {
        free_node_ = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
    }
    const std::uint32_t node = free_node_;
    free_node_ = nodes_[node].next;
    nodes_[node] = {flight, kNone};
    List& list = waiters_[line];
    (list.head == kNone ? list.head : nodes_[list.tail].next) = node;
    list.tail = node;
}

void DataPath::fill(mem::LineId line, Cycle now, std::vector<warp::FlightId>& ready) {
    fill_cycle_ = now;
    cache_.fill(line);
    List& list = waiters_[line];
    for (std::uint32_t node = list.head; node != kNone;) {
        const std::uint32_t next = nodes_[node].next;
        count_down(nodes_[node].flight, ready);
        nodes_[node].next = free_node_;
        free_node_ = node;
        node = next;
    }
    list = {};
    if (blocked_.empty())
        return;
    // Lines that found this set full try again, oldest first.
    const unsigned set = line / static_cast<unsigned>(waiters_.size() / cache_.sets());
    again_.clear();
    std::erase_if(blocked_, [&](const Blocked& b) {
        if (cache_.set_of(b.line << cache_.line_shift()) != set)
            return false;
        again_.push_back(b);
        return true;
    });
    for (const Blocked& b : again_) {
        look_up(b.flight, b.line, now);
        count_down(b.flight, ready); // look_up() counts what is still missing anew
    }
}

void DataPath::atomic_done(warp::FlightId flight, std::vector<warp::FlightId>& ready) {
    count_down(flight, ready);
}

void DataPath::count_down(warp::FlightId flight, std::vector<warp::FlightId>& ready) {
    if (--flights_[flight].lines_left == 0 && jobs_[flight].left)
        ready.push_back(flight);
}

std::span<const stats::Statistic<DataStats>> DataStats::statistics() {
    using S = DataStats;
    static const stats::Statistic<S> table[] = {
        {"loads", &S::loads, "instructions", "loads that went to the data cache"},
        {"stores", &S::stores, "instructions", "stores that went to the data cache"},
        {"atomics", &S::atomics, "instructions", "atomic operations on global memory"},
        {"lines", &S::lines, "accesses", "lines touched, each a port slot"},
        {"hits", &S::hits, "accesses", "line look-ups that hit"},
        {"misses", &S::misses, "accesses", "line look-ups that sent a request to memory"},
        {"merges", &S::merges, "accesses", "line look-ups that joined a request on its way"},
        {"full_sets", &S::full_sets, "accesses", "line look-ups that found every way of their set reserved"},
        {"write_backs", &S::write_backs, "lines", "dirty lines written to memory"},
        {"port_conflicts", &S::port_conflicts, "cycles", "cycles in which a store waited for a fill on the write port"},
        {"put_aside", &S::put_aside, "instructions", "instructions that waited for memory"},
        {"wait_cycles", &S::wait_cycles, "cycles", "sum over them, from the memory stage to the last line"},
        {"shared_accesses", &S::shared_accesses, "instructions", "accesses to shared memory"},
        {"shared_cycles", &S::shared_cycles, "cycles", "cycles they took in the memory stage"},
        {"private_accesses", &S::private_accesses, "instructions", "accesses to private memory"},
        {"private_cycles", &S::private_cycles, "cycles", "cycles they took in the memory stage"},
        {"spilled_accesses", &S::spilled_accesses, "threads",
         "accesses to .local beyond private memory, through the data cache"},
    };
    return table;
}

std::span<const stats::Formula> DataStats::formulas() {
    static const stats::Formula table[] = {
        {"hit_rate", "hits", "hits+misses+merges+full_sets", "share of line look-ups that hit"},
        {"mean_wait", "wait_cycles", "put_aside", "cycles an instruction waited for its lines"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::DataStats, "dcache", "data cache and on-chip memories")
