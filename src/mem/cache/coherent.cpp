#include "mem/cache/coherent.h"

namespace heddle::mem {

CoherentCache::Access CoherentCache::ask(LineId line, CacheAccess access, std::uint32_t waiter) {
    if (line != kNoLine && !tags_.is_pending(line))
        return upgrade(line, access, waiter);
    const Answer answer = look_up(line, access, waiter);
    if (answer.result != Result::Miss)
        return {answer};
    return {answer, access.writes ? Message::GetM : Message::GetS};
}

// A store finds its line shared: it joins the upgrade that is on its way, or an upgrade is to be sent.
CoherentCache::Access CoherentCache::upgrade(LineId line, CacheAccess access, std::uint32_t waiter) {
    if (tags_.is_locked(line))
        return {merge(tags_.miss_of(line), access, waiter)};
    if (mshrs_.full()) {
        ++stats_.mshr_full;
        return {{Result::MshrFull}};
    }
    const MissId miss = mshrs_.allocate(tags_.address_of(line) >> tags_.line_shift(), waiter);
    tags_.note_first_use(line);
    mshrs_.way_of(miss) = line;
    mshrs_.access(miss) = access;
    tags_.await(line, miss, true);
    return {{Result::Miss, miss}, Message::Upgrade};
}

// The line gets its state. True when that is S and stores wait for it: the next step is an upgrade.
bool CoherentCache::take(MissId miss, Message grant) {
    const LineId line = mshrs_.way_of(miss);
    const bool writes = mshrs_.access(miss).writes;
    stats_.fills += grant == Message::MayWrite ? 0 : 1;
    const bool shared = grant == Message::DataS;
    tags_.set_state(line, shared ? Mesi::Shared : writes ? Mesi::Modified : Mesi::Exclusive);
    if (prefetching_ && grant != Message::MayWrite) [[unlikely]]
        tell_fill(miss);
    if (!shared || !writes)
        return false;
    ++coherence_.late_upgrades;
    tags_.await(line, miss, true);
    return true;
}

Message CoherentCache::probe(Address address, Message probe) {
    const LineId line = tags_.find(address);
    if (line == kNoLine) {
        ++coherence_.stale_probes;
        return Message::Gone;
    }
    if (tags_.is_pending(line)) { // the probe was sent before the line: it is for an earlier copy
        ++coherence_.early_probes;
        return Message::Gone;
    }
    const bool dirty = tags_.state(line) == Mesi::Modified;
    if (probe == Message::Downgrade) {
        tags_.set_state(line, Mesi::Shared);
        return dirty ? Message::KeptDirty : Message::Kept;
    }
    if (tags_.is_locked(line)) // the directory will answer the upgrade with the data
        tags_.await(line, tags_.miss_of(line), false);
    else
        tags_.set_state(line, Mesi::Invalid);
    return dirty ? Message::GoneDirty : Message::Gone;
}

} // namespace heddle::mem
