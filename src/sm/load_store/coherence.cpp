// The memory stage in front of a coherent data cache: what that asks for and tells leaves by the port
// (docs/coherence.md).
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

using mem::Cache;
using mem::CoherentCache;
using mem::Message;
using warp::FlightId;

// As look_up() of what the cache cannot do by itself; `line` is where it has the line, if it has. A store to a line
// that others may have too waits for leave as it would for the line.
bool LoadStoreUnit::ask_for_line(mem::LineId line, FlightId flight, Address address, bool store, Cycle now) {
    if (!memory_.has_room())
        return port_full(cache_, address);
    const auto [answer, message] = cache_.ask(line, address, store, flight);
    switch (answer.result) {
    case Cache::Result::Hit:
        return true;
    case Cache::Result::Miss:
        tell_of(answer.victim, now);
        memory_.ask(address, config_.line, message, answer.miss, now);
        break;
    case Cache::Result::Merged:
        break;
    case Cache::Result::SetReserved:
    case Cache::Result::MshrFull:
    case Cache::Result::MshrMergeFull:
        return refused(cache_, address, answer.result);
    }
    ++flights_[flight].lines_left;
    return true;
}

void LoadStoreUnit::tell_of(const mem::Victim& victim, Cycle now) {
    if (const Message put = CoherentCache::put(victim); put != Message::None)
        memory_.tell(victim.address, config_.line, put, now);
}

// Stores that joined the miss of a load, which others turned out to have the line of too, ask on.
void LoadStoreUnit::take_grant(const mem::Reply& grant, Cycle now, std::vector<FlightId>& ready) {
    const Address address = cache_.line_of(grant.id);
    const bool asks_on = cache_.granted(
        grant.id, grant.message, [&](std::uint32_t flight) { return pending_[flight].store; },
        [&](std::uint32_t flight) { line_came(static_cast<FlightId>(flight), grant.level, ready); });
    if (asks_on)
        memory_.ask(address, config_.line, Message::Upgrade, grant.id, now);
}

// In the cycle in which the probe comes, beside what the ports of the cache do (assumed).
void LoadStoreUnit::answer_probe(const mem::Reply& probe, Cycle now) {
    memory_.tell(probe.address, config_.line, cache_.probe(probe.address, probe.message), now);
}

} // namespace heddle::sm
