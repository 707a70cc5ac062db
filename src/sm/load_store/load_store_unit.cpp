#include "sm/load_store/load_store_unit.h"

#include <algorithm>

namespace heddle::sm {

using mem::Requester;
using warp::FlightId;
using State = PendingAccess::State;

LoadStoreUnit::LoadStoreUnit(const config::Machine& machine, unsigned sm, MemoryPort& memory,
                             SlotArray<warp::Flight>& flights, bool holds)
    : holds_(holds), flights_(flights), port_(memory), data_(machine, sm, port_),
      addresses_(machine, sm, flights.capacity(), data_.may_send_stores(), stats_), pending_(flights.capacity()),
      stores_(static_cast<unsigned>(machine.get<CoreConfig>().threads / machine.get<CoreConfig>().width)) {
    if (const auto constants = machine.get<CCacheConfig>(); constants.size != 0)
        constants_.emplace(constants, sm, Requester::Constant, port_);
    if (const auto textures = machine.get<TCacheConfig>(); textures.size != 0)
        textures_.emplace(textures, sm, Requester::Texture, port_);
    if (const auto tma = machine.get<TmaConfig>(); tma.bytes != 0 && holds_) { // no other core steps the unit
        const DCacheConfig& data = data_.config();
        const std::uint64_t sectors = data.sector == 0 ? 0 : data.line / data.sector;
        tma_.emplace(tma, data.line, static_cast<mem::SectorMask>((1U << sectors) - 1), memory);
    }
    if (SharedArray::is_in(machine))
        array_ = std::make_shared<SharedArray>(machine);
}

// After a launch that was stopped, lines may be on their way: then the division stays as it is.
void LoadStoreUnit::share_array(const exec::Launch& launch) {
    if (leads_)
        array_->divide(launch);
    if (data_.cache().lines_on_their_way() == 0)
        data_.resize(data_.config().size - array_->shared_bytes());
}

Cycle LoadStoreUnit::longest_latency(const config::Machine& machine) {
    return std::max({machine.get<DCacheConfig>().latency, machine.get<SharedConfig>().latency,
                     machine.get<ClusterConfig>().latency, machine.get<CCacheConfig>().latency,
                     machine.get<TCacheConfig>().latency});
}

void LoadStoreUnit::prepare(const warp::Flight& flight, const exec::Access& access) {
    PendingAccess& pending = pending_.use(flight.id);
    pending.start(flight, access);
    if (access.count == 0)
        return;
    addresses_.prepare(pending, flight, access);
    if (profile_) [[unlikely]]
        profile_->prepared(flight, access, pending);
    if (pending.texels)
        return;
    if (divergence_)
        addresses_.find_lanes(*divergence_, flight, pending, access);
    if (pending.lines == 0)
        return;
    ++(access.atomic ? stats_.atomics : access.store ? stats_.stores : stats_.loads);
    ++stats_.transactions[pending.lines];
    if (!pending.store) { // a store's data are not waited for
        if (pending.data_lines != 0)
            pending.latency = std::max(pending.latency, static_cast<std::uint16_t>(data_.config().latency));
        return;
    }
    if (data_.config().ideal) // the store ends in the unit
        return;
    unsigned sent = 0;
    for (unsigned i = 0; i < pending.data_lines; ++i)
        sent += data_.sends_stores(pending.line[i] << data_.line_shift()) ? 1 : 0;
    // Where threads do not wait at a store, their fences and exits wait for it.
    pending.into_line = holds_ && sent != pending.data_lines;
    sent += pending.into_line ? 1 : 0;
    if (sent != 0)
        pending.sent = stores_.open(flight.group, sent);
}

void LoadStoreUnit::prepare_fence(const warp::Flight& flight) {
    pending_.use(flight.id).start_fence(flight);
    ++stats_.fences;
}

void LoadStoreUnit::prepare_acquire(const warp::Flight& flight) {
    pending_.use(flight.id).start_acquire(flight);
}

bool LoadStoreUnit::wait_for_stores(warp::Flight& flight) {
    PendingAccess& pending = pending_.use(flight.id);
    pending.into_line = false;
    pending.rider = warp::kNoFlight;
    flight.lines_left = stores_.fence(flight) ? 1 : 0;
    pending.leave(flight.lines_left != 0);
    flight.hit.fill(0); // the flight cannot be divided
    return flight.lines_left != 0;
}

LoadStoreUnit::Step LoadStoreUnit::step(FlightId id, Cycle now) {
    PendingAccess& pending = pending_[id];
    warp::Flight& flight = flights_[id];
    if (data_.is_filled(now) && pending.store && pending.next < pending.data_lines) { // fills have priority on the port
        ++stats_.port_conflicts;
        return Step::Line;
    }
    port_.refused().why = Refusal::None;
    if (pending.texels && tma_ && pending.lines != 0 && TmaUnit::takes(*flight.op))
        return give_to_tma(flight, pending);
    if (pending.bank_cycles != 0 || pending.fence) {
        if (step_banks(flight, pending, now))
            return refusal() != Refusal::None ? Step::Held : Step::Bank;
    } else if (pending.next < pending.lines) {
        if (!take_line(flight, pending, now))
            return Step::Held;
    } else if (pending.acquire) {
        data_.drop_clean();
    }
    if (pending.next < pending.lines)
        return Step::Line;
    pending.leave(flight.lines_left != 0);
    if (flight.lines_left != 0) {
        ++stats_.put_aside;
        if (divergence_)
            divergence_->finish(flight, now);
    } else {
        performed(pending, released_);
    }
    return Step::Done;
}

LoadStoreUnit::Step LoadStoreUnit::give_to_tma(warp::Flight& flight, PendingAccess& pending) {
    tma_->push(flight.id, flight.group.pc, addresses_.texture_lines(flight.id));
    flight.lines_left = pending.next = pending.lines;
    pending.leave(true);
    ++stats_.put_aside;
    return Step::Done;
}

// One cycle of an access that banks serve, or of a fence. True when further words of a bank are left, or a line is
// held.
bool LoadStoreUnit::step_banks(warp::Flight& flight, PendingAccess& pending, Cycle now) {
    if (pending.fence) {
        flight.lines_left = stores_.fence(flight) ? 1 : 0;
        return false;
    }
    if (data_.config().banks != 0) // else lines are looked up after the words of on-chip memories
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
        port_.refused().flight = flight.id;
        port_.refused().index = pending.next;
        retries_.push(port_.refused());
    }
    if (divergence_ && !pending.texels) {
        if (flight.lines_left != missing) {
            divergence_->missed(flight, pending.next, pending.line[pending.next]);
            divergence_->on_their_way(data_.cache().lines_on_their_way(), now);
        } else if (pending.next < pending.data_lines) {
            divergence_->hit(flight, pending.line[pending.next]);
        }
    }
    ++stats_.lines;
    ++pending.next;
    return true;
}

bool LoadStoreUnit::attempt(FlightId flight, unsigned index, Cycle now) {
    const PendingAccess& pending = pending_[flight];
    const LookUp outcome = index < pending.data_lines ? data_.access(pending, index, flight, stats_.stores_sent, now)
                           : pending.texels           ? look_up_texel(flight, index, now)
                                            : constants_->load(pending, index, pending.line[index], flight, now);
    if (profile_ && outcome == LookUp::Hit) [[unlikely]]
        profile_->hit(pending, index);
    flights_[flight].lines_left =
        static_cast<std::uint16_t>(flights_[flight].lines_left + (outcome == LookUp::Waits ? 1 : 0));
    return outcome != LookUp::Refused;
}

LookUp LoadStoreUnit::look_up_texel(FlightId flight, unsigned index, Cycle now) {
    const Address line = addresses_.texture_lines(flight)[index];
    const PendingAccess& pending = pending_[flight];
    return textures_ && !pending.uncached ? textures_->load(pending, index, line, flight, now)
                                          : data_.load(pending, index, line, flight, now);
}

const mem::Cache* LoadStoreUnit::filled_by(const mem::Reply& reply) const {
    switch (reply.requester) {
    case Requester::Data:
        return &data_.cache();
    case Requester::Constant:
        return &constants_->cache();
    case Requester::Texture:
        return &textures_->cache();
    default:
        return nullptr;
    }
}

// Whether an answer, which is about to be taken, may free what a line waits for: a fill of its cache frees an MSHR
// entry and a way of its set. (A coherent cache also loses lines to other caches.)
bool LoadStoreUnit::may_go_on(const RefusedLine& line, const mem::Reply& reply) const {
    if (line.why == Refusal::None)
        return false;
    if (reply.requester == Requester::Credit || data_.is_coherent())
        return true;
    const mem::Cache* const filled = filled_by(reply);
    if (filled == nullptr || filled != line.cache)
        return false;
    const Address came = filled->line_of(reply.id);
    switch (line.why) {
    case Refusal::SetReserved:
        return filled->set_of(came) == filled->set_of(line.address);
    case Refusal::MshrMergeFull:
    case Refusal::PortFull: // the answer may be the line itself
        return came >> filled->line_shift() == line.address >> filled->line_shift();
    case Refusal::MshrFull:
    case Refusal::None:
        break;
    }
    return true;
}

bool LoadStoreUnit::answer(const mem::Reply& reply, Cycle now, std::vector<FlightId>& ready) {
    const bool is_data = reply.requester == Requester::Data || reply.requester == Requester::Texture;
    const auto waiter = [&](std::uint32_t flight) {
        if (flight != warp::kNoFlight) // a store that did not wait
            line_came(static_cast<FlightId>(flight), reply.level, is_data, ready);
    };
    const bool again = may_go_on(retries_.empty() ? port_.refused() : retries_.front(), reply);
    switch (reply.requester) {
    case Requester::Data:
        data_.fill(
            reply, now, [&](std::uint32_t flight) { return pending_[flight].store; }, waiter);
        break;
    case Requester::Probe:
        data_.answer_probe(reply, now);
        break;
    case Requester::Constant:
        constants_->fill(reply.id, waiter, now);
        break;
    case Requester::Texture:
        textures_->fill(reply.id, waiter, now);
        break;
    case Requester::Copy:
        tma_->answered();
        line_came(static_cast<FlightId>(reply.id), reply.level, true, ready);
        break;
    case Requester::Atomic:
        if (profile_) [[unlikely]]
            profile_->came(pending_[static_cast<FlightId>(reply.id)], reply.level);
        count_down(static_cast<FlightId>(reply.id), ready);
        break;
    case Requester::Store:
        if (reply.id != kNoStore) // else the answer is for a line of the last flush
            stores_.done(reply.id, waiter);
        break;
    case Requester::Instruction:
    case Requester::None:
    case Requester::Credit:
        break;
    }
    if (again && !retries_.empty())
        try_again(now, ready);
    if (divergence_)
        divergence_->on_their_way(data_.cache().lines_on_their_way(), now);
    return again;
}

// Tries refused lines again, the oldest first, until one is refused again.
void LoadStoreUnit::try_again(Cycle now, std::vector<FlightId>& ready) {
    while (!retries_.empty()) {
        RefusedLine& oldest = retries_.front();
        if (!attempt(oldest.flight, oldest.index, now)) {
            oldest.why = refusal();
            return;
        }
        count_down(retries_.pop().flight, ready); // attempt() has counted the lines that are still missing
    }
}

void LoadStoreUnit::line_came(FlightId flight, mem::Level level, bool is_data, std::vector<FlightId>& ready) {
    if (profile_ && is_data) [[unlikely]]
        profile_->came(pending_[flight], level);
    pending_[flight].level = std::max(pending_[flight].level, level);
    count_down(flight, ready);
}

void LoadStoreUnit::count_down(FlightId flight, std::vector<FlightId>& ready) {
    PendingAccess& pending = pending_[flight];
    if (--flights_[flight].lines_left != 0 || pending.state != State::Waiting)
        return;
    pending.state = State::Done;
    ready.push_back(flight);
    performed(pending, ready);
    for (FlightId f = pending.rider; f != warp::kNoFlight; f = pending_[f].rider) {
        flights_[f].lines_left = 0;
        pending_[f].state = State::Done;
        ready.push_back(f);
    }
}

void LoadStoreUnit::flush(Cycle now) {
    if (textures_) // the texture memory may be written before the next kernel
        textures_->flush();
    data_.flush(now);
}

void LoadStoreUnit::watch_divergence(const formation::Formation& formation, const ViewsConfig& views, unsigned width) {
    divergence_.emplace(formation, flights_.capacity(), data_.config().size / data_.config().line, width, views);
}

void LoadStoreUnit::divide(const warp::Flight& ahead, const warp::Flight& behind) {
    PendingAccess& pending = pending_.use(ahead.id);
    pending.latency = pending_[behind.id].latency;
    pending.fence = pending.into_line = false;
    pending.rider = warp::kNoFlight;
}

void LoadStoreUnit::add_statistics(stats::Tree& tree) {
    if (divergence_)
        tree.add_one_of("divergence", divergence_->stats());
    tree.add_one_of("data", stats_);
    data_.add_statistics(tree);
    if (constants_)
        constants_->add_statistics(tree, "ccache", "ccache_prefetch");
    if (textures_)
        textures_->add_statistics(tree, "tcache", "tcache_prefetch");
    if (tma_)
        tree.add_one_of("tma", tma_->stats());
}

} // namespace heddle::sm
