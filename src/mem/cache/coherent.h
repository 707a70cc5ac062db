// A data cache that keeps its lines coherent by MESI: which message an access needs, what a grant and a probe do to a
// line (docs/coherence.md). As every cache it has no time and sends nothing itself.
//
//   state       a load    a store
//   I           GetS      GetM
//   on its way  waits     waits; a store that joined a GetS that brings S needs an upgrade then
//   S           hits      Upgrade: the line stays, locked in its way, until the grant comes or a probe takes it
//   S, locked   hits      waits for the upgrade that is on its way
//   E, M        hits      hits: M from then on
//
// Eviction: S sends nothing, E sends PutE, M sends PutM with the data. A line on its way or locked is not evicted.
#pragma once

#include "mem/cache/cache.h"
#include "mem/coherence.h"

namespace heddle::mem {

class CoherentCache : public Cache {
public:
    using Cache::Cache;

    struct Access {
        Answer answer;
        Message message = Message::None; // to be sent for answer.miss
    };
    // As Cache::look_up(). The victim has left: the owner sends the message put() of it.
    Access access(CacheAccess access, std::uint32_t waiter) {
        const LineId line = tags_.find(access.address);
        if (does(line, access))
            return {{Result::Hit}};
        return ask(line, access, waiter);
    }
    // The first part of access(), for `line` = find(address): looks up without a request. True when the access is done.
    [[nodiscard]] bool does(LineId line, CacheAccess access) {
        if (line == kNoLine || tags_.is_pending(line) || (access.writes && tags_.state(line) == Mesi::Shared))
            return false;
        tags_.use(line, access);
        ++stats_.hits;
        return true;
    }
    // The second part, for an access that is not done: waits for the line, with the request that this needs.
    Access ask(LineId line, CacheAccess access, std::uint32_t waiter);
    // The message about a line that was evicted; None for a line in state S.
    [[nodiscard]] static Message put(const Victim& victim) {
        return !victim.exclusive ? Message::None : victim.dirty ? Message::PutM : Message::PutE;
    }
    // The request of a miss has been granted. Calls f(waiter), which does not look up, for each access that is done.
    // True when stores are left, by is_store(waiter): then the miss needs an upgrade.
    template <class IsStore, class F>
    [[nodiscard]] bool granted(MissId miss, Message grant, IsStore&& is_store, F&& f) {
        if (take(miss, grant)) {
            mshrs_.release_some(
                miss, [&](std::uint32_t waiter) { return !is_store(waiter); }, f);
            return true;
        }
        mshrs_.release(miss, f);
        return false;
    }
    // Carries out a probe. Returns the answer to it.
    [[nodiscard]] Message probe(Address address, Message probe);

    [[nodiscard]] Mesi state(Address address) const {
        const LineId line = tags_.find(address);
        return line == kNoLine ? Mesi::Invalid : tags_.state(line);
    }
    [[nodiscard]] CoherenceStats& coherence() {
        return coherence_;
    }

private:
    Access upgrade(LineId line, CacheAccess access, std::uint32_t waiter);
    [[nodiscard]] bool take(MissId miss, Message grant);

    CoherenceStats coherence_;
};

} // namespace heddle::mem
