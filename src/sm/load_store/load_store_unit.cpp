#include "sm/load_store/load_store_unit.h"

#include <algorithm>

#include "mem/system/llc_config.h"

namespace heddle::sm {

using mem::Cache;
using mem::Requester;
using warp::FlightId;

namespace {

// Local memory that does not fit on chip, as the data cache sees it: word w of all threads of the SM side by side, each
// SM in a part of its own.
constexpr Address kSpillBase = 0x0800'0000'0000;
constexpr Address kSpillEnd = 0x1000'0000'0000;
constexpr unsigned kSpillShift = 36; // bytes of an SM

} // namespace

LoadStoreUnit::LoadStoreUnit(const config::Machine& machine, unsigned sm, MemoryPort& memory,
                             std::span<warp::Flight> flights, bool holds)
    : memory_(memory), flights_(flights), config_(machine.get<DCacheConfig>()), holds_(holds),
      coherent_(machine.get<mem::LlcConfig>().coherence != "none"), write_(write_of(config_.write)),
      write_local_(write_of(config_.write_local)), cache_(config_, sm),
      private_bytes_(machine.get<PrivateConfig>().bytes_per_thread), threads_(machine.get<CoreConfig>().threads),
      spill_base_(kSpillBase + (Address{sm} << kSpillShift)),
      width_(static_cast<unsigned>(machine.get<CoreConfig>().width)),
      shared_banks_(static_cast<unsigned>(machine.get<SharedConfig>().banks)),
      shared_latency_(static_cast<std::uint16_t>(machine.get<SharedConfig>().latency)),
      shared_window_((machine.get<SharedConfig>().size / (4 * shared_banks_) + 1) * 4 * shared_banks_),
      pending_(flights.size()), texture_lines_(flights.size()), stores_(static_cast<unsigned>(threads_ / width_)) {
    if (const auto constants = machine.get<CCacheConfig>(); constants.size != 0) {
        constants_.emplace(constants, sm);
        constant_latency_ = static_cast<std::uint16_t>(constants.latency);
    }
    if (const auto textures = machine.get<TCacheConfig>(); textures.size != 0) {
        textures_.emplace(textures, sm);
        texture_latency_ = static_cast<std::uint16_t>(textures.latency);
    }
}

Cycle LoadStoreUnit::longest_latency(const config::Machine& machine) {
    return std::max({machine.get<DCacheConfig>().latency, machine.get<SharedConfig>().latency,
                     machine.get<CCacheConfig>().latency, machine.get<TCacheConfig>().latency});
}

LoadStoreUnit::Write LoadStoreUnit::write_of(const std::string& name) {
    return name == "back" ? Write::Back : name == "through" ? Write::Through : Write::Evict;
}

LoadStoreUnit::Write LoadStoreUnit::policy_of(Address address) const {
    return address >= kSpillBase && address < kSpillEnd ? write_local_ : write_;
}

LoadStoreUnit::Step LoadStoreUnit::step(FlightId id, Cycle now) {
    PendingAccess& pending = pending_[id];
    warp::Flight& flight = flights_[id];
    if (fill_cycle_ == now && pending.store && pending.next < pending.data_lines) { // fills go first on the write port
        ++stats_.port_conflicts;
        return Step::Line;
    }
    refused_last_.why = Refusal::None;
    if (pending.bank_cycles != 0 || pending.fence) {
        if (step_banks(flight, pending, now))
            return refused_last_.why != Refusal::None ? Step::Held : Step::Bank;
    } else if (pending.next < pending.lines && !take_line(flight, pending, now)) {
        return Step::Held;
    }
    if (pending.next < pending.lines)
        return Step::Line;
    pending.left = true;
    if (flight.lines_left != 0) {
        ++stats_.put_aside;
        if (divergence_)
            divergence_->finish(flight, now);
    } else {
        performed(pending, released_);
    }
    return Step::Done;
}

// One cycle of an access that banks serve, or of a fence. True when further words of a bank are left, or a line is
// held.
bool LoadStoreUnit::step_banks(warp::Flight& flight, PendingAccess& pending, Cycle now) {
    if (pending.fence) {
        flight.lines_left = stores_.fence(flight) ? 1 : 0;
        return false;
    }
    if (config_.banks != 0) // a banked data cache looks lines up meanwhile; else on-chip memories go first
        for (unsigned n = 0; n < pending.per_cycle && pending.next < pending.lines; ++n)
            if (!take_line(flight, pending, now))
                return true;
    return --pending.bank_cycles != 0;
}

bool LoadStoreUnit::take_line(warp::Flight& flight, PendingAccess& pending, Cycle now) {
    const unsigned missing = flight.lines_left;
    if (!attempt(flight.id, pending.next, now)) {
        if (holds_)
            return false;
        ++flight.lines_left;
        refused_last_.flight = flight.id;
        refused_last_.index = pending.next;
        refused_.push(refused_last_);
    }
    if (divergence_ && !pending.texels) {
        if (flight.lines_left != missing) {
            divergence_->missed(flight, pending.next, pending.line[pending.next]);
            divergence_->on_their_way(cache_.lines_on_their_way(), now);
        } else if (pending.next < pending.data_lines) {
            divergence_->hit(flight, pending.line[pending.next]);
        }
    }
    ++stats_.lines;
    ++pending.next;
    return true;
}

bool LoadStoreUnit::wait_for_stores(warp::Flight& flight) {
    PendingAccess& pending = pending_[flight.id];
    pending.left = true;
    pending.into_line = false;
    pending.rider = warp::kNoFlight;
    flight.lines_left = stores_.fence(flight) ? 1 : 0;
    flight.hit.fill(0); // nothing that could be divided
    return flight.lines_left != 0;
}

bool LoadStoreUnit::attempt(FlightId flight, unsigned index, Cycle now) {
    const PendingAccess& pending = pending_[flight];
    if (index >= pending.data_lines)
        return attempt_other(flight, index, now);
    const Address address = pending.line[index] << cache_.line_shift();
    if (pending.atomic)
        return request_atomic(flight, index, now);
    if (config_.ideal) {
        ++cache_.stats().hits;
        return true;
    }
    if (!pending.store)
        return cache_.hits_again(address) || look_up_data(flight, address, false, now);
    const Write policy = policy_of(address);
    if (policy == Write::Back && config_.write_allocate)
        return look_up_data(flight, address, true, now);
    return attempt_store(flight, index, policy, now);
}

// A line of constants or of texels.
bool LoadStoreUnit::attempt_other(FlightId flight, unsigned index, Cycle now) {
    const PendingAccess& pending = pending_[flight];
    if (!pending.texels) {
        const Address constant = pending.line[index] << constants_->line_shift();
        return constants_->hits_again(constant) ||
               look_up(*constants_, Requester::Constant, flight, constant, false, now);
    }
    if (textures_) {
        const Address address = texture_lines_[flight][index] << textures_->line_shift();
        return textures_->hits_again(address) || look_up(*textures_, Requester::Texture, flight, address, false, now);
    }
    if (config_.ideal) {
        ++cache_.stats().hits;
        return true;
    }
    const Address address = texture_lines_[flight][index] << cache_.line_shift();
    return cache_.hits_again(address) || look_up_data(flight, address, false, now);
}

// A store that does not wait for its line: the data go on to memory, or into a line that is there.
bool LoadStoreUnit::attempt_store(FlightId flight, unsigned index, Write policy, Cycle now) {
    const Address address = pending_[flight].line[index] << cache_.line_shift();
    if (policy == Write::Back && cache_.hits(address, true))
        return true;
    if (!memory_.has_room())
        return port_full(cache_, address);
    if (policy == Write::Evict)
        cache_.drop(address);
    else if (policy == Write::Through && !config_.write_allocate)
        static_cast<void>(cache_.hits(address, false));
    else if (policy == Write::Through && !look_up(cache_, Requester::Data, flight, address, false, now))
        return false;
    send_store(flight, index, now);
    return true;
}

void LoadStoreUnit::send_store(FlightId flight, unsigned index, Cycle now) {
    const PendingAccess& pending = pending_[flight];
    ++stats_.stores_sent;
    memory_.write(pending.line[index] << cache_.line_shift(), pending.bytes[index],
                  pending.sent == kNoStore ? Requester::None : Requester::Store, pending.sent, now);
}

// Looks a line up in one of the caches, and sends for it for `requester` when it is missing.
bool LoadStoreUnit::look_up(Cache& cache, Requester requester, FlightId flight, Address address, bool store,
                            Cycle now) {
    if (!memory_.has_room())
        return cache.hits(address, store) || port_full(cache, address);
    const Cache::Answer answer = cache.look_up(address, store, flight);
    if (answer.result == Cache::Result::Hit)
        return true;
    if (answer.result == Cache::Result::Miss) {
        write_back(answer.victim, now);
        memory_.read(address, std::uint64_t{1} << cache.line_shift(), requester, answer.miss, now);
    } else if (answer.result != Cache::Result::Merged) {
        return refused(cache, address, answer.result);
    }
    ++flights_[flight].lines_left;
    return true;
}

bool LoadStoreUnit::refused(const Cache& cache, Address address, Cache::Result why) {
    const Refusal refusal = why == Cache::Result::SetReserved ? Refusal::SetReserved
                            : why == Cache::Result::MshrFull  ? Refusal::MshrFull
                                                              : Refusal::MshrMergeFull;
    refused_last_ = {refusal, &cache, address};
    return false;
}

// Atomic operations are done behind the SM: the line leaves the cache first. (A directory has all copies leave,
// wherever they are.)
bool LoadStoreUnit::request_atomic(FlightId flight, unsigned index, Cycle now) {
    const PendingAccess& pending = pending_[flight];
    const Address address = pending.line[index] << cache_.line_shift();
    if (!memory_.has_room())
        return port_full(cache_, address);
    if (!config_.ideal && !coherent_ && cache_.drop(address)) {
        ++cache_.stats().write_backs;
        write_back({true, address}, now);
    }
    ++flights_[flight].lines_left;
    memory_.atomic(address, config_.line, pending.bytes[index], pending.operations, flight, now);
    return true;
}

void LoadStoreUnit::write_back(const mem::Victim& victim, Cycle now) {
    if (victim.dirty)
        memory_.write(victim.address, config_.line, Requester::None, 0, now);
}

bool LoadStoreUnit::port_full(Cache& cache, Address address) {
    ++cache.stats().port_full;
    refused_last_ = {Refusal::PortFull, &cache, address};
    return false;
}

// Whether an answer that is about to be taken may end what an access waits for: a fill of its cache gives back an MSHR
// entry and a way of its set. (A coherent cache also loses lines to others.)
bool LoadStoreUnit::may_go_on(const Refused& access, const mem::Reply& reply) const {
    if (access.why == Refusal::None)
        return false;
    if (reply.requester == Requester::Credit || coherent_)
        return true;
    const Cache* const filled = reply.requester == Requester::Data       ? &cache_
                                : reply.requester == Requester::Constant ? &*constants_
                                : reply.requester == Requester::Texture  ? &*textures_
                                                                         : nullptr;
    if (filled == nullptr || filled != access.cache)
        return false;
    const Address line = filled->line_of(reply.id);
    switch (access.why) {
    case Refusal::SetReserved:
        return filled->set_of(line) == filled->set_of(access.address);
    case Refusal::MshrMergeFull:
    case Refusal::PortFull: // it may be the line that it needs
        return line >> filled->line_shift() == access.address >> filled->line_shift();
    case Refusal::MshrFull:
    case Refusal::None:
        break;
    }
    return true;
}

bool LoadStoreUnit::answer(const mem::Reply& reply, Cycle now, std::vector<FlightId>& ready) {
    const auto waiter = [&](std::uint32_t flight) { line_came(static_cast<FlightId>(flight), reply.level, ready); };
    const bool again = may_go_on(refused_.empty() ? refused_last_ : refused_.front(), reply);
    switch (reply.requester) {
    case Requester::Data:
        fill_cycle_ = now;
        if (coherent_)
            take_grant(reply, now, ready);
        else
            write_back(cache_.fill(reply.id, waiter), now);
        break;
    case Requester::Probe:
        answer_probe(reply, now);
        break;
    case Requester::Constant:
        constants_->fill(reply.id, waiter);
        break;
    case Requester::Texture:
        textures_->fill(reply.id, waiter);
        break;
    case Requester::Atomic:
        count_down(static_cast<FlightId>(reply.id), ready);
        break;
    case Requester::Store:
        if (reply.id != kNoStore) // else a line of the last flush
            stores_.done(reply.id, waiter);
        break;
    case Requester::Instruction:
    case Requester::None:
    case Requester::Credit:
        break;
    }
    if (again && !refused_.empty())
        try_again(now, ready);
    if (divergence_)
        divergence_->on_their_way(cache_.lines_on_their_way(), now);
    return again;
}

// Lines that were refused, oldest first, up to one that is refused again.
void LoadStoreUnit::try_again(Cycle now, std::vector<FlightId>& ready) {
    while (!refused_.empty()) {
        Refused& oldest = refused_.front();
        if (!attempt(oldest.flight, oldest.index, now)) {
            oldest.why = refused_last_.why;
            return;
        }
        count_down(refused_.pop().flight, ready); // attempt() has counted what is still missing
    }
}

void LoadStoreUnit::line_came(FlightId flight, mem::Level level, std::vector<FlightId>& ready) {
    pending_[flight].level = std::max(pending_[flight].level, level);
    count_down(flight, ready);
}

void LoadStoreUnit::count_down(FlightId flight, std::vector<FlightId>& ready) {
    if (--flights_[flight].lines_left != 0 || !pending_[flight].left)
        return;
    ready.push_back(flight);
    performed(pending_[flight], ready);
    for (FlightId f = pending_[flight].rider; f != warp::kNoFlight; f = pending_[f].rider) {
        flights_[f].lines_left = 0;
        ready.push_back(f);
    }
}

void LoadStoreUnit::flush(Cycle now) {
    if (textures_) // whose memory may be written before the next kernel
        textures_->flush([](Address) {});
    if (config_.flush == "never")
        return;
    cache_.flush([&](Address address) {
        ++cache_.stats().write_backs;
        memory_.write(address, config_.line, Requester::Store, kNoStore, now);
    });
}

void LoadStoreUnit::watch_divergence(const ViewsConfig& views) {
    divergence_.emplace(flights_.size(), config_.size / config_.line, width_, views);
}

void LoadStoreUnit::divide(const warp::Flight& ahead, const warp::Flight& behind) {
    PendingAccess& pending = pending_[ahead.id];
    pending.latency = pending_[behind.id].latency;
    pending.fence = pending.into_line = false;
    pending.rider = warp::kNoFlight;
}

void LoadStoreUnit::add_statistics(stats::Tree& tree) {
    if (divergence_)
        tree.add_one_of("divergence", divergence_->stats());
    tree.add_one_of("data", stats_);
    tree.add_one_of("dcache", cache_.stats());
    if (coherent_)
        tree.add_one_of("coherence", cache_.coherence());
    if (constants_)
        tree.add_one_of("ccache", constants_->stats());
    if (textures_)
        tree.add_one_of("tcache", textures_->stats());
}

std::span<const stats::Statistic<DataStats>> DataStats::statistics() {
    using S = DataStats;
    static const stats::Statistic<S> table[] = {
        {"loads", &S::loads, "instructions", "loads that went to a cache"},
        {"stores", &S::stores, "instructions", "stores that went to the data cache"},
        {"atomics", &S::atomics, "instructions", "atomic operations on global memory"},
        {"fences", &S::fences, "instructions", "fences of device or system scope"},
        {"lines", &S::lines, "accesses", "lines touched, each a port slot"},
        {"transactions", &S::transactions, "instructions", "instructions that went to a cache, by lines they touched"},
        {"stores_sent", &S::stores_sent, "lines", "stores sent on to memory that no instruction waits for"},
        {"port_conflicts", &S::port_conflicts, "cycles", "cycles in which a store waited for a fill on the write port"},
        {"bank_conflicts", &S::bank_conflicts, "cycles", "cycles for further words of one bank of a banked data cache"},
        {"put_aside", &S::put_aside, "instructions",
         "instructions that waited for memory; threads of a bundle by themselves"},
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
        {"mean_wait", "wait_cycles", "put_aside", "cycles an instruction waited for its lines"},
        {"mean_lines", "lines", "loads+stores+atomics", "lines an instruction touched"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(
    heddle::sm::DataStats, "data",
    "memory stage: accesses, ports, on-chip memories; a bundle of threads is an instruction of each kind in it")
